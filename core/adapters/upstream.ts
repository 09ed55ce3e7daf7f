// Upstream calls over undici's `dispatch` with a custom handler: the cheapest HTTP client of Node, without streams.
import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { buildConnector, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici'
import type { AbortSignalLike } from '../ports/clock.ts'
import type {
  RemainingRuns,
  ReplyBody,
  ReceiveBytes,
  UpstreamClient,
  UpstreamReply,
  UpstreamRequest,
} from '../ports/upstream.ts'
import { type ChannelGuard, createChannelGuard } from './channel-guard.ts'
import type { ConnectedCall } from './connections.ts'
import {
  CONNECTION_OPTIONS,
  ConnectionPool,
  createProxyDispatcher,
  isConnectionClosed,
  toNetworkError,
} from './connections.ts'
import { type EnvironmentProxies, NO_ENVIRONMENT_PROXIES } from './environment-proxies.ts'
import { getAbortError } from './start-error.ts'
import { connectWebSocket } from './web-socket.ts'

// Limits how much data is read in one turn of the event loop. Empty lines are work as well: 64 KiB of blank lines are
// 65,536 events to a reader.

/** Maximum number of lines per turn. */
export const MAX_LINES_PER_TURN = 256
/** Maximum bytes per turn. Framing without lines has items of 16 bytes or more. */
const MAX_BYTES = 64 * 1024
const LF = 10
const CR = 13

/** Returns the length of the part of `run` that one turn may read: nearly always the whole run. */
function getTurnShare(run: Uint8Array): number {
  if (run.length <= MAX_LINES_PER_TURN) return run.length
  const share = run.length > MAX_BYTES ? run.subarray(0, MAX_BYTES) : run
  return Math.min(linesEnd(share, LF), linesEnd(share, CR))
}

/** Returns the index after the last line that may be read. Lines end with `mark`. */
function linesEnd(run: Uint8Array, mark: number): number {
  let end = 0
  for (let lines = 0; lines < MAX_LINES_PER_TURN; lines++) {
    const at = run.indexOf(mark, end)
    if (at < 0) return run.length
    end = at + 1
  }
  return end
}

// A provider's answer: converts undici's callbacks into a reply whose body is read run by run.

/** Maximum bytes to read ahead of a slow client. Above it the upstream socket is paused. */
const HIGH_WATER_BYTES = 256 * 1024
/** The same for runs, which may have one byte each. */
const HIGH_WATER_RUNS = 1024
/** An unwanted answer is read to its end if that is near, so that its connection can be reused. */
const DRAIN_BYTES = 64 * 1024
const DRAIN_MS = 1_000

type Next = IteratorResult<Uint8Array>

/** The consumer of a body. */
interface Sink {
  take: ReceiveBytes
  resolve(): void
  reject(error: unknown): void
  flow(): void
}

/**
 * Turns undici's callbacks into a reply whose body is read run by run: a queue between undici and the reader, bounded
 * by pausing the socket. A single object serves all roles, because there is one per attempt.
 */
class UpstreamAnswer implements ConnectedCall, RemainingRuns, ReplyBody {
  done: ConnectedCall['done']
  fresh = false
  line: ConnectedCall['line']
  /** Data that waits to be read. Nearly always one run: a list would outlive it, with everything that it references. */
  private run: Uint8Array | undefined
  private more: Uint8Array[] | undefined
  private size = 0
  /** True once this turn of the event loop has read its share. */
  private resting = false
  private hasBegun = false
  private ended = false
  private draining = false
  private failure: unknown = undefined
  private behind: Record<string, string> | undefined
  private waiting: (() => void) | undefined
  private sink: Sink | undefined
  /** True if the sink is about to receive more, or is busy. */
  private flowing = false
  private controller: Dispatcher.DispatchController | undefined
  private readonly request: UpstreamRequest
  private readonly signal: AbortSignalLike
  private readonly resolve: (reply: UpstreamReply) => void
  private readonly reject: (error: unknown) => void
  readonly ask: () => void
  private readonly abort = () => {
    if (this.controller) return this.controller.abort(asError(this.signal.reason))
    // Not even connected: undici has nothing to abort yet.
    this.fail(getAbortError(this.signal))
  }

  constructor(
    request: UpstreamRequest,
    signal: AbortSignalLike,
    resolve: (reply: UpstreamReply) => void,
    reject: (error: unknown) => void,
    ask: () => void,
  ) {
    this.ask = ask
    this.request = request
    this.signal = signal
    this.resolve = resolve
    this.reject = reject
    signal.addEventListener('abort', this.abort, { once: true })
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    this.controller = started
    if (this.signal.aborted) this.abort()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.hasBegun = true
    this.resolve({ status, headers: flattenHeaders(headers), body: this })
  }

  onResponseData(_: Dispatcher.DispatchController, run: Buffer): void {
    this.size += run.length
    if (this.draining) {
      if (this.size > DRAIN_BYTES) this.controller?.abort(new Error('the answer is no longer wanted'))
      return
    }
    if (!this.run) this.run = run
    else if (this.more) this.more.push(run)
    else this.more = [run]
    if (this.size > HIGH_WATER_BYTES || (this.more?.length ?? 0) >= HIGH_WATER_RUNS) this.controller?.pause()
    this.wake()
  }

  onResponseEnd(_: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (Object.keys(trailers).length > 0) this.behind = flattenHeaders(trailers)
    this.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.canRetry(error)) return this.retryOnce()
    this.fail(this.signal.aborted ? getAbortError(this.signal) : toNetworkError(error, this.request, this.hasBegun))
  }

  /**
   * True if the connection was reused after an idle time, was closed by the other end, and returned nothing. A streamed
   * body cannot be sent again.
   */
  private canRetry(error: Error): boolean {
    const { wasIdle, hasData } = this.line ?? { wasIdle: false, hasData: false }
    return wasIdle && !hasData && !this.fresh && !this.signal.aborted && !this.request.form && isConnectionClosed(error)
  }

  /** Retries once on another connection. */
  private retryOnce(): void {
    this.done?.(true)
    this.done = undefined
    this.controller = undefined
    this.fresh = true
    this.ask()
  }

  private fail(failure: unknown): void {
    if (!this.hasBegun) this.reject(failure)
    this.end(failure)
  }

  private end(failure?: unknown): void {
    this.signal.removeEventListener('abort', this.abort)
    this.ended = true
    this.failure = failure
    this.done?.(failure !== undefined)
    this.done = undefined
    this.wake()
  }

  private wake(): void {
    this.waiting?.()
    this.waiting = undefined
    // Runs that arrive in one turn are passed on together.
    if (this.sink && !this.flowing) {
      this.flowing = true
      queueMicrotask(this.sink.flow)
    }
  }

  drainTo(take: ReceiveBytes): Promise<void> {
    return new Promise((resolve, reject) => {
      this.sink = { take, resolve, reject, flow: () => this.flow() }
      this.flow()
    })
  }

  /** Passes the available data to the sink, until it has enough, has to wait, or the data ends. */
  private flow(): void {
    const { sink } = this
    // Reading may resume the socket and bring more data at once, which waits for its turn.
    this.flowing = sink !== undefined
    if (!sink) return
    try {
      for (let run = this.takeShare(); run; run = this.takeShare()) {
        const more = sink.take(run)
        if (more === false) return this.endFlow()
        if (more === true) continue
        more.then(
          (wantsMore) => (wantsMore ? this.flow() : this.endFlow()),
          (error: unknown) => this.endFlow(error),
        )
        return
      }
    } catch (error) {
      return this.endFlow(error)
    }
    this.flowing = false
    if (this.run) return
    if (this.failure !== undefined) this.endFlow(this.failure)
    else if (this.ended || this.draining) this.endFlow()
  }

  private endFlow(error?: unknown): void {
    const { sink } = this
    this.sink = undefined
    if (error === undefined) sink?.resolve()
    else sink?.reject(error)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Runs that arrived in one turn of the event loop are returned together. */
  async next(): Promise<Next> {
    for (;;) {
      const value = this.takeShare()
      if (value) return { done: false, value }
      if (!this.run) {
        if (this.failure !== undefined) throw this.failure
        if (this.ended || this.draining) return { done: true, value: undefined }
      }
      await new Promise<void>((resolve) => (this.waiting = resolve))
    }
  }

  trailed(): Record<string, string> | undefined {
    return this.behind
  }

  isExhausted(): boolean {
    return (this.ended || this.draining) && !this.run
  }

  hasEndArrived(): boolean {
    return this.ended || this.draining
  }

  getArrivedBody(): Uint8Array | undefined {
    if (!this.ended || this.failure !== undefined) return undefined
    const all = this.joinRuns()
    this.forget()
    return all
  }

  /** Takes the waiting bytes that this turn of the event loop may read. */
  private takeShare(): Uint8Array | undefined {
    const all = this.resting ? undefined : this.joinRuns()
    if (!all) return undefined
    const share = getTurnShare(all)
    if (share === all.length) {
      this.forget()
      return all
    }
    // Still counted: a paused socket stays paused until this part is read.
    this.run = all.subarray(share)
    this.more = undefined
    this.size = this.run.length
    this.resting = true
    setImmediate(() => {
      this.resting = false
      this.wake()
    })
    return all.subarray(0, share)
  }

  private joinRuns(): Uint8Array | undefined {
    return this.run && this.more ? Buffer.concat([this.run, ...this.more]) : this.run
  }

  private forget(): void {
    this.run = this.more = undefined
    this.size = 0
    if (this.controller?.paused) this.controller.resume()
  }

  return(): Promise<Next> {
    if (!this.ended && !this.draining) {
      this.draining = true
      this.forget()
      setTimeout(
        () => !this.ended && this.controller?.abort(new Error('the answer is no longer wanted')),
        DRAIN_MS,
      ).unref()
    }
    return Promise.resolve({ done: true, value: undefined })
  }
}

/** Converts header values to texts. Repeated headers are joined. */
function flattenHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    texts[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  return texts
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

/** The target of requests to one address. */
interface RequestTarget {
  origin: string
  path: string
  pool: ConnectionPool | ProxyAgent | Socks5ProxyAgent
  /** The proxy of the environment, if the request uses it. */
  shared?: string | undefined
}

/** Maximum number of parsed addresses in the cache. */
const MAX_PLACES = 10_000

/**
 * Keeps one pool per origin (and proxy). Guarded requests have separate pools. A request without its own proxy uses
 * that of the environment, whose address the host's operator has chosen: it is not guarded.
 */
export function createUpstream(
  guard: ChannelGuard = createChannelGuard(() => []),
  proxies: EnvironmentProxies = NO_ENVIRONMENT_PROXIES,
): UpstreamClient {
  const pools = new Map<string, RequestTarget['pool']>()
  const places = new Map<string, RequestTarget>()

  function getPool(origin: string, proxy: string | undefined, guarded: boolean, under: string): RequestTarget['pool'] {
    const shared = proxy ? undefined : proxies.find(origin)
    const key = under + (proxy ? `${proxy} ${origin}` : origin)
    let pool = pools.get(key)
    if (!pool) {
      const lookup = guarded && !shared ? guard.lookup : undefined
      if (shared) pool = createProxyAgent(shared, undefined, false)
      else pool = proxy ? createProxyAgent(proxy, lookup) : new ConnectionPool(origin, lookup)
      pools.set(key, pool)
    }
    return pool
  }

  function getPlace({ url, proxy, guarded }: UpstreamRequest): RequestTarget {
    // No URL begins with a blank, so guarded and unguarded requests never share a connection.
    const under = guarded ? ` ${guard.listNetworks()} ` : ''
    const key = under + (proxy ? `${proxy} ${url}` : url)
    const known = places.get(key)
    if (known) return known
    const { origin, pathname, search } = new URL(url)
    const place = {
      origin,
      path: pathname + search,
      pool: getPool(origin, proxy, guarded, under),
      ...(proxy ? {} : { shared: proxies.find(origin) }),
    }
    if (places.size >= MAX_PLACES) places.clear()
    places.set(key, place)
    return place
  }

  return {
    send: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(getAbortError(signal))
        const { origin, path, pool, shared } = getPlace(request)
        const { method, headers_timeout_ms, idle_timeout_ms } = request
        const limits = { headersTimeout: headers_timeout_ms, bodyTimeout: idle_timeout_ms }
        const answer = new UpstreamAnswer(
          shared ? { ...request, proxy: shared } : request,
          signal,
          resolve,
          reject,
          () => pool.dispatch({ origin, path, method, ...getContent(request), ...limits }, answer),
        )
        if (!request.guarded) return answer.ask()
        guard.check(request.url, request.proxy, shared !== undefined).then(
          () => (signal.aborted ? reject(getAbortError(signal)) : answer.ask()),
          (error: Error) => reject(toNetworkError(error, request, false)),
        )
      }),
    connect: (request, signal) => connectWebSocket(request, signal, guard, proxies),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
      places.clear()
    },
  }
}

/** A body in parts, or one that is generated during the upload, is sent as fast as the provider reads it. */
function getContent({ headers, body, form }: UpstreamRequest): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (form) return { headers, body: Readable.from(form, { objectMode: false }) }
  if (!body || body instanceof Uint8Array) return { headers, body: body ?? null }
  const size = body.reduce((sum, part) => sum + part.length, 0)
  // undici accepts any iterable and iterates it again for each request; its types name fewer bodies.
  return { headers: { ...headers, 'content-length': String(size) }, body: body as unknown as Readable }
}

/**
 * Creates the agent of a proxy. A guarded one resolves the proxy's own address with `lookup`. Without `proxyTunnel`
 * plain http is asked for by its whole address, as the proxies of companies require.
 */
function createProxyAgent(
  uri: string,
  lookup: LookupFunction | undefined,
  proxyTunnel = true,
): ProxyAgent | Socks5ProxyAgent {
  if (!lookup) return new ProxyAgent({ uri, proxyTunnel, ...CONNECTION_OPTIONS, clientFactory: createProxyDispatcher })
  // With TLS options, a SOCKS agent would expect a proxy reached by TLS, so it gets a complete connector.
  if (uri.startsWith('socks'))
    return new Socks5ProxyAgent(uri, { connect: buildConnector({ ...CONNECTION_OPTIONS.connect, lookup }) })
  return new ProxyAgent({ uri, ...CONNECTION_OPTIONS, clientFactory: createProxyDispatcher, proxyTls: { lookup } })
}
