// One model call as it comes in, and where its answer goes.
import type { Caller } from '../auth/caller.ts'
import type { CallRecord } from '../calls/call-record.ts'
import type { AnyDialect } from '../dialects/dialect.ts'
import type { Piece } from '../dialects/frame.ts'
import type { JsonObject } from '../dialects/json-value.ts'
import type { Place } from '../dialects/model-request.ts'
import type { StoredAnswer } from '../dialects/openai-responses/kept.ts'
import type { Signal } from '../ports/signal.ts'
import type { CallTrace } from '../ports/tracer.ts'
import type { Debt } from '../quota/debt.ts'
import type { TransactionHook } from '../quota/operation.ts'
import type { CallToken } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

/** A caller who may make calls: a user, with the token the call came with or (the playground) without one. */
export interface CallCaller extends Caller {
  user: User
  token: CallToken | null
  /** For whom bodies of this caller's calls are encrypted and kept; undefined for most, whose are not. */
  bodies?: string | undefined
  /** What the user owes, or a team that the user owns; absent where nothing is owed. */
  debt?: Debt | undefined
  /** The group asked for where there is no token to name it; empty for the user's own. */
  group?: string
}

/** A part of the bytes that one caller may have under way. */
export interface ByteShare {
  /** @throws GatewayError limit.bytes */
  take(bytes: number): void
  /** Gives back all that was taken. */
  end(): void
}

export interface Call {
  /** The dialect the caller speaks; it says what is asked for. */
  inbound: AnyDialect
  body: Uint8Array
  /** What the address says of the request. */
  place?: Place
  /** The caller's headers that belong to the dialect (`Dialect.headers`). */
  headers?: Record<string, string>
  caller: CallCaller
  /** Channel id asked for by an administrator (`sk-KEY-ID`), as written. */
  pin?: string
  /** A session that the caller names beside the body: calls of one session share the provider's prompt cache. */
  session?: string
  /** Aborted when the caller hangs up. */
  signal: Signal
  /** Epoch ms. */
  started_at: number
  deferred?: BackgroundRequest
  /** Answers of the connection, which the call may continue. */
  memory?: AnswerMemory
  /** False where the caller wants an id to continue from and no answer: the request is counted and remembered. */
  generates?: boolean
  /** The conversation was summed up before the call: the item is the first of the answer's output. */
  summed?: { item: JsonObject; repeated: Record<string, unknown> }
  /** The caller wants the cost in the usage of the answer. */
  asks_cost?: boolean
  /** Counts what is fetched for the call among the bytes of its caller's requests, until the call is over. */
  bytes?: ByteShare
  /** Its place in a trace, where calls are traced. */
  trace?: CallTrace
  /** Told of what came of it, once it is charged; of a session for each of its turns. */
  heard?(record: CallRecord): void
}

/** An answer that a connection remembers, with the conversation before it. */
export interface RememberedAnswer {
  id: string
  answer: StoredAnswer
  /** The earlier answer that the conversation continues, where its provider keeps that one. */
  continues?: string
  /** Some of its items were written by Weir: a provider is told them in words, and not by their ids. */
  borrowed: boolean
}

/** The newest answers of one connection. They are in memory alone, and go with the connection. */
export interface AnswerMemory {
  find(id: string): RememberedAnswer | undefined
  keep(answer: RememberedAnswer): void
}

/** An answer that nobody waits for: it is asked for later, by its id. */
export interface BackgroundRequest {
  id: string
  /** Its quota is held, and no provider asked yet. Resolves when it can be asked for. @param model by its listed name */
  begun(receipt: string, model: string): Promise<void>
  /** Its end, which is written down with its charge. */
  ended(record: CallRecord, isKept: boolean): TransactionHook
}

/** Status line and headers of an answer: before it a failure is a status, after it an error frame. */
export interface Head {
  status: number
  headers: Record<string, string>
}

/** Where an answer goes, told in this order: admitted, then either `whole`, or `head` and pieces. */
export interface Reply {
  /** Quota is held and a provider is being asked: from here on a door may begin a stream to send pings. */
  admitted(stream: boolean, receipt: string): void
  head(head: Head): void
  /** What it gives, if anything, resolves once the caller has read enough, and rejects when the caller has gone. */
  write(pieces: Piece[]): Promise<void> | undefined
  /** All of an answer at once. */
  whole(head: Head, pieces: Piece[]): void
}

// What ends a call early: its caller hangs up, or a channel's time is up.

export interface Stop {
  signal: Signal
  /** Aborts the signal, once: each listener is told once. */
  now(reason: unknown): void
}

/** Does what an AbortController does, without an event target of its own: that cost more than the rest of the door. */
export const createAbortSource = (): Stop => new StopSignal()

/** Both halves in one object: there is one for each call. */
class StopSignal implements Signal, Stop {
  aborted = false
  reason: unknown = undefined
  /** Most have one: a list made with it has no room for more. */
  private listeners: (() => void)[] | undefined

  get signal(): Signal {
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
