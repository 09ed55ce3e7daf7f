// The face of tasks: a format that callers submit them in and are told of them in. Its calls come in at the routes that it
// declares; how its provider is asked is its provider's dialect (`task-dialect.ts`).
import { isTaskOperation, type TaskOperation } from '../../models/operation.ts'
import type { PassingDialect } from '../dialect.ts'
import type { RequestHead } from '../head.ts'
import type { JsonObject } from '../json-value.ts'
import type { TaskAsk, TaskFile, TaskStatus, TaskSubmission } from './task-dialect.ts'

/** What is wanted of a task by a path. `list`: those of the caller, a page; `many`: those whose ids the body names. */
export type TaskWish = 'submit' | 'read' | 'many' | 'list' | 'delete' | 'content' | 'notify' | 'seed' | 'image'

/** `path` has `{id}`, `{action}`, `{model}` where it says something, and `{mode=fast|slow}` where it says one of these. */
export interface TaskRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  wants: TaskWish
  action?: string
  /** What the query says, where that tells it from others of its path. */
  query?: Readonly<Record<string, string>>
  /** In which word of the query, or member of the body, the task's id is, where it is not in the path. */
  idIn?: string
}

/** A task as its callers may be told of it. Times in epoch ms, 0 for not yet. */
export interface ToldTask {
  /** As its caller knows it. */
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
  /** Where its files are for its caller. */
  files: readonly TaskFile[]
  /** The provider's own words. */
  data: JsonObject
  details: JsonObject
}

/** What operators say of going on with a task. */
export interface FollowSettings {
  MjActionCheckSuccessEnabled: boolean
}

export interface TaskFormat extends PassingDialect {
  operation: TaskOperation
  /** Under which lists have its tasks: `mj`, `suno`, `video`. */
  platform: 'mj' | 'suno' | 'video'
  routes: readonly TaskRoute[]
  /** Ids of its tasks are ours, and begin so; else they are the provider's. */
  ownIds?: string
  /** Such ids have no capitals. */
  lowIds?: true
  /** @throws GatewayError request.* */
  read(submission: TaskSubmission): TaskAsk
  /** May its caller go on with that task now? @throws GatewayError task.unfinished */
  mayFollow?(ask: TaskAsk, origin: ToldTask, settings: FollowSettings): void
  /** Longest time of a task as it stands, where that is less than operators say. */
  minutes?(task: { action: string; status: string }): number | undefined
  /** What is held and charged for it, before its provider says another. */
  headOf(ask: TaskAsk, origin?: ToldTask): RequestHead
  /** The answer to its submission; `reply` is what its provider said beside. */
  taken(task: ToldTask, reply: JsonObject | undefined): JsonObject
  /** The answer to who asks for it, or for `many`; `action` is the route's. */
  tell(task: ToldTask, action?: string): JsonObject
  /** What its caller's own address is told, where that is another than who asks. */
  notice?(task: ToldTask): JsonObject
  tellMany(tasks: readonly ToldTask[], more: boolean): unknown
  /** The answer to who deletes it. */
  deleted?(task: ToldTask): JsonObject
  /** Which of its own tasks a list has that is asked for by numbers of pages. @throws GatewayError request.invalid */
  pageIn?(query: URLSearchParams): { limit: number; skip: number }
  /** Ids in the body of who asks for many. */
  idsIn?(body: JsonObject): string[]
}

export const isTaskFormat = (format: PassingDialect | { operation: 'chat' }): format is TaskFormat =>
  isTaskOperation(format.operation)
