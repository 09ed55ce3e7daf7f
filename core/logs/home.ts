// A second place for rows of the log, where they are cheaper to keep and quicker to sum up than in the database: a column store,
// or files. The database takes every row with its charge; rows are moved on in the order of their ids (`follower.ts`), and what
// is asked of the log is answered from both (`two-places.ts`).
import type { Page, Slice } from '../contract/page.ts'
import type { KeptRow, LogEntry } from '../calls/log-entry.ts'
import type { LogFilter, LogStatistics } from './log.ts'
import type { ExpiredRows } from './retention.ts'

/** A filter by what stands in the rows: people by their id, teams by their tokens. */
export interface RowFilter extends Omit<LogFilter, 'username' | 'team_id'> {
  /** Any of these. */
  token_ids?: readonly number[]
}

/** What there is of a day of UTC, to be compared with another place. */
export interface DaySum {
  /** Its beginning, in epoch seconds. */
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
export interface HomeQuestions {
  /** `total` is counted up to `LARGEST_TOTAL`; in another order than by time up to one more than `LARGEST_SORTED`. */
  list(filter: RowFilter, slice: Slice): Promise<Page<KeptRow>>
  newest(filter: RowFilter, limit: number, row?: Pick<LogEntry, 'created_at' | 'id'>): Promise<KeptRow[]>
  search(keyword: string, limit: number): Promise<KeptRow[]>
  oldest(): Promise<number | null>
  after(id: number, limit: number, only?: { filter: RowFilter; until: number }): Promise<KeptRow[]>
  newestIds(limit: number): Promise<Pick<LogEntry, 'id' | 'created_at'>[]>
  extent(outdated: ExpiredRows): Promise<{ rows: number; oldest: number; newest: number }>
  ofRequests(requestIds: readonly string[]): Promise<KeptRow[]>
  statistics(filter: RowFilter, now: number): Promise<LogStatistics>
  /** By day, the oldest first. */
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
  append(rows: readonly KeptRow[], span: IdSpan): Promise<void>
  count(span: IdSpan): Promise<number>
  remove(span: IdSpan): Promise<void>
  upTo(id: number): HomeQuestions
  /** Removes all of them; gives how many. */
  deleteOutdated(outdated: ExpiredRows): Promise<number>
  close(): Promise<void>
}

/** How far a home is. */
export interface HomePlace {
  /** Rows up to this id are there, and are asked for there. */
  place: number
  /** Rows up to this one are being brought; it is `place` where none are. */
  pending: number
}

/** What is kept in the database of homes. */
export interface LogPlaces {
  /** Without one, or where it was left, it begins before the first row. */
  of(home: string): Promise<HomePlace>
  /** Homes that have rows. */
  inUse(): Promise<{ home: string; place: number }[]>
  /**
   * Makes it the home that is asked. Where it has all rows up to its place others are left; gives those that have rows which it
   * may not have.
   */
  begin(home: string): Promise<{ home: string; place: number }[]>
  /** For `ms` by the database's time nobody else brings rows there; null where somebody else does already, or it was left. */
  claim(home: string, owner: string, ms: number): Promise<HomePlace | null>
  /** Only for whoever has claimed it, from where it was: false where that has changed. */
  move(home: string, owner: string, was: HomePlace, now: HomePlace): Promise<boolean>
  /** It has all rows up to its place, as it was proved. */
  isWhole(home: string): Promise<void>
  /** Its rows are being brought back: nothing is taken out of the database meanwhile. */
  comeBack(home: string): Promise<void>
  /** Nobody asks there any more; all of its rows are elsewhere. */
  leave(home: string): Promise<void>
  /** An id up to which every home has the rows; 0 where there is none, or one whose rows come back. */
  reached(): Promise<number>
}
