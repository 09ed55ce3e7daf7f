// All of Weir for hosts that use the fetch API: takes a Request and returns a Response, both streamed. Node's HTTP on an in-memory
// connection is in between, so that all rules are those of `weir serve`.
import { createServer, request as sendRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { duplexPair, pipeline, Readable, type Duplex } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Gateway } from '../core/index.ts'
import type { MountOptions } from './base-path.ts'
import { createListener } from './server.ts'

/** The facts about a client that are not in a Request. */
export interface FetchPeer {
  /** The remote address of the host's connection. Without it all callers count as one, and address lists refuse them. */
  address?: string
}

/**
 * Answers a request. Cancelling the stream of the response, or aborting the signal of the request, counts as a client disconnect.
 * @throws the signal's reason if it is aborted before the response
 */
export type FetchHandler = (request: Request, peer?: FetchPeer) => Promise<Response>

/** Headers that belong to one connection and are not forwarded (RFC 9110, 7.6.1). */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']
/** Statuses of responses without a body. */
const BODILESS = [204, 205, 304]
/** Maximum bytes of a response that are buffered for its reader. */
const BUFFERED_BYTES = 64 * 1024

/** Creates a handler for `export default { fetch }`, Hono and similar hosts. @throws as `getPathPrefix` */
export function createFetchHandler(gateway: Gateway, options: MountOptions = {}): FetchHandler {
  const listener = createListener(gateway, options)
  const server = createServer((request, response) => {
    // The server side ends the connection. The client side would end it before all bytes are known to be received.
    response.once('close', () => request.socket.end())
    listener(request, response)
  })
  return (request, { address } = {}) =>
    new Promise((resolve, reject) => {
      const { pathname, search, protocol, host } = new URL(request.url)
      const [serverSide, clientSide] = duplexPair()
      const socket = Object.assign(serverSide, { remoteAddress: address, encrypted: protocol === 'https:' })
      server.emit('connection', socket)
      endTogether(serverSide, clientSide)
      const sent = sendRequest({
        createConnection: () => clientSide,
        method: request.method,
        path: pathname + search,
        headers: { host, ...toHeaders(request), connection: 'keep-alive' },
      })
      const hangUp = () => sent.destroy(request.signal.reason as Error)
      if (request.signal.aborted) hangUp()
      request.signal.addEventListener('abort', hangUp, { once: true })
      sent.once('close', () => request.signal.removeEventListener('abort', hangUp))
      sent.on('error', reject)
      sent.on('response', (answer) => resolve(toResponse(answer, request.method)))
      // A client that is answered early may stop sending its body. This is not an error.
      if (request.body) pipeline(Readable.fromWeb(request.body as ReadableStream), sent, () => {})
      else sent.end()
    })
}

function endTogether(one: Duplex, other: Duplex): void {
  one.once('close', () => other.destroy())
  other.once('close', () => one.destroy())
}

function toHeaders({ headers }: Request): OutgoingHttpHeaders {
  return Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.includes(name)))
}

function toResponse(answer: IncomingMessage, method: string): Response {
  const status = answer.statusCode ?? 500
  const headers = new Headers()
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const name = answer.rawHeaders[at]!
    if (!OF_CONNECTION.includes(name.toLowerCase())) headers.append(name, answer.rawHeaders[at + 1]!)
  }
  if (method === 'HEAD' || BODILESS.includes(status)) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  const body = Readable.toWeb(answer, { strategy: new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED_BYTES }) })
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers })
}
