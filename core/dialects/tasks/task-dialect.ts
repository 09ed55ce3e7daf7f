// Asynchronous tasks at a provider: how they are submitted, and polled until they end. A dialect has five functions:
// read a submission, write it for the provider, read the provider's acceptance, read a state, and report usage if the
// provider does. All are pure.
import type { TaskOperation } from '../../models/operation.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { Usage } from '../answers/usage.ts'
import type { FilmRequest, FilmModel } from './film.ts'

/** Statuses as in the lists of the specification; the last three are final. */
export const TASK_STATUSES = [
  ...(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'MODAL', 'UNKNOWN', 'SUCCESS', 'FAILURE'] as const),
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** A submission as it came: its body is JSON (for a form its fields, with files as `data:` URLs). */
export interface TaskSubmission {
  body: Uint8Array
  /** The parameters of its path: `{action}`, `{id}`, `{model}`, `{mode}`. */
  path: Readonly<Record<string, string>>
  /** The action of its route (`TaskRoute.action`). */
  action?: string
}

export interface ParsedSubmission {
  /** The format that it was read from: that format's provider receives `given`, with its own model name. */
  format: string
  /** Empty if the earlier task determines channel and model, as for a remix. */
  model: string
  /** IMAGINE, MUSIC, GENERATE …: as in lists. */
  action: string
  prompt: string
  /** The earlier task that it continues, by the id that the caller knows. */
  follows?: string
  /** For video: the request in neutral form. */
  film?: FilmRequest
  /** Facts that its format needs later. */
  details?: JsonObject
  /** The caller's callback address. */
  hook?: string
  given: JsonObject
}

/** An earlier task, as its provider needs it to continue from it. */
export interface Followed {
  upstream_id: string
  model: string
  prompt: string
  details: JsonObject
}

/** The target of a request. */
export interface TaskTarget {
  /** The provider's model name. */
  model: string
  follows?: Followed
  /** Our callback address for changes of the task. */
  callback?: string
  /** Operator settings that formats use. */
  settings: TaskSettings
}

/** Operator settings for drawings (docs/relay.md). */
export interface TaskSettings {
  MjAccountFilterEnabled: boolean
  MjNotifyEnabled: boolean
  MjModeClearEnabled: boolean
}

/** A request to a provider; `path` is appended to the channel's address. */
export interface TaskRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Readonly<Record<string, string>>
  json?: JsonObject
  /** Sent as a form, with `data:` URLs as its files. */
  form?: true
}

/** An output file of a task. */
export interface TaskFile {
  kind: 'image' | 'video' | 'audio'
  /** Its address; a path at the provider starts with a slash. */
  url: string
  /** The download requires the channel's key. */
  keyed?: true
  /** The file is only in the poll answer, as base64, at this path of members and indexes. */
  within?: readonly (string | number)[]
  /** Expiry of the address, in epoch ms. */
  until?: number
}

/** The state of a task. Times are in epoch ms. */
export interface TaskState {
  /** The provider's id of the task. */
  upstream_id: string
  status: TaskStatus
  /** Percent; undefined leaves the known value. */
  progress?: number
  fail_reason?: string
  files?: TaskFile[]
  /** The provider's task object, unchanged, for callers of its format. */
  data?: JsonObject
  start_time?: number
  finish_time?: number
  prompt_en?: string
  /** Further facts that its format must store. */
  details?: JsonObject
  /** The next poll request, if it changes. */
  look?: TaskRequest
  /** The usage that the provider reports. */
  used?: Partial<Usage>
}

/** The result of an answered submission. */
export type SubmissionResult =
  | {
      state: TaskState
      /** The poll request; undefined if the task has ended or is polled in batches (`Grouped`). */
      look?: TaskRequest
      /** Not charged: the task was accepted but will not be done, or a later step is charged. */
      unpaid?: true
      /** The task existed already and is not charged again. */
      known?: true
      /** The reply to the caller, if it has more than the id. */
      reply?: JsonObject
    }
  /**
   * The task was not accepted, and another channel may be tried. If none accepts it, `kept` is the caller's reply and
   * the stored state.
   */
  | { refused: CallFailure; finished?: { state: TaskState; reply: JsonObject } }

/** Polling of tasks in batches. */
export interface GroupedPolling {
  most: number
  question(upstreamIds: readonly string[]): TaskRequest
}

/** The task interface of a provider. */
export interface TaskDialect {
  name: string
  operation: TaskOperation
  /** Parses a submission of this format. */
  read(submission: TaskSubmission): ParsedSubmission
  /** Writes the request to the provider. An error means that nothing was sent, and another channel is tried. */
  write(ask: ParsedSubmission, to: TaskTarget): TaskRequest
  /** Parses the answer; `question` is its request. */
  accepted(answer: unknown, ask: ParsedSubmission, question: TaskRequest): SubmissionResult
  /**
   * Parses the states of the requested tasks and omits unknown ones. For an error status (400, 404) `answer` is its
   * `CallFailure`, which a provider may use for the end of a task.
   * @throws GatewayError upstream.refused if an answer of status 200 is an error
   */
  states(answer: unknown, requested: readonly string[]): TaskState[]
  /** Returns the usage if the provider reports another than requested; otherwise the same object. */
  used(requested: Usage, state: TaskState): Usage
  grouped?: GroupedPolling
  /** Returns the request for the state of one task, which changes nothing. `model` is the provider's name. */
  status(upstreamId: string, model: string): TaskRequest
  /** For video: the capabilities of its models. */
  models?: readonly FilmModel[]
  /** Returns the request for the seed of an image. */
  seed?(upstreamId: string): TaskRequest
  /** Returns the request that cancels a task, if the provider supports it. */
  cancel?(upstreamId: string): TaskRequest
}

/** A provider's endpoint for tasks. */
export interface TaskEndpoint {
  dialect: TaskDialect
  /** Models of this endpoint; all if undefined. */
  serves?(model: string): boolean
  /** Returns the address of a path, if it is not relative to the channel's address. */
  at?(path: string, channel: { base_url: string; key: string; other: string }): string
  /** Headers in addition to authentication. */
  headers?: Readonly<Record<string, string>>
}

/** Converts a vendor's status; undefined if it is missing. */
export const parseTaskStatus = (words: Readonly<Record<string, TaskStatus>>, word: unknown): TaskStatus | undefined => {
  if (typeof word !== 'string' || word === '') return undefined
  return Object.hasOwn(words, word) ? words[word] : 'UNKNOWN'
}

/** Returns the requested usage unchanged. */
export const keepRequestedUsage = (requested: Usage): Usage => requested
