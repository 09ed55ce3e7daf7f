// The route of a request to the relay: its operation, the dialect of its client, and the parameters of its path.
import type { CallerDialect } from '../core/dialects/dialect.ts'
import type { RequestPlace } from '../core/dialects/model-request.ts'
import type { TaskFormat, TaskRoute } from '../core/dialects/tasks/task-format.ts'
import { openaiRealtime, openaiResponses } from '../core/index.ts'

/** Prefix of the path of a call, to request the cost of that call. */
export const ESTIMATE_PREFIX = '/v1/estimate'
/** The path of realtime sessions over WebSockets. */
export const REALTIME_PATH = openaiRealtime.paths[0]
/** The path of Responses: calls by `POST`, and WebSockets. */
export const RESPONSES_PATH: string = openaiResponses.paths[0] ?? ''

/** A request with a body. Gemini has model and streaming in the address, and streams an `array` on request. */
interface CallParameters {
  place?: RequestPlace
  array?: boolean
}

/** A request for a stored response by its id. */
export interface AnswerRoute {
  action: 'read' | 'delete' | 'input' | 'cancel'
  id: string
}

/** A request about asynchronous work at a provider. */
export interface TaskPathMatch {
  format: TaskFormat
  route: TaskRoute
  /** Values of the parameters in the path, by name. */
  path: Record<string, string>
}

/** The operations that a request can ask for, with what the path says about each. */
export interface RelayParameters {
  call: CallParameters
  count: CallParameters
  estimate: CallParameters
  /** A chat of a signed-in user, without a token. */
  playground: object
  models: object
  model: { model: string }
  answer: { answer: AnswerRoute }
  task: { task: TaskPathMatch }
  /** The picture of a drawing, at a secret address. */
  picture: { task: TaskPathMatch }
  /** A file of a task for a signed-in user. `id` is the number of the task in the lists. */
  task_file: { id: number }
  /** A provider's notice that a task has changed. It is not signed; its address is a secret. */
  notice: { key: string }
  billing: { action: 'subscription' | 'usage' }
  /** A path for WebSockets only. Upgrade requests have another handler. */
  websocket: object
  preflight: object
  /** A path that is served with other methods only. */
  wrong_method: { allowed: string }
  /** A request that Weir does not serve. It is refused with an error in the client's format. */
  unknown: object
}

export type RelayOperationName = keyof RelayParameters

export type RelayRoute<Name extends RelayOperationName = RelayOperationName> = {
  [Each in Name]: { operation: Each; dialect: CallerDialect } & RelayParameters[Each]
}[Name]

/** The route of a request with a body that is read into a call. */
export type CallRoute = RelayRoute<'call' | 'count' | 'estimate'>
