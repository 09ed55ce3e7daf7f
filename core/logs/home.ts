// A second place for rows of the log, such as a column store or files, in which storage and sums are cheaper than in
// the database. The database takes every row with its charge; rows are moved in the order of their ids (`follower.ts`),
// and queries read both places (`two-places.ts`).
import type { RowPage, ListSlice } from '../contract/page.ts'
import type { StoredLogRow, LogEntry } from '../calls/log-entry.ts'
import type { ExpiredRows, LogFilter, LogStatistics } from './log.ts'

/** A filter by the columns of the rows: users by id, teams by their tokens. */
export interface RowFilter extends Omit<LogFilter, 'username' | 'team_id'> {
  /** Any of these. */
  token_ids?: readonly number[]
}

/** The sums of one UTC day, for comparison with another place. */
export interface DaySum {
  /** Start of the day, in epoch seconds. */
  day: number
  rows: number
  /** Quota units. */
  quota: number
  tokens: number
}

/** Behind `from`, up to `to`. */
export interface IdSpan {
  from: number
  to: number
}

/** Questions to the rows up to an id, as `LogStore` has them; channels have no names here. */
export interface LogHomeQueries {
  /** `total` is counted up to `MAX_COUNTED_TOTAL`; in another order than by time up to one more than `MAX_SORTED_ROWS`. */
  list(filter: RowFilter, slice: ListSlice): Promise<RowPage<StoredLogRow>>
  newest(filter: RowFilter, limit: number, row?: Pick<LogEntry, 'created_at' | 'id'>): Promise<StoredLogRow[]>
  search(keyword: string, limit: number): Promise<StoredLogRow[]>
  oldest(): Promise<number | null>
  after(id: number, limit: number, only?: { filter: RowFilter; until: number }): Promise<StoredLogRow[]>
  newestIds(limit: number): Promise<Pick<LogEntry, 'id' | 'created_at'>[]>
  extent(outdated: ExpiredRows): Promise<{ rows: number; oldest: number; newest: number }>
  ofRequests(requestIds: readonly string[]): Promise<StoredLogRow[]>
  statistics(filter: RowFilter, now: number): Promise<LogStatistics>
  /** Returns the sums by day, oldest first. */
  days(): Promise<DaySum[]>
}

export interface LogHome {
  /** Its address as people may see it, without what is secret; another one is another home. */
  readonly name: string
  /** It takes rows that are at least so old, in seconds, whole days of UTC at once; 0 for all, as they come. */
  readonly age: number
  /** Rows that it takes best at once. */
  readonly batch: number
  /** Makes what is missing. @throws StartError where it cannot be used at all */
  prepare(): Promise<void>
  /** Takes rows of this span, by their ids. The same span again changes nothing, where nothing else came between. */
  append(rows: readonly StoredLogRow[], span: IdSpan): Promise<void>
  count(span: IdSpan): Promise<number>
  remove(span: IdSpan): Promise<void>
  upTo(id: number): LogHomeQueries
  /** Removes all of them; gives how many. */
  deleteOutdated(outdated: ExpiredRows): Promise<number>
  close(): Promise<void>
}

/** How far a home is. */
export interface LogHomeProgress {
  /** Rows up to this id are there, and are read there. */
  place: number
  /** Rows up to this id are being moved; equal to `place` if none are. */
  pending: number
}

/** The state of log homes that the database stores. */
export interface LogHomeStates {
  /** Returns the place of a home. A new home, or one that was left, starts before the first row. */
  of(home: string): Promise<LogHomeProgress>
  /** Homes that have rows. */
  inUse(): Promise<{ home: string; place: number }[]>
  /**
   * Makes it the active home. If it has all rows up to its place, other homes are left; otherwise returns those with
   * rows that it may lack.
   */
  begin(home: string): Promise<{ home: string; place: number }[]>
  /**
   * Takes the lease to move rows there, for `ms` by the database's time; null if another process has it, or the home
   * was left.
   */
  claim(home: string, owner: string, ms: number): Promise<LogHomeProgress | null>
  /** Moves the place, for the lease owner only; false if the place has changed since it was read. */
  move(home: string, owner: string, was: LogHomeProgress, now: LogHomeProgress): Promise<boolean>
  /** Records that it was verified to have all rows up to its place. */
  isWhole(home: string): Promise<void>
  /** Records that its rows are being moved back. Nothing is removed from the database until that is finished. */
  comeBack(home: string): Promise<void>
  /** Records that the home is no longer used. All of its rows are elsewhere. */
  leave(home: string): Promise<void>
  /** Returns an id up to which every home has the rows; 0 if there is none, or if rows of one are moved back. */
  reached(): Promise<number>
}
