// A model of the price list as one group pays for it.
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { componentOf } from '../../../core/pricing/components.ts'
import { PER_CALL } from '../../../core/pricing/display.ts'
import type { AnswerTimes } from './use-answer-times.ts'

export type Tier = PricedModel['tiers'][number]
export type Line = PricedModel['prices'][number]

/** Dollars for so many of one component, or nothing where it has no price of its own. */
export const lineOf = ({ prices }: PricedModel, component: string): Line | undefined =>
  prices.find((line) => line.component === component && !line.label)

/** What a line costs a group, in a tier where one is said. Unit: USD. */
export function usdOf(line: Line, groupRatio: number, tier?: Tier): number {
  const follows = componentOf(line.component)?.follows
  return line.usd * groupRatio * (tier && follows ? tier.factor[follows] : 1)
}

/** What a list is sorted by: a call, or a million tokens read. Unit: USD. */
export function firstPrice(model: PricedModel, groupRatio: number): number {
  if (model.quota_type === PER_CALL) return model.model_price * groupRatio
  const line = lineOf(model, 'input') ?? model.prices[0]
  return line ? usdOf(line, groupRatio) : 0
}

export const isOpenTo = ({ enable_groups }: PricedModel, group: string): boolean => enable_groups.includes(group)

/** Models whose name begins with gpt first, then by name. */
const usual = (a: PricedModel, b: PricedModel): number =>
  Number(b.model_name.startsWith('gpt')) - Number(a.model_name.startsWith('gpt')) ||
  a.model_name.localeCompare(b.model_name)

type Compare = (a: PricedModel, b: PricedModel) => number

interface Order {
  /** The name of a column, `-` for downwards; without one what the group can call comes first. */
  by: string
  group: string
  groupRatio: number
  times: AnswerTimes
}

export function sorted(models: readonly PricedModel[], { by, group, groupRatio, times }: Order): PricedModel[] {
  const timeOf = ({ model_name }: PricedModel) => times.get(model_name) ?? Infinity
  const columns: Record<string, Compare> = {
    available: (a, b) => Number(isOpenTo(b, group)) - Number(isOpenTo(a, group)),
    name: (a, b) => a.model_name.localeCompare(b.model_name),
    billing: (a, b) => a.quota_type - b.quota_type,
    time: (a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(a) - timeOf(b)),
    price: (a, b) => firstPrice(a, groupRatio) - firstPrice(b, groupRatio),
  }
  const compare = columns[by.replace(/^-/, '')] ?? columns['available']!
  const way = by.startsWith('-') ? -1 : 1
  return [...models].sort((a, b) => way * compare(a, b) || usual(a, b))
}
