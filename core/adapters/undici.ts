// Upstream calls over undici's dispatch with a handler of our own: the cheapest way out of Node, without streams.
import { Readable } from 'node:stream'
import { ProxyAgent } from 'undici'
import type { Upstream, UpstreamRequest } from '../ports/upstream.ts'
import { connectionOptions, Connections, toProxy } from './connections.ts'
import { endedBy } from './network-failure.ts'
import { UpstreamAnswer } from './upstream-answer.ts'
import { connectWebSocket } from './web-socket.ts'

/** Where requests to one address go. */
interface Place {
  origin: string
  path: string
  pool: Connections | ProxyAgent
}

/** Addresses that are remembered; beyond it they are taken apart anew. */
const MAX_PLACES = 10_000

/** Keeps one pool per origin (and proxy). */
export function createUpstream(): Upstream {
  const pools = new Map<string, Place['pool']>()
  const places = new Map<string, Place>()

  function poolOf(origin: string, proxy: string | undefined): Place['pool'] {
    const key = proxy ? `${proxy} ${origin}` : origin
    let pool = pools.get(key)
    if (!pool) {
      pool = proxy
        ? new ProxyAgent({ uri: proxy, ...connectionOptions, clientFactory: toProxy })
        : new Connections(origin)
      pools.set(key, pool)
    }
    return pool
  }

  function placeOf({ url, proxy }: UpstreamRequest): Place {
    const key = proxy ? `${proxy} ${url}` : url
    const known = places.get(key)
    if (known) return known
    const { origin, pathname, search } = new URL(url)
    const place = { origin, path: pathname + search, pool: poolOf(origin, proxy) }
    if (places.size >= MAX_PLACES) places.clear()
    places.set(key, place)
    return place
  }

  return {
    send: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(endedBy(signal))
        const { origin, path, pool } = placeOf(request)
        const { method, headers, headers_timeout_ms, idle_timeout_ms } = request
        const limits = { headersTimeout: headers_timeout_ms, bodyTimeout: idle_timeout_ms }
        const answer = new UpstreamAnswer(request, signal, resolve, reject, () =>
          pool.dispatch({ origin, path, method, headers, body: bodyOf(request), ...limits }, answer),
        )
        answer.ask()
      }),
    connect: connectWebSocket,
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
      places.clear()
    },
  }
}

/** What is written while it is sent leaves as fast as the provider reads it. */
const bodyOf = ({ body, form }: UpstreamRequest): Uint8Array | Readable | null =>
  form ? Readable.from(form, { objectMode: false }) : (body ?? null)
