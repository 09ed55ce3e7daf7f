import type { Page, Slice } from '../contract/page.ts'
import type { JsonObject } from '../dialects/json-value.ts'
import type { NewTask, StoredTask } from './task.ts'

/** 0 and the empty text do not filter; times are those of the submission in epoch ms, inclusive. */
export interface TaskFilter {
  /** Undefined: everybody's. */
  user_id?: number
  channel_id: number
  start_timestamp: number
  end_timestamp: number
  task_id: string
  platform: string
  action: string
  status: string
  model: string
  /** Drawings, or everything beside them. */
  drawings: boolean
}

/** What may change of a task. */
export type TaskChange = Partial<Omit<NewTask, 'task_id' | 'user_id'>>

export interface TaskStore {
  /** Its database says when it is asked about first: `due_in_ms` from now. */
  add(task: NewTask, due_in_ms?: number): Promise<void>
  find(id: number): Promise<StoredTask | null>
  /** A user's own, by the id that they know. */
  findOwn(user_id: number, task_id: string): Promise<StoredTask | null>
  /** By the secret in its address. */
  findByNotifyKey(notify_key: string): Promise<StoredTask | null>
  /** A user's own of these ids, of one platform. */
  listOwn(user_id: number, platform: string, taskIds: readonly string[]): Promise<StoredTask[]>
  /** A user's own of one platform, newest first (or oldest), behind that row; of one format and action where these are said. */
  page(
    user_id: number,
    platform: string,
    slice: { limit: number; from?: number; skip?: number; oldest: boolean; format?: string; action?: string },
  ): Promise<StoredTask[]>
  /** Newest first. */
  list(filter: TaskFilter, slice: Slice): Promise<Page<StoredTask>>
  /** How many of a user's are not over. */
  countOpen(user_id: number): Promise<number>
  /** Those that are due and that nobody asks about, oldest first; from now on, for `lease_ms`, this process alone does. */
  claim(limit: number, lease_ms: number): Promise<StoredTask[]>
  /** Whatever anybody has claimed is nobody's any more. */
  freeAll(): Promise<void>
  /** Lets go of what was claimed: each is due again in so many ms. */
  postpone(tasks: readonly { id: number; due_in_ms: number; failures: number; polls: number }[]): Promise<void>
  /** Changes an open task; false where it is over (or gone), and then nothing changes. */
  update(id: number, change: TaskChange): Promise<boolean>
  /** The same of one that is over: what was given back of it. */
  refunded(id: number, amount: number): Promise<boolean>
  /** Its files and words go, and these details stand in their place. */
  forget(id: number, details: JsonObject): Promise<void>
  /** It is due now. */
  wake(id: number): Promise<void>
}
