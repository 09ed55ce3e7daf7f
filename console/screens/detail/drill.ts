// Links from a chart or a row of numbers to the calls themselves.
import { LOG_ROW_TYPE } from '../../../core/calls/log-entry.ts'
import type { UsageDimension, UsageFilters, UsagePeriod } from './usage.ts'

/** Filter names of the log: it filters channels by id and the others by name, and has no filter for teams. */
const NAMES: Partial<Record<UsageDimension, string>> = {
  model: 'model_name',
  token: 'token_name',
  group: 'group',
  user: 'username',
  channel: 'channel',
}

interface CallQuery extends UsagePeriod {
  filters: Partial<UsageFilters>
  /** Only failed calls. */
  failed?: boolean
}

export function buildLogAddress({ from, to, filters, failed }: CallQuery): string {
  const query = new URLSearchParams({ span: 'own', start: String(from), end: String(to - 1) })
  for (const [dimension, value] of Object.entries(filters)) {
    const name = NAMES[dimension as UsageDimension]
    if (name && value !== '' && (name !== 'channel' || /^\d+$/.test(value))) query.set(name, value)
  }
  if (failed) query.set('type', String(LOG_ROW_TYPE.error))
  return `/log?${query.toString()}`
}
