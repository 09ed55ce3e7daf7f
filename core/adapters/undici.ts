// Upstream calls over undici's `dispatch` with a custom handler: the cheapest HTTP client of Node, without streams.
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { buildConnector, ProxyAgent, Socks5ProxyAgent } from 'undici'
import type { Upstream, UpstreamRequest } from '../ports/upstream.ts'
import { createChannelGuard, type ChannelGuard } from './channel-guard.ts'
import { connectionOptions, Connections, toNetworkError, createProxyDispatcher } from './connections.ts'
import { NO_PROXIES, type EnvironmentProxies } from './environment-proxies.ts'
import { getAbortError } from './network-failure.ts'
import { UpstreamAnswer } from './upstream-answer.ts'
import { connectWebSocket } from './web-socket.ts'

/** The target of requests to one address. */
interface Place {
  origin: string
  path: string
  pool: Connections | ProxyAgent | Socks5ProxyAgent
  /** The proxy of the environment, if the request uses it. */
  shared?: string | undefined
}

/** Maximum number of parsed addresses in the cache. */
const MAX_PLACES = 10_000

/**
 * Keeps one pool per origin (and proxy). Guarded requests have separate pools. A request without a proxy of its own uses
 * that of the environment, whose address the host's operator has chosen: it is not guarded.
 */
export function createUpstream(
  guard: ChannelGuard = createChannelGuard(() => []),
  proxies: EnvironmentProxies = NO_PROXIES,
): Upstream {
  const pools = new Map<string, Place['pool']>()
  const places = new Map<string, Place>()

  function getPool(origin: string, proxy: string | undefined, guarded: boolean, under: string): Place['pool'] {
    const shared = proxy ? undefined : proxies.find(origin)
    const key = under + (proxy ? `${proxy} ${origin}` : origin)
    let pool = pools.get(key)
    if (!pool) {
      const lookup = guarded && !shared ? guard.lookup : undefined
      if (shared) pool = createProxyAgent(shared, undefined, false)
      else pool = proxy ? createProxyAgent(proxy, lookup) : new Connections(origin, lookup)
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
        const { method, headers, headers_timeout_ms, idle_timeout_ms } = request
        const limits = { headersTimeout: headers_timeout_ms, bodyTimeout: idle_timeout_ms }
        const answer = new UpstreamAnswer(
          shared ? { ...request, proxy: shared } : request,
          signal,
          resolve,
          reject,
          () => pool.dispatch({ origin, path, method, headers, body: getBody(request), ...limits }, answer),
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

/** A body that is generated during the upload is sent as fast as the provider reads it. */
const getBody = ({ body, form }: UpstreamRequest): Uint8Array | Readable | null =>
  form ? Readable.from(form, { objectMode: false }) : (body ?? null)

/**
 * Creates the agent of a proxy. A guarded one resolves the proxy's own address with `lookup`. Without `proxyTunnel`
 * plain http is asked for by its whole address, as the proxies of companies require.
 */
function createProxyAgent(
  uri: string,
  lookup: LookupFunction | undefined,
  proxyTunnel = true,
): ProxyAgent | Socks5ProxyAgent {
  if (!lookup) return new ProxyAgent({ uri, proxyTunnel, ...connectionOptions, clientFactory: createProxyDispatcher })
  // With TLS options, a SOCKS agent would expect a proxy reached by TLS, so it gets a complete connector.
  if (uri.startsWith('socks'))
    return new Socks5ProxyAgent(uri, { connect: buildConnector({ ...connectionOptions.connect, lookup }) })
  return new ProxyAgent({ uri, ...connectionOptions, clientFactory: createProxyDispatcher, proxyTls: { lookup } })
}
