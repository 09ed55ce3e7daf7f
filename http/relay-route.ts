// What a request to the relay asks for.
import type { Place } from '../core/dialects/model-request.ts'
import type { AnyDialect } from '../core/dialects/dialect.ts'
import type { AnswerRoute } from './answer-path.ts'
import type { PlacedTask } from './task-paths.ts'

/** A request with a body. Gemini names model and streaming in the address, and streams an `array` to who asks so. */
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
  /** Work that a provider does in its own time. */
  | { operation: 'task'; task: PlacedTask }
  /** A file of a task, for somebody who is signed in: `id` is its number in the lists. */
  | { operation: 'task_file'; id: number }
  /** A provider says that a task has changed; nobody signs that, its address is a secret. */
  | { operation: 'notice'; key: string }
  | { operation: 'preflight' }
  /** Only for WebSockets: what asks so comes in by another door. */
  | { operation: 'websocket' }
  /** Served with other methods. */
  | { operation: 'wrong_method'; allowed: string }
  /** Whatever Weir does not serve: it is refused in one way, in the words of the caller's format. */
  | { operation: 'unknown' }
)
