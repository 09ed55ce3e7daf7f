// The storage of log rows in the database, and of its tables by month.
import type { RowPage, ListSlice } from '../contract/page.ts'
import type { StoredLogRow, LogEntry, NewLogEntry } from '../calls/log-entry.ts'
import type { DaySum, IdSpan, RowFilter } from './home.ts'
import type { ExpiredRows, LogFilter, LogStatistics } from './log.ts'

/** Rows that belong to a charge are written by the ledger's store, in the charge's own transaction. */
export interface LogStore {
  insert(entries: NewLogEntry[]): Promise<void>
  /** Newest first, channel names joined in. Counts up to LARGEST_TOTAL. */
  list(filter: LogFilter, slice: ListSlice): Promise<RowPage<LogEntry>>
  /** At most `limit` rows, newest first; only those after `row` in this order, if one is given. */
  newest(filter: LogFilter, limit: number, row?: Pick<LogEntry, 'created_at' | 'id'>): Promise<LogEntry[]>
  /** Rows whose type the keyword is, or whose content begins with it, among the newest ones; newest first. */
  search(keyword: string, limit: number): Promise<LogEntry[]>
  /** Returns the time of the oldest row, in epoch seconds; null if there is none. */
  oldest(): Promise<number | null>
  /** Rows behind an id up to another, oldest first. */
  after(id: number, limit: number, only?: { filter: LogFilter; until: number }): Promise<LogEntry[]>
  /** The newest rows, the newest first. */
  newestIds(limit: number): Promise<Pick<LogEntry, 'id' | 'created_at'>[]>
  /**
   * Returns the number of expired rows, with the times of the first and the last (epoch seconds; 0 if there are none).
   */
  extent(outdated: ExpiredRows): Promise<{ rows: number; oldest: number; newest: number }>
  /** Deletes at most `limit` rows; gives how many. */
  deleteOutdated(outdated: ExpiredRows, limit: number): Promise<number>
  /** Every row of these calls, by request id, oldest first. */
  ofRequests(requestIds: string[]): Promise<LogEntry[]>
  /**
   * Returns the statistics at `now`, in epoch seconds. rpm and tpm cover the 60 seconds before it, whatever the range
   * of the filter.
   */
  statistics(filter: LogFilter, now: number): Promise<LogStatistics>
}

export interface MonthsState {
  /** Tables that the log has; 0 while it is one. */
  months: number
  /** Progress of building the partitions, in percent. */
  divided: number
}

/** Rows in a table for each month, where the database has such. */
export interface MonthlyLogTables {
  /** Divides a log that is one table yet, while it is written and read, and makes the tables of the months to come. */
  keep(): Promise<void>
  /** Takes away months that are over before that time (epoch seconds), with all of their rows; gives how many. */
  drop(before: number): Promise<number>
  state(): Promise<MonthsState>
}

/** The rows in the database, where every row is written first. */
export interface DatabaseLogRows extends LogStore {
  /** Those with larger ids alone. */
  behind(id: number): LogStore
  named(rows: readonly StoredLogRow[]): Promise<LogEntry[]>
  /** Returns null if no account has the name. */
  rowFilter(filter: LogFilter): Promise<RowFilter | null>
  /** Returns an id up to which no row will be added, so that all rows up to it can be read. It may increase. */
  settledId(): Promise<number>
  /** Removes at most `limit` rows up to an id. Returns their number. */
  removeUpTo(id: number, limit: number): Promise<number>
  /** Returns the sums by day of UTC, oldest first. */
  days(span: IdSpan): Promise<DaySum[]>
  /** Restores rows that were moved. Existing rows stay as they are. */
  restore(rows: readonly StoredLogRow[]): Promise<void>
  /** Absent on a database that has no such tables. */
  months?: MonthlyLogTables
}
