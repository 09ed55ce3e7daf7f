// Connections to one origin, each with one call at a time. undici's own pool checks every connection for each call, and
// replaces each one that is aborted: with thousands of open streams, both cost more than the call.
import type { LookupFunction } from 'node:net'
import { buildConnector, Client, type Dispatcher, errors, Pool } from 'undici'
import { GatewayError } from '../errors.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { classifyNetworkFailure } from './start-error.ts'

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 30_000

export const CONNECTION_OPTIONS = { connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS }

/** A call that reports when its connection is free. */
export interface ConnectedCall extends Dispatcher.DispatchHandler {
  /** Called once, by the call. `failed`: the connection cannot be reused. */
  done: ((failed: boolean) => void) | undefined
  /** True if it needs a connection without earlier calls. */
  fresh: boolean
  line: CallConnection | undefined
}

/** A connection as its calls see it. */
interface CallConnection {
  /** True if it has served an earlier call and been idle since: the server may have closed it. */
  wasIdle: boolean
  /** True once data has arrived for this call. */
  hasData: boolean
}

interface PooledConnection extends CallConnection {
  client: Client
  /** The end of its last call, in ms; 0 if it had none. */
  idle_since: number
}

/**
 * Minimum idle time of a stale connection, in ms: no server closes an idle connection sooner. One that breaks sooner
 * has failed during its call, which the server may have received.
 */
const RESTED_MS = 1_000

/** One for all: thousands of callers may leave at once, and an error of each would cost as much as closing its socket. */
const DROPPED = new Error('the connection is no longer used')

export class ConnectionPool {
  private readonly origin: string
  /** Most recently used first, so that surplus connections time out. */
  private readonly idle: PooledConnection[] = []
  private readonly all = new Set<PooledConnection>()
  /** Shared, because it caches TLS sessions. */
  private readonly connect: buildConnector.connector

  /** @param lookup replaces Node's name resolution */
  constructor(origin: string, lookup?: LookupFunction) {
    this.origin = origin
    this.connect = buildConnector({ ...CONNECTION_OPTIONS.connect, ...(lookup ? { lookup } : {}) })
  }

  dispatch(options: Dispatcher.DispatchOptions, call: ConnectedCall): void {
    const connection = (call.fresh ? undefined : this.idle.pop()) ?? this.open()
    connection.hasData = false
    connection.wasIdle = connection.idle_since > 0 && performance.now() - connection.idle_since >= RESTED_MS
    call.line = connection
    call.done = (failed) => {
      connection.idle_since = performance.now()
      if (failed) this.drop(connection)
      else this.idle.push(connection)
    }
    connection.client.dispatch(options, call)
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.all].map(({ client }) => client.destroy()))
  }

  private open(): PooledConnection {
    const connect: buildConnector.connector = (options, connected) =>
      this.connect(options, (...outcome) => {
        // Registered before the reader. The end of the stream also emits this event, with nothing to read.
        outcome[1]?.on('readable', () => (connection.hasData ||= (outcome[1]?.readableLength ?? 0) > 0))
        connected(...outcome)
      })
    const client = new Client(this.origin, { connect, keepAliveTimeout: KEEP_ALIVE_MS })
    const connection: PooledConnection = { client, wasIdle: false, hasData: false, idle_since: 0 }
    this.all.add(connection)
    client.on('disconnect', () => {
      const at = this.idle.indexOf(connection)
      if (at < 0) return
      this.idle.splice(at, 1)
      this.drop(connection)
    })
    return connection
  }

  private drop(connection: PooledConnection): void {
    this.all.delete(connection)
    // Its error has been reported already.
    connection.client.destroy(DROPPED, () => undefined)
  }
}

/** True if the other side, or a proxy or firewall, closed the connection. */
export const isConnectionClosed = (error: Error): boolean =>
  error instanceof errors.SocketError || CLOSED.has((error as NodeJS.ErrnoException).code ?? '')

const CLOSED = new Set(['ECONNRESET', 'EPIPE'])

/** Creates the connection to a proxy. undici reconnects forever to a proxy that hangs up; this one fails instead. */
export function createProxyDispatcher(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options)
  const connect = pool.connect.bind(pool) as (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>
  const connectOnce = (connectOptions: Dispatcher.ConnectOptions) =>
    connect(connectOptions).catch((cause: unknown) => {
      throw new Error('Proxy connection failed', { cause })
    })
  return Object.assign(pool, { connect: connectOnce })
}

/** Converts a transport error to an error with a public message. The address stays in the log, without credentials. */
export function toNetworkError(error: Error, request: UpstreamRequest, hasBegun: boolean): GatewayError {
  const more = { cause: error, detail: `${request.method} ${request.url.split('?')[0]}: ${error.message}` }
  const buildSilenceError = (ms: number) => new GatewayError('upstream.silent', { seconds: ms / 1000 }, more)
  if (error instanceof errors.HeadersTimeoutError) return buildSilenceError(request.headers_timeout_ms)
  if (error instanceof errors.BodyTimeoutError) return buildSilenceError(request.idle_timeout_ms)
  const network = classifyNetworkFailure(error, { proxy: request.proxy !== undefined })
  return new GatewayError(hasBegun ? 'upstream.broken' : 'upstream.unreachable', {}, { ...more, network })
}
