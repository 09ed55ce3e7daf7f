// Upstream calls over undici's `dispatch` with a custom handler: the cheapest HTTP client of Node, without streams.
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { buildConnector, ProxyAgent, Socks5ProxyAgent } from 'undici'
import type { Upstream, UpstreamRequest } from '../ports/upstream.ts'
import { createChannelGuard, type ChannelGuard } from './channel-guard.ts'
import { connectionOptions, Connections, toNetworkError, createProxyDispatcher } from './connections.ts'
import { getAbortError } from './network-failure.ts'
import { UpstreamAnswer } from './upstream-answer.ts'
import { connectWebSocket } from './web-socket.ts'

/** The target of requests to one address. */
interface Place {
  origin: string
  path: string
  pool: Connections | ProxyAgent | Socks5ProxyAgent
}

/** Maximum number of parsed addresses in the cache. */
const MAX_PLACES = 10_000

/** Keeps one pool per origin (and proxy). Guarded requests have separate pools. */
export function createUpstream(guard: ChannelGuard = createChannelGuard(() => [])): Upstream {
  const pools = new Map<string, Place['pool']>()
  const places = new Map<string, Place>()

  function getPool(origin: string, proxy: string | undefined, guarded: boolean, under: string): Place['pool'] {
    const key = under + (proxy ? `${proxy} ${origin}` : origin)
    let pool = pools.get(key)
    if (!pool) {
      const lookup = guarded ? guard.lookup : undefined
      pool = proxy ? createProxyAgent(proxy, lookup) : new Connections(origin, lookup)
      pools.set(key, pool)
    }
    return pool
  }

  function getPlace({ url, proxy, guarded }: UpstreamRequest): Place {
    // No URL begins with a blank, so guarded and unguarded requests never share a connection.
    const under = guarded ? ` ${guard.listNetworks()} ` : ''
    const key = under + (proxy ? `${proxy} ${url}` : url)
    const known = places.get(key)
    if (known) return known
    const { origin, pathname, search } = new URL(url)
    const place = { origin, path: pathname + search, pool: getPool(origin, proxy, guarded, under) }
    if (places.size >= MAX_PLACES) places.clear()
    places.set(key, place)
    return place
  }

  return {
    send: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(getAbortError(signal))
        const { origin, path, pool } = getPlace(request)
        const { method, headers, headers_timeout_ms, idle_timeout_ms } = request
        const limits = { headersTimeout: headers_timeout_ms, bodyTimeout: idle_timeout_ms }
        const answer = new UpstreamAnswer(request, signal, resolve, reject, () =>
          pool.dispatch({ origin, path, method, headers, body: getBody(request), ...limits }, answer),
        )
        if (!request.guarded) return answer.ask()
        guard.check(request.url, request.proxy).then(
          () => (signal.aborted ? reject(getAbortError(signal)) : answer.ask()),
          (error: Error) => reject(toNetworkError(error, request, false)),
        )
      }),
    connect: (request, signal) => connectWebSocket(request, signal, guard),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
      places.clear()
    },
  }
}

/** A body that is generated during the upload is sent as fast as the provider reads it. */
const getBody = ({ body, form }: UpstreamRequest): Uint8Array | Readable | null =>
  form ? Readable.from(form, { objectMode: false }) : (body ?? null)

/** Creates the agent of a proxy. A guarded one resolves the proxy's own address with `lookup`. */
function createProxyAgent(uri: string, lookup: LookupFunction | undefined): ProxyAgent | Socks5ProxyAgent {
  if (!lookup) return new ProxyAgent({ uri, ...connectionOptions, clientFactory: createProxyDispatcher })
  // With TLS options, a SOCKS agent would expect a proxy reached by TLS, so it gets a complete connector.
  if (uri.startsWith('socks'))
    return new Socks5ProxyAgent(uri, { connect: buildConnector({ ...connectionOptions.connect, lookup }) })
  return new ProxyAgent({ uri, ...connectionOptions, clientFactory: createProxyDispatcher, proxyTls: { lookup } })
}
