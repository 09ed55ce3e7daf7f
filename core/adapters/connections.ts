// Connections to one origin, one call at a time on each. undici's own pool looks at every connection for each call, and
// opens a new one in place of each that is broken off: with thousands of streams open, both cost more than the call.
import type { LookupFunction } from 'node:net'
import { buildConnector, Client, errors, Pool, type Dispatcher } from 'undici'
import { GatewayError } from '../errors.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { networkFailure } from './network-failure.ts'

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 30_000

export const connectionOptions = { connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS }

/** A call that tells when its connection is free. */
export interface ConnectedCall extends Dispatcher.DispatchHandler {
  /** `failed`: the connection is of no more use. To be called once, by the call. */
  done: ((failed: boolean) => void) | undefined
  /** It wants a connection that nobody used before. */
  fresh: boolean
  /** What it was given. */
  line: Line | undefined
}

/** A connection as its calls know it. */
interface Line {
  /** It served another call before and rested since: the other side may have closed it meanwhile. */
  rested: boolean
  /** Something has come since this call has it. */
  heard: boolean
}

interface Kept extends Line {
  client: Client
  /** When its last call was over, in ms; 0 where it had none. */
  idle_since: number
}

/** Nobody closes a kept connection for being idle sooner. One that breaks sooner has broken under its call, which may have been heard. */
const RESTED_MS = 1_000

export class Connections {
  private readonly origin: string
  /** The one used last comes first, so that those that are not needed any more time out. */
  private readonly idle: Kept[] = []
  private readonly all = new Set<Kept>()
  /** One for all, because it remembers TLS sessions. */
  private readonly connect: buildConnector.connector

  /** @param lookup looks names up in place of Node's own */
  constructor(origin: string, lookup?: LookupFunction) {
    this.origin = origin
    this.connect = buildConnector({ ...connectionOptions.connect, ...(lookup ? { lookup } : {}) })
  }

  dispatch(options: Dispatcher.DispatchOptions, call: ConnectedCall): void {
    const kept = (call.fresh ? undefined : this.idle.pop()) ?? this.open()
    kept.heard = false
    kept.rested = kept.idle_since > 0 && performance.now() - kept.idle_since >= RESTED_MS
    call.line = kept
    call.done = (failed) => {
      kept.idle_since = performance.now()
      if (failed) this.drop(kept)
      else this.idle.push(kept)
    }
    kept.client.dispatch(options, call)
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.all].map(({ client }) => client.destroy()))
  }

  private open(): Kept {
    const connect: buildConnector.connector = (options, connected) =>
      this.connect(options, (...outcome) => {
        // In front of whoever reads: at its end there is an event, too, with nothing to read.
        outcome[1]?.on('readable', () => (kept.heard ||= (outcome[1]?.readableLength ?? 0) > 0))
        connected(...outcome)
      })
    const client = new Client(this.origin, { connect, keepAliveTimeout: KEEP_ALIVE_MS })
    const kept: Kept = { client, rested: false, heard: false, idle_since: 0 }
    this.all.add(kept)
    client.on('disconnect', () => {
      const at = this.idle.indexOf(kept)
      if (at < 0) return
      this.idle.splice(at, 1)
      this.drop(kept)
    })
    return kept
  }

  private drop(kept: Kept): void {
    this.all.delete(kept)
    // What it says of it is known already.
    kept.client.destroy().catch(() => undefined)
  }
}

/** Was the connection closed by the other side, or by what stands between? */
export const isClosed = (error: Error): boolean =>
  error instanceof errors.SocketError || CLOSED.has((error as NodeJS.ErrnoException).code ?? '')

const CLOSED = new Set(['ECONNRESET', 'EPIPE'])

/** The connection to a proxy. undici asks one that hangs up again, for ever: here that is the end of it. */
export function toProxy(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options)
  const connect = pool.connect.bind(pool) as (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>
  const ending = (asked: Dispatcher.ConnectOptions) =>
    connect(asked).catch((cause: unknown) => {
      throw new Error('Proxy connection failed', { cause })
    })
  return Object.assign(pool, { connect: ending })
}

/** A transport error as a failure with a public message; the address stays in our own log, without what may prove who pays. */
export function networkError(error: Error, request: UpstreamRequest, begun: boolean): GatewayError {
  const more = { cause: error, detail: `${request.method} ${request.url.split('?')[0]}: ${error.message}` }
  const silent = (ms: number) => new GatewayError('upstream.silent', { seconds: ms / 1000 }, more)
  if (error instanceof errors.HeadersTimeoutError) return silent(request.headers_timeout_ms)
  if (error instanceof errors.BodyTimeoutError) return silent(request.idle_timeout_ms)
  const network = networkFailure(error, { proxy: request.proxy !== undefined })
  return new GatewayError(begun ? 'upstream.broken' : 'upstream.unreachable', {}, { ...more, network })
}
