import type { RowPage, ListSlice } from '../contract/page.ts'
import type { JsonObject } from '../dialects/json/json-value.ts'
import type { NewTask, StoredTask } from './task.ts'

/** 0 and the empty text do not filter; times are those of the submission in epoch ms, inclusive. */
export interface TaskFilter {
  /** undefined for all users. */
  user_id?: number
  channel_id: number
  start_timestamp: number
  end_timestamp: number
  task_id: string
  platform: string
  action: string
  status: string
  model: string
  /** true for drawings, false for all other tasks. */
  drawings: boolean
}

/** The changeable fields of a task. */
export type TaskChange = Partial<Omit<NewTask, 'task_id' | 'user_id'>>

export interface TaskStore {
  /** Adds a task. It is first polled `due_in_ms` from now, by the database's time. */
  add(task: NewTask, due_in_ms?: number): Promise<void>
  find(id: number): Promise<StoredTask | null>
  /** A user's own, by the id that they know. */
  findOwn(user_id: number, task_id: string): Promise<StoredTask | null>
  /** Finds a task by the secret in its address. */
  findByNotifyKey(notify_key: string): Promise<StoredTask | null>
  /** A user's own of these ids, of one platform. */
  listOwn(user_id: number, platform: string, taskIds: readonly string[]): Promise<StoredTask[]>
  /**
   * Returns a user's tasks of one platform after that row, newest first (or oldest); of one format and action if these
   * are given.
   */
  page(
    user_id: number,
    platform: string,
    slice: { limit: number; from?: number; skip?: number; oldest: boolean; format?: string; action?: string },
  ): Promise<StoredTask[]>
  /** Newest first. */
  list(filter: TaskFilter, slice: ListSlice): Promise<RowPage<StoredTask>>
  /** How many of a user's are not over. */
  countOpen(user_id: number): Promise<number>
  /** Leases tasks that are due and not leased, oldest first, to this process for `lease_ms`. */
  claim(limit: number, lease_ms: number): Promise<StoredTask[]>
  /** Ends all leases. */
  freeAll(): Promise<void>
  /** Ends the leases of these tasks. Each one is due again in the given number of ms. */
  postpone(tasks: readonly { id: number; due_in_ms: number; failures: number; polls: number }[]): Promise<void>
  /** Changes an open task. Returns false, without a change, if it has ended or was deleted. */
  update(id: number, change: TaskChange): Promise<boolean>
  /** Records the refund of an ended task. */
  refunded(id: number, amount: number): Promise<boolean>
  /** Removes its files and texts, and replaces its details with these. */
  forget(id: number, details: JsonObject): Promise<void>
  /** Makes them due now, all at the same time. */
  wake(...ids: number[]): Promise<void>
}
