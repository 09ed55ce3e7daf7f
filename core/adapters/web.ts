// The guarded web client, against server-side request forgery (SSRF): an address is resolved once, checked, and exactly
// that address is connected to.
import { isIP, type LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Agent, buildConnector, ProxyAgent } from 'undici'
import { GatewayError } from '../errors.ts'
import type { WebClient, WebReply, WebRequest } from '../ports/web.ts'
import { classifyNetworkFailure } from './start-error.ts'
import { createProxyDispatcher } from './connections.ts'
import { NO_ENVIRONMENT_PROXIES, type EnvironmentProxies } from './environment-proxies.ts'
import type { HostAddress, ResolveHost } from './reachable-addresses.ts'
import {
  isReachableAddress,
  answerCheckedLookup,
  PrivateAddressError,
  resolveHostAddresses,
  resolveReachable,
} from './reachable-addresses.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The operator's external fetcher: receives url, key, method, headers and body, and returns the answer that it got. */
export interface FetchWorker {
  url: string
  key: string
  /** True if it may also fetch plain http. */
  plain_http: boolean
}

interface WebOptions {
  /** Networks that may be reached although they are not public, as CIDR. Called at every connection. */
  allowed(): readonly string[]
  /** The fetcher for requests that may use it; null if there is none. */
  worker?(): FetchWorker | null
  resolve?: ResolveHost
  /** The proxies of the environment. Certificates are read without them. */
  proxies?: EnvironmentProxies
}

export function createWebClient({
  allowed,
  worker = () => null,
  resolve = resolveHostAddresses,
  proxies = NO_ENVIRONMENT_PROXIES,
}: WebOptions): WebClient {
  /** @throws GatewayError web.refused if one of its addresses may not be reached */
  const resolveAddresses = (url: URL): Promise<HostAddress[]> =>
    resolveReachable(url.hostname, allowed(), resolve).catch((error: unknown) => {
      throw error instanceof PrivateAddressError
        ? new GatewayError('web.refused', {}, { detail: error.message })
        : error
    })

  async function exchange(request: WebRequest, url: URL, signal: AbortSignal): Promise<WebReply> {
    const proxy = request.certificate ? undefined : proxies.find(url.href)
    const addresses = await abortable(resolveAddresses(url), signal).catch((error: unknown) => {
      // A proxy resolves names that this network does not know.
      if (proxy === undefined || error instanceof GatewayError || signal.aborted) throw error
      return []
    })
    let ends: number | undefined
    const options = { lookup: pinAddresses(addresses) }
    const connect = request.certificate ? createCertificateConnector((at) => (ends = at), options) : options
    const agent =
      proxy === undefined
        ? new Agent({ connect, pipelining: 0 })
        : new ProxyAgent({ uri: proxy, proxyTunnel: false, pipelining: 0, clientFactory: createProxyDispatcher })
    try {
      const reply = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { 'user-agent': 'weir', ...request.headers },
        body: request.body ?? null,
        signal,
      })
      const take = reply.statusCode === 200 ? request.take : undefined
      const body = await readAll(reply.body, request.max_bytes ?? MAX_BYTES, take)
      return {
        status: reply.statusCode,
        headers: flattenHeaders(reply.headers),
        body,
        ...(ends === undefined ? {} : { certificate_ends: ends }),
      }
    } finally {
      await agent.destroy()
    }
  }

  return {
    async send(given) {
      const by = given.by_worker ? worker() : null
      const request = by ? askWorker(given, by, allowed()) : given
      const signal = AbortSignal.timeout(request.timeout_ms ?? TIMEOUT_MS)
      try {
        let url = parse(request.url)
        let current = request
        for (let redirects = 0; ; redirects += 1) {
          const reply = await exchange(current, url, signal)
          const { location } = reply.headers
          if (current.method !== 'GET' || current.certificate || !REDIRECTS.has(reply.status) || !location) return reply
          if (redirects === MAX_REDIRECTS) throw new GatewayError('web.failed', {}, { detail: 'too many redirects' })
          const next = parse(location, url)
          if (next.origin !== url.origin) current = { ...current, headers: {} }
          url = next
        }
      } catch (error) {
        if (error instanceof GatewayError) throw error
        throw new GatewayError(
          'web.failed',
          {},
          { cause: error, detail: `${request.method} ${request.url}`, network: classifyNetworkFailure(error) },
        )
      }
    },
  }
}

/** @throws GatewayError web.refused for protocols other than http and https, and for credentials in the address */
function parse(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new GatewayError('web.refused', {}, { detail: 'not a plain http or https address' })
  }
  return url
}

/**
 * Builds the request to the worker. Names are resolved by the worker; a literal address that is not public is refused
 * for it as well.
 * @throws GatewayError web.refused
 */
function askWorker(
  request: WebRequest,
  { url: worker, key, plain_http }: FetchWorker,
  networks: readonly string[],
): WebRequest {
  const { method, headers = {}, body = '', timeout_ms, max_bytes, take } = request
  const url = parse(request.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isReachableAddress(host, networks)) {
    throw new GatewayError('web.refused', {}, { detail: `${host} is not a public address` })
  }
  if (url.protocol !== 'https:' && !plain_http) {
    throw new GatewayError('web.refused', {}, { detail: 'the worker fetches https addresses only' })
  }
  return {
    method: 'POST',
    url: worker,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: url.href, key, method, headers, body }),
    timeout_ms,
    max_bytes,
    take,
  }
}

/** Answers the connection's own look-up with the checked addresses. */
const pinAddresses = (addresses: HostAddress[]): LookupFunction =>
  ((_host, options, done) => answerCheckedLookup(addresses, options, done)) satisfies LookupFunction

/** Connects even if the certificate is invalid, and reports its expiry. Nothing secret is sent. */
function createCertificateConnector(
  reportExpiry: (at: number) => void,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const connect = buildConnector({ ...options, rejectUnauthorized: false })
  return (to, done) =>
    connect(to, (...outcome) => {
      const [error, socket] = outcome
      const until = error ? NaN : Date.parse((socket as TLSSocket).getPeerCertificate?.().valid_to ?? '')
      if (!Number.isNaN(until)) reportExpiry(until)
      done(...outcome)
    })
}

async function readAll(body: AsyncIterable<Uint8Array>, limit: number, take?: WebRequest['take']): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > limit) throw new GatewayError('web.too_large')
    if (take) take(part)
    else parts.push(part)
  }
  return Buffer.concat(parts)
}

const flattenHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** A look-up cannot be aborted, but the caller need not wait for it. */
const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ])
