// The price of a model as a sentence of the report, without the ratio of a group.
import { fillTemplate, words, type Words } from '../errors.ts'
import { formatPriceText } from '../pricing/display.ts'
import type { PriceFields } from '../settings/channel-price.ts'

/** USD for 1M tokens at ratio 1. */
const USD_PER_RATIO = 2

/** @param price undefined parts are left out; null if calls are refused for want of a price */
export function describeImportedPrice(price: PriceFields | null): Words {
  if (price === null) return words('no price, calls are refused')
  const { model_price, model_ratio = 0, completion_ratio = 1, cache_ratio = 1, create_cache_ratio } = price
  if (model_price !== undefined)
    return fillTemplate(words('{model_price} per call'), { model_price: formatPriceText(model_price) })
  const usd = (factor: number) => formatPriceText(model_ratio * USD_PER_RATIO * factor)
  const writes = create_cache_ratio === undefined ? undefined : usd(create_cache_ratio)
  return fillTemplate(words('{usd} in, {completion_ratio} out per 1M tokens (cached {cache_ratio}{writes})'), {
    usd: usd(1),
    completion_ratio: usd(completion_ratio),
    cache_ratio: usd(cache_ratio),
    writes: writes ? fillTemplate(words(', cache writes {writes}'), { writes }) : '',
  })
}
