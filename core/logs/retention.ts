// How long which rows of the log are kept.
import { LOG_TYPE } from '../calls/log-entry.ts'
import type { Settings } from '../settings/index.ts'

const DAY = 86_400

/** The types of rows with a common retention: charges, failures, and account events other than calls. */
export const LOG_KINDS = {
  calls: [LOG_TYPE.consumption, LOG_TYPE.unknown],
  errors: [LOG_TYPE.error],
  events: [LOG_TYPE.topup, LOG_TYPE.admin, LOG_TYPE.system],
} as const satisfies Record<string, readonly number[]>
export type LogKind = keyof typeof LOG_KINDS
export const LOG_KIND_NAMES = Object.keys(LOG_KINDS) as [LogKind, ...LogKind[]]

/** Rows that go: those older than `before`, in epoch seconds. */
export interface ExpiredRows {
  before: number
  /** Only rows of these types; undefined for all. */
  types?: readonly number[]
  /** Older ones are gone already, in epoch seconds. */
  from?: number
  /** Only rows of this user. */
  user_id?: number
}

/** Returns the start of the retention of each kind, in epoch seconds; 0 to keep all rows. */
export function getRetentionStart(settings: Settings, now: number): Record<LogKind, number> {
  const { LogRetentionDays: all, 'log.error_days': errors, 'log.event_days': events } = settings
  const since = (days: number) => (days > 0 ? now - days * DAY : 0)
  return { calls: since(all), errors: since(errors || all), events: since(events || all) }
}

/** Returns the expired rows. If all kinds have the same retention, they form a single group. */
export function outdatedRows(starts: Record<LogKind, number>): ExpiredRows[] {
  const [first, ...others] = LOG_KIND_NAMES.map((kind) => starts[kind])
  if (others.every((before) => before === first)) return first ? [{ before: first }] : []
  return LOG_KIND_NAMES.filter((kind) => starts[kind] > 0).map((kind) => ({
    before: starts[kind],
    types: LOG_KINDS[kind],
  }))
}

/**
 * Returns the time before which rows of every kind and user are removed, in epoch seconds; 0 if some are kept for ever.
 */
export function allGoBefore(outdated: readonly ExpiredRows[]): number {
  const ofEverybody = outdated.filter(({ user_id }) => user_id === undefined)
  const times = LOG_KIND_NAMES.flatMap((kind) => LOG_KINDS[kind]).map((type) =>
    Math.max(0, ...ofEverybody.filter(({ types }) => types?.includes(type) ?? true).map(({ before }) => before)),
  )
  return Math.min(...times)
}
