import type { Page, Slice } from '../contract/page.ts'
import type { LogEntry, LogFilter, LogStatistics, NewLogEntry } from './log.ts'

/** Rows that belong to a charge are written by the ledger's store, in the charge's own transaction. */
export interface LogStore {
  insert(entries: NewLogEntry[]): Promise<void>
  /** Newest first, channel names joined in. */
  list(filter: LogFilter, slice: Slice): Promise<Page<LogEntry>>
  /** Every row of these calls, by request id, oldest first. */
  ofRequests(requestIds: string[]): Promise<LogEntry[]>
  /** `now` in epoch seconds: rpm and tpm look at the 60 seconds before it, whatever range the filter has. */
  statistics(filter: LogFilter, now: number): Promise<LogStatistics>
}
