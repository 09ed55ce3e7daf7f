// Connections to one origin, one call at a time on each. undici's own pool looks at every connection for each call, and
// opens a new one in place of each that is broken off: with thousands of streams open, both cost more than the call.
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
}

export class Connections {
  private readonly origin: string
  /** The one used last comes first, so that those that are not needed any more time out. */
  private readonly idle: Client[] = []
  private readonly all = new Set<Client>()
  /** One for all, because it remembers TLS sessions. */
  private readonly connect = buildConnector(connectionOptions.connect)

  constructor(origin: string) {
    this.origin = origin
  }

  dispatch(options: Dispatcher.DispatchOptions, call: ConnectedCall): void {
    const client = this.idle.pop() ?? this.open()
    call.done = (failed) => (failed ? this.drop(client) : void this.idle.push(client))
    client.dispatch(options, call)
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.all].map((client) => client.destroy()))
  }

  private open(): Client {
    const client = new Client(this.origin, { connect: this.connect, keepAliveTimeout: KEEP_ALIVE_MS })
    this.all.add(client)
    client.on('disconnect', () => {
      const at = this.idle.indexOf(client)
      if (at < 0) return
      this.idle.splice(at, 1)
      this.drop(client)
    })
    return client
  }

  private drop(client: Client): void {
    this.all.delete(client)
    // What it says of it is known already.
    client.destroy().catch(() => undefined)
  }
}

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
