// Storage as a whole. Each feature adds the stores that it needs, in its `feature.ts`.
import type { RateCounter } from './counter.ts'

/**
 * A change of cached data, which other processes drop from their caches. `id` is 0 for "all of it". `quota`: an account
 * needs the quota that is leased of it.
 */
export interface Change {
  topic: 'settings' | 'channels' | 'users' | 'tokens' | 'quota'
  id: number
}

/** The stores of data that users change, as features add them. */
export interface ChangeStores {}

/** One transaction: all writes through these stores are committed together, or not at all. */
export interface Within extends ChangeStores {}

/** All stores, as features add them. */
export interface Storage extends ChangeStores {
  readonly kind: 'sqlite' | 'postgres'
  counter: RateCounter
  /**
   * Runs a change in one transaction with its audit rows. All other writers wait for it, so it must do nothing slow,
   * and use no other stores.
   */
  transaction<T>(work: (within: Within) => Promise<T>): Promise<T>
  /** Notifies every process of a change of cached data. Resolves once this process's listeners are done. */
  announce(change: Change): Promise<void>
  /**
   * Called for every change: at once for those of this process, within a second for those of others, and within a
   * minute for all data while their notifications fail.
   */
  onChange(listener: (change: Change) => void | Promise<void>): void
  /** The number of connections in use, idle, and waited for. Sends no query. */
  pools(): { pool: 'write' | 'read'; used: number; free: number; waiting: number }[]
  /** SQLite in a folder: bytes of its file and of its WAL. */
  fileSizes(): Partial<Record<'database' | 'wal', number>>
  /** Checks again that the master secret is the database's. @throws StartError if it has been changed */
  confirmSecret(): Promise<void>
  close(): Promise<void>
}
