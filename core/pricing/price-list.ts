// Converts a price to the form of price lists: dollars for each component, and the tiers one by one.
import { memoize } from '../memoize.ts'
import type { Operation } from '../models/operation.ts'
import { factorParts, type Tiers, type TimeWindow } from '../settings/price-tiers.ts'
import type { Component, TierFactor, Unit } from './component.ts'
import { COMPONENTS, type ComponentName } from './components.ts'
import { Exact } from './exact.ts'
import type { Price } from './price.ts'
import { findFactors, product } from './rates.ts'

/** The number of units that listed prices refer to. */
const LISTED_PER: Record<Unit, number> = { token: 1_000_000, character: 1_000_000, second: 1, piece: 1, call: 1 }

/** USD of one token at a ratio of 1 (docs/billing.md, 1). */
export const RATIO_DOLLARS = new Exact('0.000002')

/** Displayed digits: periodic ratios are shortened. */
const DIGITS = 9

export interface ListedPrice {
  component: ComponentName
  /** Size or quality. */
  label?: string
  unit: Unit
  per: number
  usd: number
}

/** USD for `per` units of each component that a model of this kind is sold by, before groups and tiers; tools are not in it. */
export function priceList(price: Price, kind: Operation): readonly ListedPrice[] {
  const lists = getLists(price)
  const known = lists.get(kind) ?? buildPriceList(price, kind)
  lists.set(kind, known)
  return known
}

const getLists = memoize((_price: Price) => new Map<Operation, readonly ListedPrice[]>())

function buildPriceList(price: Price, kind: Operation): ListedPrice[] {
  const ratio = price.kind === 'per_usage' ? RATIO_DOLLARS.times(price.model_ratio) : RATIO_DOLLARS
  return (Object.entries(COMPONENTS) as [ComponentName, Component][]).flatMap(([component, declared]) => {
    const factors = findFactors(declared, price)
    if (!factors) return []
    const per = LISTED_PER[declared.unit]
    const one = product(factors.of === 'ratio' ? ratio : new Exact(1), factors.times).dividedBy(factors.over ?? 1)
    return (declared.listKinds?.(price, kind) ?? [['', 1] as const]).map(([label, times]) => ({
      component,
      ...(label === '' ? {} : { label }),
      unit: declared.unit,
      per,
      usd: one.times(times).times(per).toSignificantDigits(DIGITS).toNumber(),
    }))
  })
}

export type ListedTier = { factor: Record<TierFactor, number> } & (
  | { kind: 'prompt'; above: number }
  | { kind: 'service' | 'cache'; name: string }
  | ({ kind: 'time' } & Omit<TimeWindow, 'factor'>)
)

/** The tiers one by one, with what each multiplies. */
export const tierList = ({ prompt = [], service = {}, time = [], cache = {} }: Tiers): ListedTier[] => [
  ...prompt.map(({ above, factor }) => ({ kind: 'prompt' as const, above, factor: factorParts(factor) })),
  ...Object.entries(service).map(([name, factor]) => ({ kind: 'service' as const, name, factor: factorParts(factor) })),
  ...time.map(({ factor, ...window }) => ({ kind: 'time' as const, ...window, factor: factorParts(factor) })),
  ...Object.entries(cache).map(([name, times]) => {
    const factor = { ...factorParts(1), cache_write: times }
    return { kind: 'cache' as const, name, factor }
  }),
]
