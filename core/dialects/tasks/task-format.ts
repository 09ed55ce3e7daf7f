// The client side of tasks: a format in which callers submit and read them, at the routes that it declares. The
// provider side is the provider's dialect (`task-dialect.ts`).
import { isTaskOperation, type TaskOperation } from '../../models/operation.ts'
import type { PassthroughDialect } from '../dialect.ts'
import type { RequestHead } from '../requests/head.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { ParsedSubmission, TaskFile, TaskStatus, TaskSubmission } from './task-dialect.ts'

/** The operation of a route. `list`: a page of the caller's tasks; `many`: those whose ids are in the body. */
export type RouteOperation = 'submit' | 'read' | 'many' | 'list' | 'delete' | 'content' | 'notify' | 'seed' | 'image'

/**
 * `path` may have the parameters `{id}`, `{action}`, `{model}`, and `{mode=fast|slow}`, which matches one of these
 * words.
 */
export interface TaskRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  wants: RouteOperation
  action?: string
  /** Query parameters that distinguish it from other routes of its path. */
  query?: Readonly<Record<string, string>>
  /** Name of the query parameter or body member with the task's id, if the path does not have it. */
  idIn?: string
}

/** A task in its public form. Times are in epoch ms, 0 for not yet. */
export interface PublicTask {
  /** The id that the caller knows. */
  task_id: string
  action: string
  model: string
  status: TaskStatus
  /** Percent. */
  progress: number
  fail_reason: string
  prompt: string
  prompt_en: string
  submit_time: number
  start_time: number
  finish_time: number
  /** Its files with their public URLs. */
  files: readonly TaskFile[]
  /** The provider's task object. */
  data: JsonObject
  details: JsonObject
}

/** Operator settings for continuing a task. */
export interface FollowSettings {
  MjActionCheckSuccessEnabled: boolean
}

export interface TaskFormat extends PassthroughDialect {
  operation: TaskOperation
  /** The name that lists have its tasks under: `mj`, `suno`, `video`. */
  platform: 'mj' | 'suno' | 'video'
  routes: readonly TaskRoute[]
  /** Prefix of our task ids; undefined if the provider's ids are used. */
  ownIds?: string
  /** Our ids are in lower case. */
  lowIds?: true
  /** @throws GatewayError request.* */
  read(submission: TaskSubmission): ParsedSubmission
  /** Checks whether its caller may continue that task now. */
  mayFollow?(ask: ParsedSubmission, origin: PublicTask, settings: FollowSettings): void
  /** Time limit of a task in this state, if it is lower than the operator's. */
  minutes?(task: { action: string; status: string }): number | undefined
  /** Returns the facts that the hold and the charge are based on, until its provider reports others. */
  headOf(ask: ParsedSubmission, origin?: PublicTask): RequestHead
  /** Writes the answer to a submission; `reply` is the provider's reply. */
  taken(task: PublicTask, reply: JsonObject | undefined): JsonObject
  /** Writes the answer to a poll, or an element of `many`; `action` is the route's. */
  writeTask(task: PublicTask, action?: string): JsonObject
  /** Writes the notification to the caller's callback, if it differs from the answer to a poll. */
  notice?(task: PublicTask): JsonObject
  writeTasks(tasks: readonly PublicTask[], more: boolean): unknown
  /** Writes the answer to a deletion. */
  deleted?(task: PublicTask): JsonObject
  /** Parses the page of a list with page numbers. */
  pageIn?(query: URLSearchParams): { limit: number; skip: number }
  /** Returns the ids in the body of a `many` request. */
  idsIn?(body: JsonObject): string[]
}

export const isTaskFormat = (format: PassthroughDialect | { operation: 'chat' }): format is TaskFormat =>
  isTaskOperation(format.operation)
