// From what a chart or a row counts to the calls themselves.
import { LOG_TYPE } from '../../../core/calls/log-entry.ts'
import type { Dimension, Filters, Period } from './usage.ts'

/** What the log calls it; it knows channels by their ids, the others by name, and no teams. */
const NAMES: Partial<Record<Dimension, string>> = {
  ...{ model: 'model_name', token: 'token_name', group: 'group', user: 'username', channel: 'channel' },
}

interface Wanted extends Period {
  filters: Partial<Filters>
  /** Only those that gave nothing. */
  failed?: boolean
}

export function logAddress({ from, to, filters, failed }: Wanted): string {
  const asked = new URLSearchParams({ span: 'own', start: String(from), end: String(to - 1) })
  for (const [dimension, value] of Object.entries(filters)) {
    const name = NAMES[dimension as Dimension]
    if (name && value !== '' && (name !== 'channel' || /^\d+$/.test(value))) asked.set(name, value)
  }
  if (failed) asked.set('type', String(LOG_TYPE.error))
  return `/log?${asked.toString()}`
}
