// Converts a price to the form of price lists: dollars for each component, and the tiers one by one.
import { memoize } from '../memoize.ts'
import type { Operation } from '../models/operation.ts'
import { expandTierFactor, type PriceTierRules, type TimeWindow } from '../settings/price-tiers.ts'
import type { PriceComponent, TierFactor, PriceUnit } from './component.ts'
import { PRICE_COMPONENTS, type ComponentName } from './components.ts'
import { ExactNumber } from './exact.ts'
import type { Price } from './price.ts'
import { findFactors, multiplyFactors } from './rates.ts'

/** The number of units that listed prices refer to. */
const LISTED_PER: Record<PriceUnit, number> = { token: 1_000_000, character: 1_000_000, second: 1, piece: 1, call: 1 }

/** USD of one token at a ratio of 1 (docs/billing.md, 1). */
export const DOLLARS_PER_RATIO = new ExactNumber('0.000002')

/** Displayed digits: periodic ratios are shortened. */
const DIGITS = 9

export interface ListedPrice {
  component: ComponentName
  /** Size or quality. */
  label?: string
  unit: PriceUnit
  per: number
  usd: number
}

/** USD for `per` units of each component that a model of this kind is sold by, before groups and tiers; tools are not in it. */
export function listModelPrices(price: Price, kind: Operation): readonly ListedPrice[] {
  const lists = getLists(price)
  const known = lists.get(kind) ?? buildPriceList(price, kind)
  lists.set(kind, known)
  return known
}

const getLists = memoize((_price: Price) => new Map<Operation, readonly ListedPrice[]>())

function buildPriceList(price: Price, kind: Operation): ListedPrice[] {
  const ratio = price.kind === 'per_usage' ? DOLLARS_PER_RATIO.times(price.model_ratio) : DOLLARS_PER_RATIO
  return (Object.entries(PRICE_COMPONENTS) as [ComponentName, PriceComponent][]).flatMap(([component, declared]) => {
    const factors = findFactors(declared, price)
    if (!factors) return []
    const per = LISTED_PER[declared.unit]
    const one = multiplyFactors(factors.of === 'ratio' ? ratio : new ExactNumber(1), factors.times).dividedBy(
      factors.over ?? 1,
    )
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
export const buildTierList = ({ prompt = [], service = {}, time = [], cache = {} }: PriceTierRules): ListedTier[] => [
  ...prompt.map(({ above, factor }) => ({ kind: 'prompt' as const, above, factor: expandTierFactor(factor) })),
  ...Object.entries(service).map(([name, factor]) => ({
    kind: 'service' as const,
    name,
    factor: expandTierFactor(factor),
  })),
  ...time.map(({ factor, ...window }) => ({ kind: 'time' as const, ...window, factor: expandTierFactor(factor) })),
  ...Object.entries(cache).map(([name, times]) => {
    const factor = { ...expandTierFactor(1), cache_write: times }
    return { kind: 'cache' as const, name, factor }
  }),
]
