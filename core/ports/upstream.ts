// Sends requests to providers.
import type { AbortSignalLike } from './clock.ts'

/** Bytes of known size that need not be in memory. */
interface SizedBytes extends AsyncIterable<Uint8Array> {
  size: number
}

/** Bytes of a request, or the parts of them in their order: a long body is changed without being copied. */
export type RequestBytes = Uint8Array | readonly Uint8Array[]

export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: RequestBytes
  /** Sent instead of `body`. */
  form?: SizedBytes
  /** The http, https or socks5 address of a proxy for this call. */
  proxy?: string
  /**
   * True if an administrator chose the address: then only public addresses and the networks that root lists are
   * allowed.
   */
  guarded: boolean
  /** Maximum wait for the head of the answer, in ms. */
  headers_timeout_ms: number
  /** Maximum time without data inside the answer's body, in ms. */
  idle_timeout_ms: number
}

/** Takes a run of bytes. false stops the stream; a promise delays the next run until it resolves. */
export type ReceiveBytes = (run: Uint8Array) => boolean | Promise<boolean>

/** The remaining runs of a body. */
export interface RemainingRuns extends AsyncIterator<Uint8Array> {
  /**
   * Hands the runs over one by one. Resolves at the end, or once enough is taken. With thousands of streams waiting,
   * this costs nothing per stream, whereas an iteration holds promises for every run.
   */
  drainTo?(take: ReceiveBytes): Promise<void>
  /** True if no more data can come. A body that implements it may be released while its next run is awaited. */
  isExhausted?(): boolean
  /** True if the end of the body has arrived, possibly after runs that were not read yet. */
  hasEndArrived?(): boolean
  /** The trailers, available once the body has ended, by lower-case names. */
  trailed?(): Readonly<Record<string, string>> | undefined
}

/** An answer's body in runs of bytes. Bytes that arrive together stay together. */
export interface ReplyBody extends AsyncIterable<Uint8Array> {
  [Symbol.asyncIterator](): RemainingRuns
  /** Returns the whole body if it has arrived: most answers that are not streamed arrive together with their head. */
  getArrivedBody?(): Uint8Array | undefined
  /** As in `Runs`. */
  trailed?(): Readonly<Record<string, string>> | undefined
}

/** An answer: its head and its body. */
export interface UpstreamReply {
  status: number
  headers: Record<string, string>
  body: ReplyBody
}

/** A request to open a WebSocket. */
export interface ConnectRequest {
  /** ws or wss. */
  url: string
  headers: Record<string, string>
  /** The http, https or socks5 address of a proxy. */
  proxy?: string
  /** As in a request. */
  guarded: boolean
  /** Maximum number of frames per second from the provider. */
  max_frames_per_second: number
}

/** An open WebSocket, or the provider's other answer. */
export type ConnectReply = { conversation: Conversation } | { refused: UpstreamReply }

export interface UpstreamClient {
  /**
   * Rejects if no answer begins, or if a guarded request may not go to its address (`network.private`). The body's
   * iteration rejects if it breaks off. Both with GatewayError `upstream.unreachable`, `upstream.silent` or
   * `upstream.broken`. Aborting the signal ends either at once.
   */
  send(request: UpstreamRequest, signal: AbortSignalLike): Promise<UpstreamReply>
  /**
   * Rejects with GatewayError `upstream.unreachable` if no answer comes. Aborting the signal only ends the attempt to
   * connect.
   */
  connect(request: ConnectRequest, signal: AbortSignalLike): Promise<ConnectReply>
  close(): Promise<void>
}

/** One frame: text, or bytes. */
export type SocketMessage = string | Uint8Array

/** The end of a conversation. `code` as in RFC 6455: 1005 if none was sent, 1006 if the connection broke. */
export interface ConversationEnd {
  code: number
  reason: string
}

/** One side of an open WebSocket. */
export interface Conversation {
  /**
   * The incoming messages, until either side ends the conversation. A slow reader slows the sender down. Can be read
   * once.
   * @throws GatewayError as `offence`
   */
  messages: AsyncIterable<SocketMessage>
  /** Sends a message. The promise resolves once the other side has read enough. Messages after the end are dropped. */
  send(message: SocketMessage): Promise<void> | undefined
  /**
   * Rejects with GatewayError `request.frames` or `upstream.frames` once the other side sends too many frames. After
   * that nothing is read from it, and `close` sends 1008 instead of any other code.
   */
  offence: Promise<never>
  /** Ends the conversation. A code that may not be sent is replaced by 1011. A second call has no effect. */
  close(code: number, reason: string): void
  /** The end of the conversation; undefined while it is open. */
  ended(): ConversationEnd | undefined
}
