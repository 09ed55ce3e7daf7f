// How a request reaches a provider.
import type { Conversation } from './conversation.ts'
import type { Signal } from './signal.ts'

/** Bytes that need not be in memory. */
export interface SizedBytes extends AsyncIterable<Uint8Array> {
  size: number
}

export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: Uint8Array
  /** What is sent instead of `body`. */
  form?: SizedBytes
  /** http, https or socks5 address of a proxy for this call. */
  proxy?: string
  /** It goes where an administrator pointed a channel: to public addresses alone, and to networks that root lists. */
  guarded: boolean
  /** Longest wait for the answer's head, in ms. */
  headers_timeout_ms: number
  /** Longest silence inside the answer's body, in ms. */
  idle_timeout_ms: number
}

/** Takes a run of bytes; false says that it has enough. A promise keeps the next run back until it resolves. */
export type TakeRun = (run: Uint8Array) => boolean | Promise<boolean>

/** The runs of a body that are still to come. */
export interface Runs extends AsyncIterator<Uint8Array> {
  /**
   * Hands them over one after the other; resolves at the end, or when enough is taken. Thousands of streams wait for
   * their next run at once: here that costs each of them nothing, where an iteration holds promises for every run.
   */
  pour?(take: TakeRun): Promise<void>
  /** Is nothing to come any more? A body that can tell may be let go while its next run is waited for. */
  over?(): boolean
  /** Has the end of the body arrived, possibly after runs that were not read yet? */
  atEnd?(): boolean
  /** What came behind the end of the body, once it is over, by lower-case names. */
  trailed?(): Readonly<Record<string, string>> | undefined
}

/** An answer's body in runs of bytes: what arrived together stays together. */
export interface ReplyBody extends AsyncIterable<Uint8Array> {
  [Symbol.asyncIterator](): Runs
  /** All of it, where it is here already: most answers that are not streamed come at once with their head. */
  here?(): Uint8Array | undefined
  /** As of its runs. */
  trailed?(): Readonly<Record<string, string>> | undefined
}

/** An answer: its head, and its body. */
export interface UpstreamReply {
  status: number
  headers: Record<string, string>
  body: ReplyBody
}

/** A WebSocket to be opened. */
export interface ConnectRequest {
  /** ws or wss. */
  url: string
  headers: Record<string, string>
  /** http, https or socks5 address of a proxy. */
  proxy?: string
  /** As of a request. */
  guarded: boolean
  /** Frames that the provider may send in a second. */
  max_frames_per_second: number
}

/** It is open, or the provider answered something else. */
export type ConnectReply = { conversation: Conversation } | { refused: UpstreamReply }

export interface Upstream {
  /**
   * Rejects when no answer begins, also where a guarded request may not go (`network.private`); the body's iteration rejects
   * when it breaks off. Both with GatewayError `upstream.unreachable`, `upstream.silent` or `upstream.broken`. Aborting the
   * signal ends either at once.
   */
  send(request: UpstreamRequest, signal: Signal): Promise<UpstreamReply>
  /** Rejects with GatewayError `upstream.unreachable` when no answer comes. Aborting the signal ends the attempt only. */
  connect(request: ConnectRequest, signal: Signal): Promise<ConnectReply>
  close(): Promise<void>
}
