// What a call cost: usage and price become quota units. The only rounding in Weir is here.
import type { Usage } from '../dialects/dialect.ts'
import { ExactDecimal } from './exact-decimal.ts'
import type { Price } from './price.ts'

/** One line of a charge, to explain its number. `price` is quota units for one, `quota` the exact product, both decimal texts. */
export interface ChargeLine {
  what: 'input' | 'cache_read' | 'cache_write' | 'cache_write_1h' | 'output' | 'call'
  count: number
  price: string
  quota: string
}

export interface Charge {
  /** Quota units, an integer. */
  quota: number
  lines: ChargeLine[]
  /** False when nothing at all was used: then no counter moves. */
  billable: boolean
}

/** A one-hour cache write against a five-minute one: the quotient of Anthropic's list prices, 6 / 3.75. */
const ONE_HOUR_FACTOR = '1.6'

/**
 * Charges usage at a price (billing reference, sections 4.1-4.3, 4.8 and 5): exact decimals, one rounding half away
 * from zero at the end, at least 1 where anything billable was used at a rate above 0.
 */
export function charge(price: Price, groupRatio: number, usage: Usage, quotaPerUnit: number): Charge {
  const used = usage.input + usage.cache_read + usage.cache_write + usage.cache_write_1h + usage.output > 0
  if (!used) return { quota: 0, lines: [], billable: false }
  const rates = ratesOf(price, groupRatio, quotaPerUnit)
  const counts: Record<ChargeLine['what'], number> = { ...pick(usage), call: 1 }
  const lines: ChargeLine[] = []
  let total = new ExactDecimal(0)
  for (const [what, rate] of rates) {
    const count = Math.max(0, counts[what])
    if (count === 0) continue
    const quota = rate.times(count)
    total = total.plus(quota)
    lines.push({ what, count, price: rate.toFixed(), quota: quota.toFixed() })
  }
  return { quota: rounded(total, rates), lines, billable: true }
}

function pick({ input, cache_read, cache_write, cache_write_1h, output }: Usage) {
  return { input, cache_read, cache_write, cache_write_1h, output }
}

/** Quota units for one of each thing a price charges for. */
function ratesOf(price: Price, groupRatio: number, quotaPerUnit: number): [ChargeLine['what'], ExactDecimal][] {
  if (price.kind === 'per_call')
    return [['call', new ExactDecimal(price.model_price).times(quotaPerUnit).times(groupRatio)]]
  const input = new ExactDecimal(price.model_ratio).times(groupRatio)
  const write = input.times(price.create_cache_ratio)
  return [
    ['input', input],
    ['cache_read', input.times(price.cache_ratio)],
    ['cache_write', write],
    ['cache_write_1h', write.times(ONE_HOUR_FACTOR)],
    ['output', input.times(price.completion_ratio)],
  ]
}

function rounded(total: ExactDecimal, rates: [string, ExactDecimal][]): number {
  const quota = total.toDecimalPlaces(0, ExactDecimal.ROUND_HALF_UP)
  if (quota.isZero()) return rates.some(([, rate]) => rate.greaterThan(0)) ? 1 : 0
  return quota.greaterThan(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : quota.toNumber()
}
