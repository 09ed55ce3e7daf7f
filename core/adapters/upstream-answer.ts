// A provider's answer: converts undici's callbacks into a reply whose body is read run by run.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Signal } from '../ports/signal.ts'
import type { ReplyBody, Runs, TakeRun, UpstreamReply, UpstreamRequest } from '../ports/upstream.ts'
import { isConnectionClosed, toNetworkError, type ConnectedCall } from './connections.ts'
import { getAbortError } from './network-failure.ts'
import { getTurnShare } from './turn-share.ts'

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
  take: TakeRun
  resolve(): void
  reject(error: unknown): void
  flow(): void
}

/**
 * Turns undici's callbacks into a reply whose body is read run by run: a queue between undici and the reader, bounded
 * by pausing the socket. A single object serves all roles, because there is one per attempt.
 */
export class UpstreamAnswer implements ConnectedCall, Runs, ReplyBody {
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
  private readonly signal: Signal
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
    signal: Signal,
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

  drainTo(take: TakeRun): Promise<void> {
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
