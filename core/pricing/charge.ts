// What a call cost: usage and price become quota units. The only rounding of a charge is here.
import type { Usage } from '../dialects/dialect.ts'
import { ZERO, type Exact } from './exact.ts'
import { ExactSum, productOf, textOf } from './exact-sum.ts'
import { imageMultiplier } from './image-multiplier.ts'
import type { Price } from './price.ts'
import { costsAnything, rate, ratesOf, type Charged, type Rate, type Rates } from './rates.ts'
import { multipliersOf, type Multipliers } from './tiers.ts'
import { toolPrice } from './tool-price.ts'

/**
 * One line of a charge, to explain its number: count x price x multiplier = quota. `price` is quota units for one,
 * `quota` the exact product, decimal texts both.
 */
export interface ChargeLine {
  what: Charged
  /** Of a tool: which. Of images: size and quality. */
  label?: string
  count: number
  price: string
  /** What the tiers make of the price; missing where it is 1. */
  multiplier?: string
  /** Which tiers those are. */
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
  tiers?: Multipliers
}

export const NOTHING: Charge = { quota: 0, lines: [], billable: false }

/**
 * Charges usage at a price (billing reference, sections 4 and 5): exact decimals, one rounding half away from zero at
 * the end, at least 1 where anything billable was used at a rate above 0. `at` is the moment of admission (epoch ms),
 * which decides the time tiers.
 */
export function charge(price: Price, groupRatio: number, usage: Usage, quotaPerUnit: number, at?: number): Charge {
  if (!isUsed(usage)) return { quota: 0, lines: [], billable: false }
  const rates = ratesOf(price, groupRatio, quotaPerUnit)
  const tiers = multipliersOf(price.tiers, usage, at)
  const bill = new Bill(tiers, rates.places)
  if (price.kind === 'per_usage') {
    addTokens(bill, rates, usage)
    if (usage.output === 0) addImages(bill, price, rates, usage)
  } else if (usage.images) addImages(bill, price, rates, usage)
  else bill.add('call', 1, rates.of.call)
  if (usage.calls) addTools(bill, price, rates, usage.calls)
  const quota = bill.total.rounded()
  const least = quota === 0 && (bill.total.isAboveZero() || costsAnything(rates, tiers)) ? 1 : 0
  return { quota: Math.max(quota, least), lines: bill.lines, billable: true, ...(tiers ? { tiers } : undefined) }
}

/** Zero usage means: every counter is 0, and no tool was called. */
function isUsed(usage: Usage): boolean {
  const { input, cache_read, cache_write, cache_write_1h, output, characters = 0, seconds = 0, images, calls } = usage
  if (input > 0 || output > 0 || cache_read > 0 || cache_write > 0 || cache_write_1h > 0) return true
  return characters > 0 || seconds > 0 || (images?.n ?? 0) > 0 || Object.values(calls ?? {}).some((n) => n > 0)
}

class Bill {
  readonly lines: ChargeLine[] = []
  readonly total: ExactSum
  private readonly tiers: Multipliers | null
  private readonly places: number

  constructor(tiers: Multipliers | null, places: number) {
    this.tiers = tiers
    this.places = places
    this.total = new ExactSum(places)
  }

  /** Adds a line, with the tiers applied unless `flat`; nothing for a count of 0. */
  add(what: Charged, count: number, rate: Rate | undefined, label?: string, flat = false): void {
    // Also keeps NaN and infinities out, whoever made them.
    if (!(count > 0) || !rate) return
    const counted = Math.min(count, Number.MAX_SAFE_INTEGER)
    const factor = flat ? undefined : this.tiers?.[rate.follows]
    const line: ChargeLine = { what, count: counted, price: rate.text, quota: this.sum(counted, rate, factor) }
    if (label !== undefined) line.label = label
    if (factor && this.tiers && !factor.equals(1)) {
      line.multiplier = factor.toFixed()
      line.tier = this.tiers.names
    }
    this.lines.push(line)
  }

  /** Adds the product, and gives it as a decimal text. */
  private sum(count: number, { unit, steps }: Rate, factor: Exact | undefined): string {
    const product = factor ? undefined : productOf(steps, count)
    if (product !== undefined) {
      this.total.addSteps(product)
      return textOf(product, this.places)
    }
    const exact = factor ? unit.times(count).times(factor) : unit.times(count)
    this.total.add(exact)
    return exact.toFixed()
  }
}

/** Of what has parts the rest is bounded by zero, and a part is charged as it was counted (billing reference, 4.1). */
function addTokens(bill: Bill, { of }: Rates, usage: Usage): void {
  const { input, output, image_in = 0, audio_in = 0, audio_out = 0 } = usage
  bill.add('input', input - image_in - audio_in, of.input)
  bill.add('image_input', image_in, of.image_input)
  bill.add('audio_input', audio_in, of.audio_input)
  bill.add('cache_read', usage.cache_read, of.cache_read)
  bill.add('cache_write', usage.cache_write, of.cache_write)
  bill.add('cache_write_1h', usage.cache_write_1h, of.cache_write_1h)
  bill.add('output', output - audio_out, of.output)
  bill.add('audio_output', audio_out, of.audio_output)
  bill.add('characters', usage.characters ?? 0, of.characters)
  // What was heard or drawn is counted in tokens or by the piece, never both ways.
  if (usage.seconds && input === 0) bill.add('audio_duration', durationTokens(usage.seconds), of.audio_duration)
}

/** A minute of audio stands for 1000 tokens; seconds begun count (billing reference, 4.14). */
export const durationTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * 1000)

function addImages(bill: Bill, price: Price, rates: Rates, { images }: Usage): void {
  if (!images) return
  const multiplier = imageMultiplier(price.image_multipliers, images)
  const label = [images.size, images.quality].filter((part) => part !== undefined).join(' ')
  bill.add('image', images.n, rate(rates.image.times(multiplier)), label === '' ? undefined : label)
}

/** Tools cost the same at every tier (billing reference, 4.10). */
function addTools(bill: Bill, price: Price, rates: Rates, calls: Record<string, number>): void {
  for (const [tool, n] of Object.entries(calls)) {
    const usd = price.tools ? toolPrice(tool, price.tools) : 0
    if (usd > 0) bill.add('tool', n, rate(rates.dollar.times(usd).times('0.001')), tool, true)
  }
}

/** The lines of a charge added up again, exactly: what a session of several charges keeps of each. */
export const exactOf = (lines: readonly Pick<ChargeLine, 'quota'>[]): Exact =>
  lines.reduce((sum, line) => sum.plus(line.quota), ZERO)
