// The price of a model as a sentence of the report, without the ratio of a group.
import { words, type Words } from '../errors.ts'
import { priceText } from '../pricing/display.ts'
import type { PriceFields } from '../settings/channel-price.ts'

/** USD for 1M tokens at ratio 1. */
const USD_PER_RATIO = 2

/** @param price undefined parts are left out; null if calls are refused for want of a price */
export function describePrice(price: PriceFields | null): Words {
  if (price === null) return words('no price, calls are refused', '没有价格，请求被拒绝')
  const { model_price, model_ratio = 0, completion_ratio = 1, cache_ratio = 1, create_cache_ratio } = price
  if (model_price !== undefined) return words(`${priceText(model_price)} per call`, `每次 ${priceText(model_price)}`)
  const usd = (factor: number) => priceText(model_ratio * USD_PER_RATIO * factor)
  const writes = create_cache_ratio === undefined ? undefined : usd(create_cache_ratio)
  return words(
    `${usd(1)} in, ${usd(completion_ratio)} out per 1M tokens (cached ${usd(cache_ratio)}${writes ? `, cache writes ${writes}` : ''})`,
    `每 100 万 token 输入 ${usd(1)}、输出 ${usd(completion_ratio)}（缓存读取 ${usd(cache_ratio)}${writes ? `、缓存写入 ${writes}` : ''}）`,
  )
}
