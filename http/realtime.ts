// The handler of WebSockets: reads key and model from the request, opens a session with a provider, and only then upgrades the
// client's connection, so that a refusal is still a response with a status.
import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Call, Conversation, Gateway, RealtimeSession } from '../core/index.ts'
import {
  wrapWebSocket,
  createAbortSource,
  GatewayError,
  openaiRealtime,
  openaiResponses,
  WEB_SOCKET_LIMITS,
} from '../core/index.ts'
import { toJsonBytes } from '../core/dialects/json/json-bytes.ts'
import { getPathPrefix, type MountOptions, toOwnAddress, toRelayPath } from './base-path.ts'
import { CLIENT_CLOSED_REQUEST, createRequestObserver, type RequestObserver } from './request-observer.ts'
import { pickDialectHeaders, readSessionHeader } from './build-call.ts'
import { identifyCaller, parseQuery } from './key.ts'
import { toDistantPeer, type RequestPeer } from './peer.ts'
import { CLIENT_DISCONNECTED, sendRefusal, REQUEST_ID_HEADERS } from './refuse.ts'
import { findRelayRoute } from './relay-paths.ts'
import { REALTIME_PATH, RESPONSES_PATH } from './relay-route.ts'
import { createResponsesSocketDoor } from './responses-socket.ts'

export interface RealtimeDoor {
  /** True for requests below the path that the handler is mounted at. */
  serves(request: IncomingMessage): boolean
  /** Handles a server's `upgrade` event. Never rejects. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends every session; resolves when all are charged. */
  close(): Promise<void>
}

const PROTOCOL = 'realtime'
/** WebSocket protocol by which clients of the beta API announce it if they cannot send headers. */
const BETA_PROTOCOL = 'openai-beta.realtime-v1'
const GOING_AWAY = 1001

/** Creates the handler of a server's WebSockets; `listenForUpgrades` attaches it. @throws as `getPathPrefix` */
export function createRealtimeHandler(gateway: Gateway, options: MountOptions = {}): RealtimeDoor {
  const prefix = getPathPrefix(options)
  const ids = new WeakMap<IncomingMessage, string>()
  const server = new WebSocketServer({
    noServer: true,
    ...WEB_SOCKET_LIMITS,
    // A key among the offered protocols is never sent back.
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  server.on('headers', (headers, request) => {
    const id = ids.get(request)
    if (id) headers.push(...REQUEST_ID_HEADERS.map((name) => `${name}: ${id}`))
  })
  const responses = createResponsesSocketDoor(gateway)
  const endings = new Map<() => void, Promise<void>>()
  let closing = false

  async function serve(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const peer = toDistantPeer(gateway, request)
    ids.set(request, peer.request_id)
    if (isResponses(request, prefix)) return serveResponses(request, socket, head, peer)
    const observer = createRequestObserver(gateway, request, peer, () => REALTIME_PATH)?.traced(request)
    const hangUp = createAbortSource()
    socket.once('close', () => hangUp.now(CLIENT_DISCONNECTED))
    socket.on('error', () => socket.destroy())
    let session: RealtimeSession
    try {
      session = await gateway.realtime(
        await buildRealtimeCall(gateway, request, peer, { prefix, signal: hangUp.signal, observer }),
      )
    } catch (error) {
      if (socket.destroyed) return observer?.ended(CLIENT_CLOSED_REQUEST, true)
      const failure = answer(gateway, request, socket as Socket, peer, error, observer?.trace)
      observer?.refused(failure)
      return observer?.ended(failure.status)
    }
    const caller = closing ? undefined : await accept(request, socket, head)
    if (!caller) {
      socket.destroy()
      await session.abandon()
      return observer?.ended(CLIENT_CLOSED_REQUEST, true)
    }
    const end = () => caller.close(GOING_AWAY, 'the server is stopping')
    const running = session.run(caller).finally(() => endings.delete(end))
    endings.set(end, running)
    await running.finally(() => observer?.ended(101))
  }

  async function serveResponses(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    peer: RequestPeer,
  ): Promise<void> {
    const observer = createRequestObserver(gateway, request, peer, () => RESPONSES_PATH)?.traced(request)
    socket.on('error', () => socket.destroy())
    try {
      await responses.open(request, socket, head, peer)
      observer?.ended(101)
    } catch (error) {
      if (socket.destroyed) return observer?.ended(CLIENT_CLOSED_REQUEST, true)
      const failure = answer(gateway, request, socket as Socket, peer, error, observer?.trace)
      observer?.refused(failure)
      observer?.ended(failure.status)
    }
  }

  const accept = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    new Promise<Conversation | undefined>((resolve) => {
      if (socket.destroyed) return resolve(undefined)
      socket.once('close', () => resolve(undefined))
      const max_frames_per_second = gateway.settings()['relay.max_frames_per_second']
      server.handleUpgrade(request, socket, head, (accepted) =>
        resolve(wrapWebSocket(accepted, socket, { refusal: 'request.frames', max_frames_per_second })),
      )
    })

  return {
    serves: (request) => toOwnAddress(prefix, request) !== undefined,
    upgrade(request, socket, head) {
      serve(request, socket, head).catch((error: unknown) => {
        gateway.ports.logger.error('realtime failed', { request_id: ids.get(request), error: String(error) })
        socket.destroy()
      })
    },
    async close() {
      closing = true
      for (const end of endings.keys()) end()
      await Promise.allSettled([...endings.values(), responses.close()])
    },
  }
}

/** True if a `POST` to the address would be a call of Responses. */
function isResponses(request: IncomingMessage, prefix: string): boolean {
  const route = findRelayRoute('GET', toOwnAddress(prefix, request) ?? '')
  return route?.operation === 'websocket' && route.dialect === openaiResponses
}

/** @throws GatewayError request.unknown_path, request.no_model, key.absent, key.unknown */
async function buildRealtimeCall(
  gateway: Gateway,
  request: IncomingMessage,
  peer: RequestPeer,
  { prefix, signal, observer }: { prefix: string; signal: Call['signal']; observer: RequestObserver | undefined },
): Promise<Call> {
  const path = (toOwnAddress(prefix, request) ?? '').split('?')[0] ?? ''
  if (toRelayPath(path)?.path !== REALTIME_PATH) {
    throw new GatewayError('request.unknown_path', { method: request.method ?? '', path })
  }
  const { caller, pin } = await identifyCaller(gateway, request, peer)
  observer?.by(caller.user.id, caller.token?.id)
  const headers = pickDialectHeaders(request, openaiRealtime)
  const beta = request.headers['sec-websocket-protocol']?.includes(BETA_PROTOCOL)
  return {
    inbound: openaiRealtime,
    body: toJsonBytes({ model: parseQuery(request).get('model') ?? '' }),
    headers: { ...(beta ? { 'openai-beta': 'realtime=v1' } : {}), ...headers },
    caller,
    signal,
    started_at: gateway.ports.clock.now(),
    pin,
    session: readSessionHeader(request),
    trace: observer?.trace,
    onFinished: observer?.onFinished,
    refused: observer?.refusedCall,
  }
}

/** Refuses the request with a status, like any other request. */
function answer(
  gateway: Gateway,
  request: IncomingMessage,
  socket: Socket,
  peer: RequestPeer,
  error: unknown,
  trace: Call['trace'],
) {
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  response.shouldKeepAlive = false
  response.on('finish', () => socket.destroySoon())
  return sendRefusal(gateway, request, response, openaiRealtime, peer, error, trace)
}

// Upgrade requests: WebSockets go to their handler, all other protocols are ignored, as RFC 9110, 7.8 allows. JDK's client and
// `curl --http2` request HTTP/2 in this way from every unencrypted server.

/**
 * Passes a server's WebSockets to their handler. Requests for other protocols are served as if they did not ask for them. Requests
 * that are not below the handler's path are left to the host's own listeners, if it has any.
 */
export function listenForUpgrades(server: Server, realtime: RealtimeDoor): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const isServed = realtime.serves(request)
    if (!isServed && server.listenerCount('upgrade') > 1) return
    if (isServed && isWebSocket(request)) return realtime.upgrade(request, socket, head)
    // Node has detached the connection and read no body. Emit it again, with the same request without its upgrade header.
    socket.unshift(Buffer.concat([rebuildHead(request), head]))
    server.emit('connection', socket)
  })
}

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /^\s*websocket\s*$/i.test(headers.upgrade ?? '')

function rebuildHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
