// Compares a catalogue with the current prices, and estimates the effect of the change on recent bills.
import { charge } from '../pricing/charge.ts'
import { ExactNumber, toWholeQuota } from '../pricing/exact.ts'
import { listPriceNames } from '../pricing/pattern.ts'
import { listModelNameVariants, type Price } from '../pricing/price.ts'
import { findPrice } from '../pricing/price-book.ts'
import { listModelPrices, buildTierList } from '../pricing/price-list.ts'
import { hashVersion } from '../pricing/price-version.ts'
import { getModelKind } from '../models/model-facts.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { findStoredPrice } from '../settings/stored-price.ts'
import type { ModelUsageSum } from '../usage/store.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { mergeStoredPrice, buildCallPrice } from './merge.ts'

export const PRICE_DIFFERENCE_STATUSES = ['new', 'changed', 'same', 'only_here'] as const
type Status = (typeof PRICE_DIFFERENCE_STATUSES)[number]

/** A lookup of a catalogue by the names that a model may have in it: its own first. */
export function createEntryFinder(entries: readonly CatalogueEntry[]): (model: string) => CatalogueEntry | undefined {
  const byName = new Map(entries.map((entry) => [entry.model, entry]))
  return (model) =>
    [...listModelNameVariants(model), ...listPriceNames(model)]
      .map((name) => byName.get(name))
      .find((entry) => entry !== undefined)
}

export interface PriceComparison {
  status: Status
  /** Changes with what is stored of the model. */
  version: string
  /** The components of the price and the kinds of tiers that differ. */
  differs: string[]
  now: Price | null
  there: Price | null
  /** The price to store. */
  to: PriceFields | null
}

/** @param entry what the catalogue says; undefined where it does not know the model */
export function compareModelPrices(
  model: string,
  entry: CatalogueEntry | undefined,
  settings: Settings,
): PriceComparison {
  const of = { channel: '', model }
  const version = hashVersion(findStoredPrice(of, settings))
  const now = findPrice(model, settings, false)
  if (!entry) return { status: 'only_here', version, differs: [], now, there: null, to: null }
  const to = mergeStoredPrice(of, entry.price, settings)
  const there = buildCallPrice(model, to, settings)
  const differs = findDifferences(model, now, there)
  const status = !now ? 'new' : differs.length === 0 ? 'same' : 'changed'
  return { status, version, differs, now, there, to }
}

/** Names of components and kinds of tiers that differ. */
export function findDifferences(model: string, now: Price | null, there: Price | null): string[] {
  if (!now || !there) return []
  const [here, proposed] = [shown(model, now), shown(model, there)]
  return [...new Set([...here.keys(), ...proposed.keys()])].filter((name) => here.get(name) !== proposed.get(name))
}

/** Returns the displayed price by name: digits beyond those of a price list are no difference. */
function shown(model: string, price: Price): Map<string, string> {
  const parts = new Map<string, string>()
  const add = (name: string, part: object) => parts.set(name, (parts.get(name) ?? '') + JSON.stringify(part))
  for (const { component, label, usd } of listModelPrices(price, getModelKind(model)))
    add(component, [label, usd.toPrecision(6)])
  for (const { factor, ...tier } of buildTierList(price.tiers ?? {}))
    add(`tiers.${tier.kind}`, [tier, Object.values(factor).map((number) => number.toPrecision(6))])
  return parts
}

const NO_BILLS = { users: 0, calls: 0, charged: 0, would_charge: 0 }

/**
 * Returns the users charged for the model and the exact sum, and an estimate of the sum at the other price: the charge
 * times the ratio of the cost of all tokens at the two prices. The estimate includes the groups' ratios and cached and
 * written tokens; tiers, audio, pictures and a one-hour cache count as plain tokens.
 */
export function estimateBills(
  use: ModelUsageSum | undefined,
  { now, there }: Pick<PriceComparison, 'now' | 'there'>,
  unit: number,
) {
  if (!use) return NO_BILLS
  const { users, charged } = use
  const calls = use.calls + (use.refused ?? 0)
  if (!there || !now)
    return { users, calls, charged, would_charge: there ? toWholeQuota(cost(there, { ...use, calls }, unit)) : charged }
  const before = cost(now, use, unit)
  const after = cost(there, use, unit)
  const would = before.isZero() ? after : after.times(charged).dividedBy(before)
  return { users, calls, charged, would_charge: toWholeQuota(would) }
}

/** Without tiers: the prompts of many calls together are longer than any of them. */
function cost(whole: Price, { calls, input, cached, written, output }: ModelUsageSum, unit: number): ExactNumber {
  const { tiers: _, ...price } = whole
  if (price.kind === 'per_call') return new ExactNumber(price.model_price).times(unit).times(calls)
  const none = { cache_write_1h: 0, reasoning: 0, source: 'reported' as const }
  const usage = { ...none, input, cache_read: cached, cache_write: written, output }
  const { lines } = charge(price, 1, usage, unit)
  return lines.reduce((sum, { quota }) => sum.plus(quota), new ExactNumber(0))
}
