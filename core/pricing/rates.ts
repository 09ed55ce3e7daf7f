// Computes the price of one unit of each component in quota units, once per price and group. Every charge uses these
// rates.
import { memoize } from '../memoize.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import type { PriceComponent, PriceFactors } from './component.ts'
import { PRICE_COMPONENTS, type ComponentName } from './components.ts'
import { ExactNumber, EXACT_ZERO, countDecimalPlaces, toPriceSteps } from './exact.ts'
import type { Price } from './price.ts'
import type { PriceMultipliers } from './tiers.ts'

/** Exact quota units for one, before tiers. `text` is the same number written out, `steps` in steps of all the price's places. */
export interface ComponentRate {
  unit: ExactNumber
  text: string
  steps: number | undefined
}

/** A component with a rate at a price. */
export interface RatedComponent extends Pick<PriceComponent, 'count' | 'kinds' | 'insteadOf' | 'held' | 'follows'> {
  what: ComponentName
  rate: ComponentRate
}

export interface Rates {
  group_ratio: number
  quota_per_unit: number
  /** Decimal places of the finest rate. */
  places: number
  /**
   * The priced components in the order of the table. `held` has those that a call may hold for in reverse order, since
   * the last value wins.
   */
  priced: readonly RatedComponent[]
  held: readonly RatedComponent[]
  of: Partial<Record<ComponentName, ComponentRate>>
}

/** Groups differ, prices last: a few per price. */
const MAX_KEPT = 64

const getPrepared = memoize((_price: Price): Rates[] => [])

export function buildRates(price: Price, groupRatio: number, quotaPerUnit: number): Rates {
  const prepared = getPrepared(price)
  for (const each of prepared) if (each.group_ratio === groupRatio && each.quota_per_unit === quotaPerUnit) return each
  const rates = prepare(price, groupRatio, quotaPerUnit)
  if (prepared.length < MAX_KEPT) prepared.push(rates)
  return rates
}

function prepare(price: Price, group_ratio: number, quota_per_unit: number): Rates {
  const dollar = new ExactNumber(quota_per_unit).times(group_ratio)
  const token = price.kind === 'per_usage' ? new ExactNumber(price.model_ratio).times(group_ratio) : EXACT_ZERO
  const rated = COMPONENT_LIST.flatMap(([what, component]) => {
    const factors = findFactors(component, price)
    return factors ? [{ what, component, rate: buildRate(factors.of === 'ratio' ? token : dollar, factors) }] : []
  })
  const places = Math.max(...rated.map(({ rate: { text } }) => countDecimalPlaces(text)))
  const priced = rated.map(({ what, component, rate: { unit, text } }): RatedComponent => {
    const { count, kinds, held, follows } = component
    const insteadOf = rated.some(({ what: other }) => other === component.insteadOf) ? component.insteadOf : undefined
    return { what, count, kinds, insteadOf, held, follows, rate: { unit, text, steps: toPriceSteps(unit, places) } }
  })
  const of = Object.fromEntries(priced.map(({ what, rate }) => [what, rate]))
  return { group_ratio, quota_per_unit, places, priced, held: priced.filter(({ held }) => held).reverse(), of }
}

const COMPONENT_LIST = Object.entries(PRICE_COMPONENTS) as [ComponentName, PriceComponent][]

/** Returns the factors of a component's price; undefined if the price is part of another component's. */
export function findFactors({ rate: { per_usage, per_call } }: PriceComponent, price: Price): PriceFactors | undefined {
  if (price.kind === 'per_call') return typeof per_call === 'function' ? per_call(price) : undefined
  return typeof per_usage === 'function' ? per_usage(price) : undefined
}

/** `of` times all the factors. */
export const multiplyFactors = (of: ExactNumber, times: readonly number[]): ExactNumber =>
  times.reduce((sum, by) => sum.times(by), of)

/** Quotients that do not end are kept with this many places. */
const PLACES = 12

const buildRate = (of: ExactNumber, { times, over = 1 }: PriceFactors): ComponentRate =>
  rated(
    multiplyFactors(of, times)
      .dividedBy(over)
      .toDecimalPlaces(over === 1 ? undefined : PLACES),
  )

/** A rate for a few things only: it has no steps. */
export const createPlainRate = (of: ExactNumber, times: readonly number[]): ComponentRate =>
  rated(multiplyFactors(of, times))

const rated = (unit: ExactNumber): ComponentRate => ({ unit, text: unit.toFixed(), steps: undefined })

/**
 * Returns true if any component has a price, so that a charge is at least 1. Tools do not count: they are added to the
 * price of the model.
 */
export function hasAnyCost({ priced }: Rates, tiers: PriceMultipliers | null): boolean {
  return priced.some(
    ({ follows, rate: { unit } }) => follows !== null && unit.greaterThan(EXACT_ZERO) && !tiers?.[follows].isZero(),
  )
}

const COUNTERS = COMPONENT_LIST.filter(
  ([, { field, kinds, rate }]) => (field !== undefined || kinds) && rate.per_usage !== 'in_whole',
).map(([, { count }]) => count)

/** Was anything used? Zero usage means: every counter is 0, and no tool was called. */
export function isUsageCounted(usage: Usage): boolean {
  for (const count of COUNTERS) if (count(usage) > 0) return true
  return false
}
