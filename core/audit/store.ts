import type { RowPage, ListSlice } from '../contract/page.ts'
import type { AuditRow, NewAuditRow } from './audit.ts'

/** A filter of rows; times in epoch seconds, inclusive; 0 and the empty text do not filter. */
export interface AuditFilter {
  /** `noun.verb`, or a noun alone for all that was done to it. */
  action: string
  target: string
  user_id: number
  username?: string
  start_timestamp: number
  end_timestamp: number
}

/** Writes audit rows inside the transaction of the change that they describe, and nowhere else. */
export interface AuditWriter {
  insert(rows: readonly NewAuditRow[]): Promise<void>
}

export interface AuditStore {
  /** Newest first. */
  list(filter: AuditFilter, slice: ListSlice): Promise<RowPage<AuditRow>>
}
