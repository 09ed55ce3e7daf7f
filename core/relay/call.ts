// One model call, from caller to finish, and what came of it.
import type { Caller } from '../auth/caller.ts'
import type { Buckets } from '../dialects/buckets.ts'
import type { CallFailure, Piece, Place, Usage } from '../dialects/dialect.ts'
import type { AnyDialect } from '../dialects/format.ts'
import type { Signal } from '../ports/signal.ts'
import type { Token } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

/** A caller who may make calls: a user, with the token the call came with or (the playground) without one. */
export interface CallCaller extends Caller {
  user: User
  token: Token | null
  /** The group asked for where there is no token to name it; empty for the user's own. */
  group?: string
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

/** What came of a call. */
export interface Outcome {
  status: 'complete' | 'cut_short' | 'failed'
  channel_id: number
  /** Fingerprint of the key used last; empty for the only one of a channel. */
  key?: string
  /** Of the channel tried last. */
  channel_type?: number
  /** Ids of the channels tried, in order. */
  tried: number[]
  usage: Usage | null
  /** Where the provider that answered counts what is cached: inside the prompt or beside it. */
  cached?: Buckets['cache_read']
  /** What the provider reported, where it was more than the call can have used and was cut. */
  reported?: Usage
  /** Ms from the start to the first content; null when there was none. */
  first_content_ms: number | null
  /** The name sent upstream, where it differs from the one asked for. */
  upstream_model?: string
  /** It went where the prompt's beginning was cached. */
  affinity?: boolean
  /** The model asked for, where another one was tried in its place. */
  fallback_from?: string
  /** It was a turn of a session over a WebSocket. */
  ws?: boolean
  /** What its model is known to have thought without saying it, where its caller left. Unit: tokens. */
  thought?: number
  /** It ended where the balance did. */
  spent?: boolean
  /** Its caller left, and it was read on for its usage. */
  unheard?: boolean
  failure?: CallFailure
}
