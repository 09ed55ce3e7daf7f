// Tests whether a row in memory matches a filter, with the same result as the database (`LogFilter`).
import { keptText } from '../calls/log-columns.ts'
import type { LogEntry } from '../calls/log-entry.ts'
import type { LogFilter } from './log.ts'
import { createModelMatcher } from './model-filter.ts'

/** Users are named by id here; what is 0, empty or absent does not filter. */
export function rowMatcher(filter: Omit<LogFilter, 'username' | 'team_id'>): (row: LogEntry) => boolean {
  const { start_timestamp = 0, end_timestamp, model_name = '', ...equal } = filter
  const same = Object.entries(equal)
    .filter(([, value]) => value)
    .map(
      ([name, value]) => [name, typeof value === 'string' ? keptText(name, value) : value] as [keyof LogEntry, unknown],
    )
  const matchesModel = createModelMatcher(model_name)
  return (row) =>
    same.every(([name, value]) => (Array.isArray(value) ? value.includes(row[name]) : row[name] === value)) &&
    matchesModel(row) &&
    row.created_at >= start_timestamp &&
    (!end_timestamp || row.created_at <= end_timestamp)
}
