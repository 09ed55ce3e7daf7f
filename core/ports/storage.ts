// Storage: what it can do as a whole. Each feature adds the stores that it needs, in its `feature.ts`.
import type { RateCounter } from './counter.ts'

/**
 * What changed; other processes drop what they cached of it. `id` is 0 for "all of it". `quota`: an account is short of what is
 * leased of it.
 */
export interface Change {
  topic: 'settings' | 'channels' | 'users' | 'tokens' | 'quota'
  id: number
}

/** The stores of what people change, as features add them. */
export interface ChangeStores {}

/** One transaction: what is done through these is kept together, or not at all. */
export interface Within extends ChangeStores {}

/** All stores, as features add them. */
export interface Storage extends ChangeStores {
  readonly kind: 'sqlite' | 'postgres'
  counter: RateCounter
  /**
   * A change with all that belongs to it, its rows of the audit first of all. Everybody who writes waits for it: nothing
   * slow is done inside, and nothing through other stores.
   */
  transaction<T>(work: (within: Within) => Promise<T>): Promise<T>
  /** Tells every process that something cached has changed; resolves when this process's listeners are done. */
  announce(change: Change): Promise<void>
  /**
   * Called for every change, at once for our own, within a second for those of other processes, and within a minute for
   * everything while these do not tell us theirs.
   */
  onChange(listener: (change: Change) => void | Promise<void>): void
  /** Connections in use, idle, and asked for by those who wait for one. Asks nobody. */
  pools(): { pool: 'write' | 'read'; used: number; free: number; waiting: number }[]
  /** Of SQLite in a folder: bytes of its file and of its WAL. */
  fileSizes(): Partial<Record<'database' | 'wal', number>>
  /** Looks once more whether the master secret is the database's. @throws StartError when it was changed meanwhile */
  confirmSecret(): Promise<void>
  close(): Promise<void>
}
