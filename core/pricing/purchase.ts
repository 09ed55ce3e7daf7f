// Computes the operator's cost of a call: a second price over the same components, by the channel that answered it.
import type { Usage } from '../dialects/answers/usage.ts'
import type { PurchasePrice } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { charge } from './charge.ts'
import { listSameModels } from '../models/same-model.ts'
import { findBestFit, listPriceNames } from './pattern.ts'
import { namesToTry, type Price } from './price.ts'
import { getPriceBook } from './price-book.ts'

/** The usage sold, and the channel it was bought from. `at`: epoch ms of admission, which decides the time tiers. */
export interface SoldUsage {
  channel_id: number
  channel_type: number
  /** The name that the call was priced by. */
  model: string
  usage: Usage
  at: number
}

/** Returns the cost in quota units, without a group's ratio; undefined if no purchase price is set. */
export function computePurchaseCost(sold: SoldUsage, settings: Settings): number | undefined {
  const { channel_id, channel_type, model, usage, at } = sold
  const price = priceOn(`${channel_id}`, model, settings) ?? priceOn(`type:${channel_type}`, model, settings)
  return price && charge(price, 1, usage, settings.QuotaPerUnit, at).quota
}

function priceOn(channel: string, model: string, settings: Settings): Price | undefined {
  const given = givenFor(channel, model, settings)
  return given && getPriceBook(settings).purchasePrice(channel, model, given)
}

/** The model by its own name first, then by another of its names, as a variant of another or by the beginning of its name. */
function givenFor(channel: string, model: string, { ChannelPrice }: Settings): PurchasePrice | undefined {
  if (!Object.hasOwn(ChannelPrice, channel)) return undefined
  const prices = ChannelPrice[channel] ?? {}
  if (Object.hasOwn(prices, model)) return prices[model]
  const [other] = listSameModels(model, Object.keys(prices))
  if (other !== undefined) return prices[other]
  return findBestFit(prices, [...namesToTry(model), ...listPriceNames(model)], (price) => price)
}
