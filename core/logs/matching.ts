// Does a row of the log belong to a filter? The same as the database says of it (`LogFilter`), for rows that are at hand.
import type { LogEntry } from '../calls/log-entry.ts'
import type { LogFilter } from './log.ts'

/** Users are named by id here; what is 0, empty or absent does not filter. */
export function rowMatcher(filter: Omit<LogFilter, 'username' | 'team_id'>): (row: LogEntry) => boolean {
  const { start_timestamp = 0, end_timestamp, model_name = '', ...equal } = filter
  const same = Object.entries(equal).filter(([, value]) => value) as [keyof LogEntry, unknown][]
  const model = modelMatcher(model_name)
  return (row) =>
    same.every(([name, value]) => row[name] === value) &&
    model(row.model_name) &&
    row.created_at >= start_timestamp &&
    (!end_timestamp || row.created_at <= end_timestamp)
}

/** `%` stands for anything. */
function modelMatcher(pattern: string): (name: string) => boolean {
  if (pattern === '') return () => true
  if (!pattern.includes('%')) return (name) => name === pattern
  const parts = pattern.split('%').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const whole = new RegExp(`^${parts.join('.*')}$`, 's')
  return (name) => whole.test(name)
}
