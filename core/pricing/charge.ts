// Computes the charge of a call: usage and price become quota units. The only rounding of a charge is here.
import type { Usage } from '../dialects/answers/usage.ts'
import type { ComponentKind } from './component.ts'
import type { ComponentName } from './components.ts'
import { EXACT_ZERO, type ExactNumber, ExactSum, multiplyPriceSteps, formatPriceSteps } from './exact.ts'
import { listModelNameVariants, type Price } from './price.ts'
import type { RatedComponent, ComponentRate } from './rates.ts'
import { hasAnyCost, isUsageCounted, createPlainRate, buildRates } from './rates.ts'
import { findMultipliers, type PriceMultipliers } from './tiers.ts'
import type { PurchasePrice } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { listSameModels } from '../models/same-model.ts'
import { findBestFit, listPriceNames } from './pattern.ts'
import { getPriceBook } from './price-book.ts'

/**
 * One line of a charge, to explain its number: count x price x multiplier = quota. `price` is quota units for one,
 * `quota` the exact product, decimal texts both.
 */
export interface ChargeLine {
  what: ComponentName
  /** Name of the tool, or size and quality of the images. */
  label?: string
  count: number
  price: string
  /** Factor of the price tiers; missing if it is 1. */
  multiplier?: string
  /** Names of the tiers that apply. */
  tier?: string
  quota: string
}

export interface Charge {
  /** Quota units, an integer. */
  quota: number
  lines: ChargeLine[]
  /** False when nothing at all was used: then no counter moves. */
  billable: boolean
  /** The tiers that applied. */
  tiers?: PriceMultipliers
}

export const NO_CHARGE: Charge = { quota: 0, lines: [], billable: false }

/**
 * Charges usage at a price (docs/billing.md, 4 and 5): exact decimals, one rounding half away from zero at
 * the end, at least 1 where anything billable was used at a rate above 0. `at` is the moment of admission (epoch ms),
 * which decides the time tiers.
 */
export function charge(price: Price, groupRatio: number, usage: Usage, quotaPerUnit: number, at?: number): Charge {
  if (!isUsageCounted(usage)) return { quota: 0, lines: [], billable: false }
  const rates = buildRates(price, groupRatio, quotaPerUnit)
  const tiers = findMultipliers(price.tiers, usage, at)
  const bill = new Bill(tiers, rates.places)
  for (const priced of rates.priced) {
    const count = priced.count(usage)
    // The comparison also skips NaN.
    if (!(count > 0) || (priced.insteadOf && usage[priced.insteadOf] > 0)) continue
    if (priced.kinds) bill.addKinds(priced, priced.kinds(usage, price))
    else bill.add(priced, count, priced.rate)
  }
  const quota = bill.total.rounded()
  const least = quota === 0 && (bill.total.isAboveZero() || hasAnyCost(rates, tiers)) ? 1 : 0
  return { quota: Math.max(quota, least), lines: bill.lines, billable: true, ...(tiers ? { tiers } : undefined) }
}

class Bill {
  readonly lines: ChargeLine[] = []
  readonly total: ExactSum
  private readonly tiers: PriceMultipliers | null
  private readonly places: number

  constructor(tiers: PriceMultipliers | null, places: number) {
    this.tiers = tiers
    this.places = places
    this.total = new ExactSum(places)
  }

  /** A line for each kind of a component. */
  addKinds(priced: RatedComponent, kinds: readonly ComponentKind[]): void {
    for (const { count, label, times } of kinds) {
      const isPlain = times.every((by) => by === 1)
      if (count > 0) this.add(priced, count, isPlain ? priced.rate : createPlainRate(priced.rate.unit, times), label)
    }
  }

  /** A line, with the tiers applied. */
  add({ what, follows }: RatedComponent, count: number, rate: ComponentRate, label?: string): void {
    const counted = Math.min(count, Number.MAX_SAFE_INTEGER)
    const factor = follows === null ? undefined : this.tiers?.[follows]
    const line: ChargeLine = { what, count: counted, price: rate.text, quota: this.sum(counted, rate, factor) }
    if (label !== undefined) line.label = label
    if (factor && this.tiers && !factor.equals(1)) {
      line.multiplier = factor.toFixed()
      line.tier = this.tiers.names
    }
    this.lines.push(line)
  }

  /** Adds the product, and gives it as a decimal text. */
  private sum(count: number, { unit, steps }: ComponentRate, factor: ExactNumber | undefined): string {
    const product = factor ? undefined : multiplyPriceSteps(steps, count)
    if (product !== undefined) {
      this.total.addSteps(product)
      return formatPriceSteps(product, this.places)
    }
    const exact = factor ? unit.times(count).times(factor) : unit.times(count)
    this.total.add(exact)
    return exact.toFixed()
  }
}

/** The lines of a charge added up again, exactly: what a session of several charges keeps of each. */
export const sumExactly = (lines: readonly Pick<ChargeLine, 'quota'>[]): ExactNumber =>
  lines.reduce((sum, line) => sum.plus(line.quota), EXACT_ZERO)

// Computes the operator's cost of a call: a second price over the same components, by the channel that answered it.

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

/** Tries the model's own name first, then its other names, then patterns that match its beginning. */
function givenFor(channel: string, model: string, { ChannelPrice }: Settings): PurchasePrice | undefined {
  if (!Object.hasOwn(ChannelPrice, channel)) return undefined
  const prices = ChannelPrice[channel] ?? {}
  if (Object.hasOwn(prices, model)) return prices[model]
  const [other] = listSameModels(model, Object.keys(prices))
  if (other !== undefined) return prices[other]
  return findBestFit(prices, [...listModelNameVariants(model), ...listPriceNames(model)], (price) => price)
}
