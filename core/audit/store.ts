import type { Page, Slice } from '../contract/page.ts'
import type { AuditRow, NewAuditRow } from './audit.ts'

/** Which rows; times in epoch seconds, inclusive; 0 and the empty text do not filter. */
export interface AuditFilter {
  /** `noun.verb`, or a noun alone for all that was done to it. */
  action: string
  target: string
  user_id: number
  username?: string
  start_timestamp: number
  end_timestamp: number
}

/** Rows are written inside the transaction of the change they tell of, and nowhere else. */
export interface AuditWriter {
  insert(rows: NewAuditRow[]): Promise<void>
}

export interface AuditStore {
  /** Newest first. */
  list(filter: AuditFilter, slice: Slice): Promise<Page<AuditRow>>
}
