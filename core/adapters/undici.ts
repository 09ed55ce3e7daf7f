// Upstream calls over undici's dispatch with a handler of our own: the cheapest way out of Node, without streams.
import { Pool, ProxyAgent, errors, type Dispatcher } from 'undici'
import { GatewayError } from '../errors.ts'
import type { Upstream, UpstreamReply, UpstreamRequest } from '../ports/upstream.ts'

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 30_000
/** Read ahead of a slow caller at most this much, then the upstream's socket waits. */
const HIGH_WATER_BYTES = 256 * 1024
/** An answer that is no longer wanted is read to its end if it ends soon, so that its connection lives on. */
const DRAIN_BYTES = 64 * 1024
const DRAIN_MS = 1_000

/** Keeps one pool per origin (and proxy). */
export function createUpstream(): Upstream {
  const pools = new Map<string, Dispatcher>()

  function poolOf(origin: string, proxy: string | undefined): Dispatcher {
    const key = proxy ? `${proxy} ${origin}` : origin
    let pool = pools.get(key)
    if (!pool) {
      const options = { connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS }
      pool = proxy ? new ProxyAgent({ uri: proxy, ...options }) : new Pool(origin, { ...options, connections: null })
      pools.set(key, pool)
    }
    return pool
  }

  return {
    send: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const url = new URL(request.url)
        const pool = poolOf(url.origin, request.proxy)
        const options: Dispatcher.DispatchOptions = {
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method,
          headers: request.headers,
          body: request.body ?? null,
          headersTimeout: request.headers_timeout_ms,
          bodyTimeout: request.idle_timeout_ms,
        }
        pool.dispatch(options, createHandler(request, signal, resolve, reject))
      }),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}

/** Turns undici's callbacks into a reply whose body is read run by run. */
function createHandler(
  request: UpstreamRequest,
  signal: AbortSignal,
  resolve: (reply: UpstreamReply) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  const body = createBody()
  let controller: Dispatcher.DispatchController | undefined
  let begun = false
  const abort = () => controller?.abort(asError(signal.reason))
  signal.addEventListener('abort', abort, { once: true })
  const over = () => signal.removeEventListener('abort', abort)

  return {
    onRequestStart(started) {
      controller = started
      body.control(started)
      if (signal.aborted) abort()
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return
      begun = true
      resolve({ status, headers: flat(headers), body })
    },
    onResponseData(_, chunk) {
      body.push(chunk)
    },
    onResponseEnd() {
      over()
      body.end()
    },
    onResponseError(_, error) {
      over()
      const failure = signal.aborted ? signal.reason : named(error, request, begun)
      if (begun) body.end(failure)
      else reject(failure)
    },
  }
}

/** A queue of runs of bytes between undici and whoever reads: bounded by pausing the socket. */
function createBody() {
  let runs: Uint8Array[] = []
  let size = 0
  let ended = false
  let failure: unknown
  let wake: (() => void) | undefined
  let controller: Dispatcher.DispatchController | undefined
  let draining = false

  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    while (runs.length === 0) {
      if (failure !== undefined) throw failure
      if (ended) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (wake = resolve))
    }
    const value = runs.length === 1 ? runs[0] : Buffer.concat(runs)
    runs = []
    size = 0
    if (controller?.paused) controller.resume()
    return { done: false, value: value as Uint8Array }
  }
  const finish = async (): Promise<IteratorResult<Uint8Array>> => {
    if (!ended && !draining) {
      draining = true
      runs = []
      size = 0
      if (controller?.paused) controller.resume()
      setTimeout(() => !ended && controller?.abort(new Error('the answer is no longer wanted')), DRAIN_MS).unref()
    }
    return { done: true, value: undefined }
  }
  return {
    control: (given: Dispatcher.DispatchController) => (controller = given),
    push(chunk: Uint8Array) {
      size += chunk.length
      if (draining) {
        if (size > DRAIN_BYTES) controller?.abort(new Error('the answer is no longer wanted'))
        return
      }
      runs.push(chunk)
      if (size > HIGH_WATER_BYTES) controller?.pause()
      wake?.()
    },
    end(error?: unknown) {
      ended = true
      failure = error
      wake?.()
    },
    [Symbol.asyncIterator]: () => ({ next, return: finish }),
  }
}

/** A transport error as a failure with a public message; the address stays in our own log. */
function named(error: Error, request: UpstreamRequest, begun: boolean): GatewayError {
  const more = { cause: error, detail: `${request.method} ${request.url}: ${error.message}` }
  if (error instanceof errors.HeadersTimeoutError) {
    return new GatewayError('upstream.silent', { seconds: request.headers_timeout_ms / 1000 }, more)
  }
  if (error instanceof errors.BodyTimeoutError) {
    return new GatewayError('upstream.silent', { seconds: request.idle_timeout_ms / 1000 }, more)
  }
  return new GatewayError(begun ? 'upstream.broken' : 'upstream.unreachable', {}, more)
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
