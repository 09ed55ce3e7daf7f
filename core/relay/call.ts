// A model call as it arrives, and the reply that its answer is written to.
import type { Caller } from '../auth/caller.ts'
import type { CallRecord } from '../calls/call-record.ts'
import type { RefusedCall } from '../logs/refusals.ts'
import type { CallerDialect } from '../dialects/dialect.ts'
import type { OutputPiece } from '../dialects/answers/frames.ts'
import type { JsonObject } from '../dialects/json/json-value.ts'
import type { RequestPlace } from '../dialects/model-request.ts'
import type { StoredConversation } from '../dialects/openai-responses/stored-answer.ts'
import type { AbortSignalLike } from '../ports/clock.ts'
import type { CallTrace } from '../ports/tracer.ts'
import type { Debt } from '../quota/debt.ts'
import type { TransactionHook } from '../quota/operation.ts'
import type { CallToken } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

/** A caller who may make calls: a user with a token, or without one (the playground). */
export interface CallCaller extends Caller {
  user: User
  token: CallToken | null
  /**
   * The recipient that this caller's bodies are encrypted and stored for; undefined for most callers, whose bodies are
   * not stored.
   */
  bodies?: string | undefined
  /** The debt of the user, or of a team that the user owns; undefined if nothing is due. */
  debt?: Debt | undefined
  /** The requested group if no token names one; empty for the user's own group. */
  group?: string
}

/** A part of the bytes that one caller may have in progress. */
export interface ByteShare {
  /** @throws GatewayError limit.bytes */
  take(bytes: number): void
  /** Returns all bytes that were taken. */
  end(): void
}

export interface Call {
  /** The caller's dialect, which defines the operation. */
  inbound: CallerDialect
  body: Uint8Array
  /** The part of the request that is in its address. */
  place?: RequestPlace
  /** The caller's headers that belong to the dialect (`Dialect.headers`). */
  headers?: Record<string, string>
  caller: CallCaller
  /** Id of the channel that an administrator asked for (`sk-KEY-ID`), as written. */
  pin?: string
  /** A session named in the headers: calls of one session share the provider's prompt cache. */
  session?: string
  /** Aborted when the client disconnects. */
  signal: AbortSignalLike
  /** Epoch ms. */
  started_at: number
  deferred?: BackgroundRequest
  /** Earlier answers of the connection, which the call may continue. */
  memory?: AnswerMemory
  /** False if the caller wants an id to continue from and no answer: the request is counted and remembered. */
  generates?: boolean
  /** Set if the conversation was summarized before the call: the item is the first of the answer's output. */
  summed?: { item: JsonObject; repeated: Record<string, unknown> }
  /** True if the caller wants the cost in the usage of the answer. */
  asks_cost?: boolean
  /** Counts fetched bytes towards the caller's bytes in progress until the call is over. */
  bytes?: ByteShare
  /** Position in a trace, if calls are traced. */
  trace?: CallTrace
  /** Called with the record once the call is charged; in a session once per turn. */
  onFinished?(record: CallRecord): void
  /** Called if the call is refused before a provider is called. */
  refused?(refused: RefusedCall): void
}

/** An answer that a connection remembers, with the conversation before it. */
export interface RememberedAnswer {
  id: string
  answer: StoredConversation
  /** Id of the earlier answer that the conversation continues, if its provider stores that one. */
  continues?: string
  /** True if some of its items were written by Weir: a provider receives their content, and not their ids. */
  borrowed: boolean
}

/** The newest answers of one connection, in memory only. */
export interface AnswerMemory {
  find(id: string): RememberedAnswer | undefined
  keep(answer: RememberedAnswer): void
}

/** A background answer: the client reads it later by its id. */
export interface BackgroundRequest {
  id: string
  /**
   * Called once quota is held, before the first provider is called. Resolves when the answer can be looked up.
   * @param model by its listed name
   */
  onStarted(receipt: string, model: string): Promise<void>
  /** Returns the write for the end of the answer, which runs in the transaction of its charge. */
  ended(record: CallRecord, isKept: boolean): TransactionHook
}

/** Status line and headers of an answer: a failure before it is an HTTP status, a failure after it an error frame. */
export interface Head {
  status: number
  headers: Record<string, string>
}

/** Receives an answer in this order: `admitted`, then either `whole`, or `head` and pieces. */
export interface Reply {
  /** Quota is held and a provider is being called: from here on the HTTP layer may start the stream to send pings. */
  admitted(stream: boolean, receipt: string): void
  head(head: Head): void
  /** The returned promise, if any, resolves once the client has read enough, and rejects if it has disconnected. */
  write(pieces: OutputPiece[]): Promise<void> | undefined
  /** Sends a whole answer. */
  whole(head: Head, pieces: OutputPiece[]): void
}

// Early ends of a call: a client disconnect, or a channel's timeout.

export interface AbortSource {
  signal: AbortSignalLike
  /** Aborts the signal; later calls do nothing. */
  now(reason: unknown): void
}

/** Works like an AbortController without an event target, which cost more than the rest of the HTTP layer. */
export const createAbortSource = (): AbortSource => new StopSignal()

/** Signal and source in one object, since each call has one. */
class StopSignal implements AbortSignalLike, AbortSource {
  aborted = false
  reason: unknown = undefined
  /** Usually one listener: an array literal with it has no spare capacity. */
  private listeners: (() => void)[] | undefined

  get signal(): AbortSignalLike {
    return this
  }

  addEventListener(_: 'abort', listener: () => void): void {
    if (!this.listeners) this.listeners = [listener]
    else if (!this.listeners.includes(listener)) this.listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.listeners?.indexOf(listener) ?? -1
    if (at >= 0) this.listeners?.splice(at, 1)
  }

  now(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.listeners?.splice(0) ?? []) listener()
  }
}
