import type { Page, Slice } from '../contract/page.ts'
import type { AuditRow, NewAuditRow } from './audit.ts'

/** Which rows; times in epoch seconds, inclusive; 0 and the empty text do not filter. */
export interface AuditFilter {
  action: string
  target: string
  user_id: number
  start_timestamp: number
  end_timestamp: number
}

export interface AuditStore {
  insert(rows: NewAuditRow[]): Promise<void>
  /** Newest first. */
  list(filter: AuditFilter, slice: Slice): Promise<Page<AuditRow>>
}
