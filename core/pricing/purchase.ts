// What a call cost the operator: a second price over the same components, by the channel that answered it.
import type { Usage } from '../dialects/usage.ts'
import type { PurchasePrice } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { charge } from './charge.ts'
import { bestFit, listedNames } from './pattern.ts'
import { namesToTry, priceLike, type Price } from './price.ts'

/** What was sold, and from whom it was bought. `at`: epoch ms of admission, which decides the time tiers. */
export interface Sold {
  channel_id: number
  channel_type: number
  /** The name that the call was priced by. */
  model: string
  usage: Usage
  at: number
}

type Bought = Omit<Sold, 'usage' | 'at'>

/** Quota units, without any group's ratio; undefined where nobody has said what the model costs there. */
export function purchaseCost({ usage, at, ...bought }: Sold, settings: Settings): number | undefined {
  const price = purchasePrice(bought, settings)
  return price && charge(price, 1, usage, settings.QuotaPerUnit, at).quota
}

/** Made once for a snapshot of the settings, so that its rates are prepared once. */
const made = new WeakMap<Settings, Map<string, Price>>()
const MAX_MADE = 5000

function purchasePrice(bought: Bought, settings: Settings): Price | undefined {
  const { channel_id, channel_type, model } = bought
  const given = givenFor(`${channel_id}`, model, settings) ?? givenFor(`type:${channel_type}`, model, settings)
  if (!given) return undefined
  const prices = made.get(settings) ?? new Map<string, Price>()
  const key = `${channel_id} ${channel_type} ${model}`
  const known = prices.get(key)
  if (known) return known
  const price = Object.freeze(priceLike(model, given, settings))
  if (prices.size < MAX_MADE) made.set(settings, prices.set(key, price))
  return price
}

/** The model by its own name first, then as a variant of another or by the beginning of its name. */
function givenFor(channel: string, model: string, { ChannelPrice }: Settings): PurchasePrice | undefined {
  if (!Object.hasOwn(ChannelPrice, channel)) return undefined
  const prices = ChannelPrice[channel] ?? {}
  if (Object.hasOwn(prices, model)) return prices[model]
  return bestFit(prices, [...namesToTry(model), ...listedNames(model)], (price) => price)
}
