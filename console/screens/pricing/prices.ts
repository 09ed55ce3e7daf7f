// A model of the price list with the prices of one group.
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { findComponent } from '../../../core/pricing/components.ts'
import { PRICED_PER_CALL } from '../../../core/pricing/display.ts'
import type { AnswerTimes } from './use-answer-times.ts'

export type PriceTier = PricedModel['tiers'][number]
export type ListedPriceLine = PricedModel['prices'][number]

/** Returns the line of one component; undefined if it has no separate price. */
export const findComponentLine = ({ prices }: PricedModel, component: string): ListedPriceLine | undefined =>
  prices.find((line) => line.component === component && !line.label)

/** Returns the price of a line for a group, in a tier if one is given, in USD. */
export function getGroupPrice(line: ListedPriceLine, groupRatio: number, tier?: PriceTier): number {
  const follows = findComponent(line.component)?.follows
  return line.usd * groupRatio * (tier && follows ? tier.factor[follows] : 1)
}

/** Returns the price that a list is sorted by: per call, or per 1M input tokens, in USD. */
export function getFirstPrice(model: PricedModel, groupRatio: number): number {
  if (model.quota_type === PRICED_PER_CALL) return model.model_price * groupRatio
  const line = findComponentLine(model, 'input') ?? model.prices[0]
  return line ? getGroupPrice(line, groupRatio) : 0
}

export const isOpenTo = ({ enable_groups }: PricedModel, group: string): boolean => enable_groups.includes(group)

/** Orders models whose name begins with gpt first, then by name. */
const usual = (a: PricedModel, b: PricedModel): number =>
  Number(b.model_name.startsWith('gpt')) - Number(a.model_name.startsWith('gpt')) ||
  a.model_name.localeCompare(b.model_name)

type Compare = (a: PricedModel, b: PricedModel) => number

interface Order {
  /** Name of a column, with a leading `-` for descending; without one, models that the group can call come first. */
  by: string
  group: string
  groupRatio: number
  times: AnswerTimes
}

export function sortPricedModels(
  models: readonly PricedModel[],
  { by, group, groupRatio, times }: Order,
): PricedModel[] {
  const getTime = ({ model_name }: PricedModel) => times.get(model_name) ?? Infinity
  const columns: Record<string, Compare> = {
    available: (a, b) => Number(isOpenTo(b, group)) - Number(isOpenTo(a, group)),
    name: (a, b) => a.model_name.localeCompare(b.model_name),
    billing: (a, b) => a.quota_type - b.quota_type,
    time: (a, b) => (getTime(a) === getTime(b) ? 0 : getTime(a) - getTime(b)),
    price: (a, b) => getFirstPrice(a, groupRatio) - getFirstPrice(b, groupRatio),
  }
  const compare = columns[by.replace(/^-/, '')] ?? columns['available']!
  const way = by.startsWith('-') ? -1 : 1
  return [...models].sort((a, b) => way * compare(a, b) || usual(a, b))
}
