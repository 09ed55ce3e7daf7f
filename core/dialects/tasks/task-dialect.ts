// What a provider does in its own time: how it is asked for, and what is told of it until it is over. A dialect has five
// functions: read a submission, write it for the provider, read what the provider accepted, read a state, and tell what was
// used where the provider says so. All are pure.
import type { TaskOperation } from '../../models/operation.ts'
import type { CallFailure } from '../call-failure.ts'
import type { JsonObject } from '../json-value.ts'
import type { Usage } from '../usage.ts'
import type { Film, FilmModel } from './film.ts'

/** In the words of the specification's lists; the last three are ends, from which nothing leads on. */
export const TASK_STATUSES = [
  ...(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'MODAL', 'UNKNOWN', 'SUCCESS', 'FAILURE'] as const),
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** A submission as it came: its body is JSON (of a form its fields, with files as `data:` addresses). */
export interface TaskSubmission {
  body: Uint8Array
  /** What its path says: `{action}`, `{id}`, `{model}`, `{mode}`. */
  path: Readonly<Record<string, string>>
  /** The words of the route that it came in by (`TaskRoute.action`). */
  action?: string
}

/** What is asked for. */
export interface TaskAsk {
  /** The format that it was read in: its own provider is sent `given`, with the model's name as it knows it. */
  format: string
  /** Empty where only the earlier task's channel and model are asked, as to remix. */
  model: string
  /** IMAGINE, MUSIC, GENERATE …: as lists have it. */
  action: string
  prompt: string
  /** The earlier task that it goes on with, by the id that its caller knows. */
  follows?: string
  /** Of video: what every provider of films can be asked for. */
  film?: Film
  /** What its format has to say of it later. */
  details?: JsonObject
  /** The address that its caller wants to be told at. */
  hook?: string
  given: JsonObject
}

/** An earlier task, as its provider is asked to go on with it. */
export interface Followed {
  upstream_id: string
  model: string
  prompt: string
  details: JsonObject
}

/** What a question is written for. */
export interface TaskTarget {
  /** As the provider names it. */
  model: string
  follows?: Followed
  /** Where the provider may tell that something has changed. */
  callback?: string
  /** Switches of operators, as far as formats have them. */
  settings: TaskSettings
}

/** What operators say of drawings (docs/relay.md). */
export interface TaskSettings {
  MjAccountFilterEnabled: boolean
  MjNotifyEnabled: boolean
  MjModeClearEnabled: boolean
}

/** A question to a provider; `path` is put behind the channel's address. */
export interface TaskQuestion {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Readonly<Record<string, string>>
  json?: JsonObject
  /** Sent as a form: `data:` addresses become its files. */
  form?: true
}

/** A file that came of it. */
export interface TaskFile {
  kind: 'image' | 'video' | 'audio'
  /** Where it is; a path of the provider's own begins with a slash. */
  url: string
  /** It is given to nobody without the channel's key. */
  keyed?: true
  /** It is nowhere but in the answer to the task's look, there as base64: members and places that lead to it. */
  within?: readonly (string | number)[]
  /** Epoch ms after which the address is no good. */
  until?: number
}

/** How a task stands. Times in epoch ms. */
export interface TaskState {
  /** The provider's own id of it. */
  upstream_id: string
  status: TaskStatus
  /** Percent; where it is not told, what was known stays. */
  progress?: number
  fail_reason?: string
  files?: TaskFile[]
  /** What the provider says of it, word for word: what callers of its own format read. */
  data?: JsonObject
  start_time?: number
  finish_time?: number
  prompt_en?: string
  /** What else its format has to keep of it. */
  details?: JsonObject
  /** Where it is asked from now on. */
  look?: TaskQuestion
  /** What the provider says that it used. */
  used?: Partial<Usage>
}

/** What came of a submission that was answered. */
export type Accepted =
  | {
      state: TaskState
      /** Where it is asked what becomes of it; not given where it is over, or where it is asked with others (`Grouped`). */
      look?: TaskQuestion
      /** What is charged nothing: it was taken, and will not be done; or what comes after it is paid for. */
      unpaid?: true
      /** It was there already: who has paid for it is not charged again. */
      known?: true
      /** What its caller reads, where that is more than its id. */
      reply?: JsonObject
    }
  /** It was not taken: another channel may take it. Where none does, `kept` is what its caller reads and lists have of it. */
  | { refused: CallFailure; kept?: { state: TaskState; reply: JsonObject } }

/** Tasks that are asked for many at once. */
export interface Grouped {
  most: number
  question(upstreamIds: readonly string[]): TaskQuestion
}

/** What a provider speaks of tasks. */
export interface TaskDialect {
  name: string
  operation: TaskOperation
  /** What a submission in this format asks for. @throws GatewayError request.* */
  read(submission: TaskSubmission): TaskAsk
  /** @throws GatewayError film.unsupported, request.untranslatable: nothing is sent, and another channel is tried */
  write(ask: TaskAsk, to: TaskTarget): TaskQuestion
  /** `question`: the one that was answered. */
  accepted(answer: unknown, ask: TaskAsk, question: TaskQuestion): Accepted
  /**
   * How tasks stand that were asked for; those that the answer does not know are left out. Of a refusal (400, 404) `answer` is
   * its `CallFailure`: a provider may tell the end of a task so.
   * @throws GatewayError upstream.refused where it says with status 200 that it did not answer
   */
  states(answer: unknown, asked: readonly string[]): TaskState[]
  /** What was used where it is another than was asked for: the same otherwise. */
  used(asked: Usage, state: TaskState): Usage
  grouped?: Grouped
  /** Of films: what its models can be asked for. */
  models?: readonly FilmModel[]
  /** Where the number is asked that a picture was drawn from. */
  seed?(upstreamId: string): TaskQuestion
  /** Where a task is ended, where that can be. */
  cancel?(upstreamId: string): TaskQuestion
}

/** A way into a provider for its tasks. */
export interface TaskDoor {
  dialect: TaskDialect
  /** Which models are asked here; all of them where it is not said. */
  serves?(model: string): boolean
  /** Where a path of the dialect's is, where that is not behind the channel's address. @throws GatewayError channel.* */
  at?(path: string, channel: { base_url: string; key: string; other: string }): string
  /** Headers that it wants beside its proof. */
  headers?: Readonly<Record<string, string>>
}

/** A vendor's word for how a task stands; undefined where it says none. */
export const statusIn = (words: Readonly<Record<string, TaskStatus>>, said: unknown): TaskStatus | undefined => {
  if (typeof said !== 'string' || said === '') return undefined
  return Object.hasOwn(words, said) ? words[said] : 'UNKNOWN'
}

/** Used as it was asked for. */
export const asAsked = (asked: Usage): Usage => asked
