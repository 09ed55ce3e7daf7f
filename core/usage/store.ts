// The storage port of usage: it adds sums, and answers queries by summing them up.
import type { UsageRow } from './hours.ts'
import type { UsageSum } from './sums.ts'

/** The dimensions of usage other than time. */
export const USAGE_DIMENSIONS = ['user', 'token', 'team', 'group', 'model', 'channel'] as const
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number]

/** The order of groups, of which the largest are returned; `tokens` are those of prompts and answers. */
export const USAGE_ORDERS = ['quota', 'calls', 'tokens', 'errors', 'cost'] as const
export type UsageOrder = (typeof USAGE_ORDERS)[number]

/** From `from` to before `to`, in epoch seconds; whole quarters of an hour. */
export interface SlotSpan {
  from: number
  to: number
}

export interface UsageQuestion extends SlotSpan {
  /** The start of each step; the first one is `from`. */
  starts: readonly number[]
  by: readonly UsageDimension[]
  /** Filters by id, or by name: a number is an id of a user, team or channel. */
  filters: Partial<Record<UsageDimension, number | string>>
  order: UsageOrder
  /** Maximum number of groups: those with the largest sums of the whole span. */
  limit: number
  /** Count times, too? */
  times: boolean
}

export interface UsageGroup {
  /** Start of its step. */
  at: number
  by: Partial<Record<UsageDimension, number | string>>
  /** In the order of `SUMMED`; of `COUNTED` without times. */
  counts: number[]
}

export interface UsageAnswer {
  /** Sorted by time, then by size, largest first. */
  rows: UsageGroup[]
  /** Sums of the whole query, including groups that are not among the rows. */
  total: number[]
  groups: number
}

/** The usage of a model by all users in successful calls, the charge for it, and calls that had no price. */
export interface ModelUsageSum {
  model: string
  users: number
  calls: number
  /** Calls that were refused because the model has no price; undefined for none. */
  refused?: number
  /** Quota units. */
  charged: number
  /** Tokens that were charged as plain input, as read from a cache, as written to one, and as output. */
  input: number
  cached: number
  written: number
  output: number
}

/** Times in epoch seconds, inclusive; all users if there is none. */
export interface HourFilter {
  user_id?: number
  username?: string
  start_timestamp: number
  end_timestamp: number
}

export interface UsageStore {
  /** Adds to what was written before, here or by other processes. */
  add(sums: readonly UsageSum[]): Promise<void>
  /** Replaces the sums of a span. */
  replace(span: SlotSpan, sums: readonly UsageSum[]): Promise<void>
  /** Calls that are counted in a span. */
  calls(span: SlotSpan): Promise<number>
  ask(question: UsageQuestion): Promise<UsageAnswer>
  models(span: SlotSpan): Promise<ModelUsageSum[]>
  /** Returns the names of the rows with these ids, deleted ones included; an id that never existed is missing. */
  names(dimension: UsageDimension, ids: readonly number[]): Promise<Map<number, string>>
  /** Returns the sums by model and hour, oldest first: of one user, or of all. */
  hours(filter: HourFilter): Promise<UsageRow[]>
}
