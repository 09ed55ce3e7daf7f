// The whole of Weir for hosts that speak fetch: a Request in, a Response out, both streamed. In between stands Node's own
// HTTP on a connection in memory, so that every rule is the one of `weir serve`.
import { createServer, request as ask, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { duplexPair, pipeline, Readable, type Duplex } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Gateway } from '../core/index.ts'
import type { MountOptions } from './base-path.ts'
import { createListener } from './server.ts'

/** What a Request does not tell. */
export interface FetchPeer {
  /** The address that the host's connection comes from; without it all callers count as one, and lists of addresses refuse. */
  address?: string
}

/**
 * Answers a request. Whoever cancels the answer's stream, or aborts the request's signal, hangs up.
 * @throws the signal's reason when it is aborted before there is an answer
 */
export type FetchHandler = (request: Request, peer?: FetchPeer) => Promise<Response>

/** What is about one connection, not about what is asked or answered (RFC 9110, 7.6.1). */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']
/** Answers that have no body. */
const BARE = [204, 205, 304]
/** So much of an answer waits for its reader. Unit: bytes. */
const WAITING_BYTES = 64 * 1024

/** For `export default { fetch }`, Hono, and whatever else takes a `RequestReset`. @throws as `getPathPrefix` */
export function createFetchHandler(gateway: Gateway, options: MountOptions = {}): FetchHandler {
  const listener = createListener(gateway, options)
  const server = createServer((request, response) => {
    // The side that answers ends the connection: whoever asks would do so before all is known to have been taken.
    response.once('close', () => request.socket.end())
    listener(request, response)
  })
  return (request, { address } = {}) =>
    new Promise((resolve, reject) => {
      const { pathname, search, protocol, host } = new URL(request.url)
      const [ours, theirs] = duplexPair()
      server.emit('connection', Object.assign(ours, { remoteAddress: address, encrypted: protocol === 'https:' }))
      endTogether(ours, theirs)
      const asked = ask({
        createConnection: () => theirs,
        method: request.method,
        path: pathname + search,
        headers: { host, ...headersOf(request), connection: 'keep-alive' },
      })
      const hangUp = () => asked.destroy(request.signal.reason as Error)
      if (request.signal.aborted) hangUp()
      request.signal.addEventListener('abort', hangUp, { once: true })
      asked.once('close', () => request.signal.removeEventListener('abort', hangUp))
      asked.on('error', reject)
      asked.on('response', (answer) => resolve(responseOf(answer, request.method)))
      // Who is answered before all is sent stops sending: that is no failure.
      if (request.body) pipeline(Readable.fromWeb(request.body as ReadableStream), asked, () => {})
      else asked.end()
    })
}

function endTogether(one: Duplex, other: Duplex): void {
  one.once('close', () => other.destroy())
  other.once('close', () => one.destroy())
}

function headersOf({ headers }: Request): OutgoingHttpHeaders {
  return Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.includes(name)))
}

function responseOf(answer: IncomingMessage, method: string): Response {
  const status = answer.statusCode ?? 500
  const headers = new Headers()
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const name = answer.rawHeaders[at]!
    if (!OF_CONNECTION.includes(name.toLowerCase())) headers.append(name, answer.rawHeaders[at + 1]!)
  }
  if (method === 'HEAD' || BARE.includes(status)) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  const body = Readable.toWeb(answer, { strategy: new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES }) })
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers })
}
