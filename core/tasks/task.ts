// An asynchronous task of a provider: a drawing, a song or a film.
import { z } from 'zod'
import { TASK_STATUSES, type TaskFile, type TaskRequest, type TaskState } from '../dialects/tasks/task-dialect.ts'
import { asObject, parseJson, type JsonObject } from '../dialects/json/json-value.ts'
import type { PublicTask } from '../dialects/tasks/task-format.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import type { Price } from '../pricing/price.ts'

/** A stored task. It has three ids: Weir's, its caller's (`task_id`) and its provider's (`upstream_id`). */
export const StoredTask = z.object({
  id: z.number(),
  task_id: z.string(),
  upstream_id: z.string(),
  /** `mj`, `suno`, `video`, `responses`. */
  platform: z.string(),
  /** The format of the client. */
  format: z.string(),
  /** IMAGINE, MUSIC, GENERATE … */
  action: z.string(),
  /** The name whose price it is charged at. */
  model: z.string(),
  group: z.string(),
  user_id: z.number(),
  username: z.string(),
  /** The account that pays: the user's, or their team's. */
  account_id: z.number(),
  /** 0 for none. */
  token_id: z.number(),
  token_name: z.string(),
  channel_id: z.number(),
  /** Fingerprint of the channel's key that submitted it. */
  key: z.string(),
  /** One of TASK_STATUSES. */
  status: z.string(),
  /** Progress such as `42%`. */
  progress: z.string(),
  fail_reason: z.string(),
  /** How a Midjourney proxy took it: 1 submitted, 21 waiting, 22 queued, 0 not submitted. */
  code: z.number(),
  prompt: z.string(),
  prompt_en: z.string(),
  /** The first of its pictures. */
  image_url: z.string(),
  /** JSON: list of `TaskFile`. */
  files: z.string(),
  /** The provider's state of it, as JSON; empty before the first one. */
  data: z.string(),
  /** Further data of its format, as JSON. */
  details: z.string(),
  /** The submission as JSON, if it is short enough to be stored: `{body, path, action, format}`. */
  asked: z.string(),
  /** Quota units that it was charged in all, and of them given back. */
  quota: z.number(),
  refunded: z.number(),
  /** The call that was charged. */
  request_id: z.string(),
  /** JSON of `TaskTerms`. */
  terms: z.string(),
  /** Epoch seconds. */
  created_at: z.number(),
  /** Epoch ms; 0 for not yet. */
  submit_time: z.number(),
  start_time: z.number(),
  finish_time: z.number(),
  updated_at: z.number(),
  /** Time of the next poll, in epoch ms of the database; null for never. */
  due_at: z.number().nullable(),
  /** Until when one process alone asks, the same. */
  lease_until: z.number(),
  polls: z.number(),
  /** Questions in a row that were not answered. */
  failures: z.number(),
  /** Its status query as JSON of `TaskRequest`; empty if its provider is queried for many tasks at once. */
  look: z.string(),
  /** A secret in the address at which its provider may announce a change, and in that of its picture; null for none. */
  notify_key: z.string().nullable(),
  /** The webhook of its caller. */
  hook: z.string(),
})
export type StoredTask = z.infer<typeof StoredTask>
export type NewTask = Omit<StoredTask, 'id'>

/** The platform of answers that Weir generates in the background; no channel is polled for them. */
export const DEFERRED_PLATFORM = 'responses'

/** The terms of the charge, for corrections when the final amount is known. */
export interface TaskTerms {
  price: Price
  group_ratio: number
  quota_per_unit: number
  /** Epoch ms. */
  started_at: number
  usage: Usage
}

const parseObject = (json: string): JsonObject => asObject(parseJson(json || '{}')) ?? {}

/** A task other than a drawing in lists. Times in epoch seconds. */
export const ListedTask = StoredTask.pick({
  id: true,
  user_id: true,
  channel_id: true,
  platform: true,
  action: true,
  task_id: true,
  model: true,
  status: true,
  progress: true,
  fail_reason: true,
  data: true,
  quota: true,
  refunded: true,
  created_at: true,
  submit_time: true,
  start_time: true,
  finish_time: true,
})
z.globalRegistry.add(ListedTask, { id: 'Task' })
export type ListedTask = z.infer<typeof ListedTask>

/** Returns a task for the API, with times in seconds. */
export const toListedTask = (row: StoredTask): ListedTask => ({
  ...ListedTask.parse(row),
  data: row.platform === 'suno' ? inside(row) : row.data,
  submit_time: Math.floor(row.submit_time / 1000),
  start_time: Math.floor(row.start_time / 1000),
  finish_time: Math.floor(row.finish_time / 1000),
})

/** Returns the songs and lyrics without the provider's wrapper. */
function inside(row: StoredTask): string {
  const { data } = parseObject(row.data)
  return data === undefined || data === null ? row.data : JSON.stringify(data)
}

/** Is the status final? */
export const isOver = (status: string): boolean => status === 'SUCCESS' || status === 'FAILURE'

export const parseProgressPercent = (progress: string): number => Number.parseInt(progress, 10) || 0

export const parseTaskFiles = ({ files }: Pick<StoredTask, 'files'>): TaskFile[] =>
  files === '' ? [] : (JSON.parse(files) as TaskFile[])

export const parseTaskQuestion = ({ look }: Pick<StoredTask, 'look'>): TaskRequest | undefined =>
  look === '' ? undefined : (JSON.parse(look) as TaskRequest)

export const parseTaskTerms = ({ terms }: Pick<StoredTask, 'terms'>): TaskTerms | undefined =>
  terms === '' ? undefined : (JSON.parse(terms) as TaskTerms)

/** Maximum length of stored provider data, in characters. */
const MOST_DATA = 256 * 1024

/** Returns the provider's data to store; empty if it is too long. */
export function getTaskData({ data }: Pick<TaskState, 'data'>): string {
  const json = data ? JSON.stringify(data) : ''
  return json.length > MOST_DATA ? '' : json
}

export const toCallerTask = (row: StoredTask): PublicTask => ({
  task_id: row.task_id,
  action: row.action,
  model: row.model,
  status: TASK_STATUSES.find((status) => status === row.status) ?? 'UNKNOWN',
  progress: parseProgressPercent(row.progress),
  fail_reason: row.fail_reason,
  prompt: row.prompt,
  prompt_en: row.prompt_en,
  submit_time: row.submit_time,
  start_time: row.start_time,
  finish_time: row.finish_time,
  files: parseTaskFiles(row),
  data: parseObject(row.data),
  details: parseObject(row.details),
})

/** The details of a task that its caller has deleted: it is no longer shown, and its charge stays. */
export const FORGOTTEN_TASK_DETAILS: JsonObject = { deleted: true }
export const isForgotten = ({ details }: StoredTask): boolean => details === JSON.stringify(FORGOTTEN_TASK_DETAILS)
