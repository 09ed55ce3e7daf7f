// The operations that a request to the relay can ask for.
import type { Place } from '../core/dialects/model-request.ts'
import type { AnyDialect } from '../core/dialects/dialect.ts'
import type { AnswerRoute } from './answer-path.ts'
import type { PlacedTask } from './task-paths.ts'

/** A request with a body. Gemini has model and streaming in the address, and streams an `array` on request. */
export type Asking = { operation: 'call' | 'count' | 'estimate'; place?: Place; array?: boolean }

export type RelayRoute = { dialect: AnyDialect } & (
  | Asking
  /** A chat of a signed-in user, without a token. */
  | { operation: 'playground' }
  | { operation: 'billing'; wanted: 'subscription' | 'usage' }
  | { operation: 'models' }
  | { operation: 'model'; model: string }
  /** An earlier answer, by its id. */
  | { operation: 'answer'; answer: AnswerRoute }
  /** A request about asynchronous work at a provider. */
  | { operation: 'task'; task: PlacedTask }
  /** A file of a task for a signed-in user. `id` is the number of the task in the lists. */
  | { operation: 'task_file'; id: number }
  /** A provider's notice that a task has changed. It is not signed; its address is a secret. */
  | { operation: 'notice'; key: string }
  | { operation: 'preflight' }
  /** A path for WebSockets only. Upgrade requests have another handler. */
  | { operation: 'websocket' }
  /** A path that is served with other methods only. */
  | { operation: 'wrong_method'; allowed: string }
  /** A request that Weir does not serve. It is refused with an error in the client's format. */
  | { operation: 'unknown' }
)
