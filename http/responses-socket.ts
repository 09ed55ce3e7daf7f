// Responses over a WebSocket: access, the number of sockets of a user, and their maximum age.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { CallCaller, Gateway } from '../core/index.ts'
import { admitToken, wrapWebSocket, GatewayError, openaiResponses, seconds, WEB_SOCKET_LIMITS } from '../core/index.ts'
import { identifyCaller } from './key.ts'
import type { RequestPeer } from './peer.ts'
import { REQUEST_ID_HEADERS } from './refuse.ts'
import { ResponseLanes } from './response-lanes.ts'
import { SocketMemory } from './socket-memory.ts'

const MIB = 1024 * 1024
const MINUTE_MS = 60_000
/** Maximum age of a socket, the same as at OpenAI. */
const LONGEST_MS = 60 * MINUTE_MS
/** A socket without requests is closed after this time. */
const IDLE_MS = 30 * MINUTE_MS
const CHECK_MS = 5_000
/** Browsers send the key as one of the protocols. The response never repeats it. */
const KEY_PROTOCOL = /^openai-insecure-api-key\./

export interface ResponsesSocketServer {
  /**
   * Upgrades the request and serves it. Resolves once the socket is closed and all is charged.
   * @throws GatewayError as `identify` and `admitToken`, socket.off, socket.many, server.stopping: before the upgrade
   */
  open(request: IncomingMessage, socket: Duplex, head: Buffer, peer: RequestPeer): Promise<void>
  /** Lets no further response start. Resolves once the running ones have ended and all sockets are closed. */
  close(): Promise<void>
}

interface Times {
  longest_ms?: number
  idle_ms?: number
  check_ms?: number
}

/** The answers of all sockets of this process. */
const memory = new SocketMemory()

export function createResponsesSocketDoor(
  gateway: Gateway,
  { longest_ms = LONGEST_MS, idle_ms = IDLE_MS, check_ms = CHECK_MS }: Times = {},
): ResponsesSocketServer {
  const open = new Map<ResponseLanes, Promise<void>>()
  const socketsByUser = new Map<number, number>()
  const { clock } = gateway.ports
  let stopChecking: (() => void) | undefined
  let closing = false

  /** Closes the sockets that are too old or have been idle for too long. */
  function check(): void {
    const now = clock.now()
    for (const lanes of open.keys()) {
      if (now - lanes.opened_at >= longest_ms) lanes.expire(longest_ms / MINUTE_MS)
      else if (lanes.isIdle && now - lanes.active_at >= idle_ms) lanes.closeIdle(idle_ms / MINUTE_MS)
    }
  }

  /** Counts a socket of the user and returns the function that ends it. @throws GatewayError socket.off, socket.many */
  function countSocket({ user }: CallCaller): () => void {
    const limit = gateway.settings()['responses.sockets_per_user']
    const own = socketsByUser.get(user.id) ?? 0
    if (limit === 0) throw new GatewayError('socket.off')
    if (own >= limit) throw new GatewayError('socket.many', { limit })
    socketsByUser.set(user.id, own + 1)
    return () => {
      const remaining = (socketsByUser.get(user.id) ?? 1) - 1
      if (remaining > 0) socketsByUser.set(user.id, remaining)
      else socketsByUser.delete(user.id)
    }
  }

  /** Checks the token and counts the socket. A refusal is reported. @throws GatewayError as `admitToken`, `countSocket` */
  function admitSocket(caller: CallCaller): () => void {
    try {
      admitToken(caller, seconds(clock))
      return countSocket(caller)
    } catch (error) {
      gateway.refuseCall({ inbound: openaiResponses, caller }, error)
      throw error
    }
  }

  return {
    async open(request, socket, head, peer) {
      if (gateway.settings()['responses.sockets_per_user'] === 0) throw new GatewayError('socket.off')
      if (closing) throw new GatewayError('server.stopping')
      const { caller } = await identifyCaller(gateway, request, peer)
      const leave = admitSocket(caller)
      try {
        const conversation = await accept(gateway, request, socket, head, peer)
        if (!conversation) return
        const answers = memory.open(caller.user.id)
        const lanes = new ResponseLanes(gateway, { request, peer, caller, conversation, answers })
        const running = lanes.run().finally(() => open.delete(lanes))
        open.set(lanes, running)
        stopChecking ??= clock.every(check_ms, check)
        if (closing) lanes.stop()
        await running
      } finally {
        leave()
        if (open.size === 0) {
          stopChecking?.()
          stopChecking = undefined
        }
      }
    },
    async close() {
      closing = true
      for (const lanes of open.keys()) lanes.stop()
      await Promise.allSettled(open.values())
    },
  }
}

/** Upgrades the connection. Resolves to undefined if the client closes it before that. */
function accept(gateway: Gateway, request: IncomingMessage, socket: Duplex, head: Buffer, peer: RequestPeer) {
  const settings = gateway.settings()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    ...WEB_SOCKET_LIMITS,
    maxPayload: settings['relay.max_body_megabytes'] * MIB,
    handleProtocols: (offered) => [...offered].find((name) => !KEY_PROTOCOL.test(name)) ?? false,
  })
  server.on('headers', (headers) => headers.push(...REQUEST_ID_HEADERS.map((name) => `${name}: ${peer.request_id}`)))
  return new Promise<ReturnType<typeof wrapWebSocket> | undefined>((resolve) => {
    if (socket.destroyed) return resolve(undefined)
    socket.once('close', () => resolve(undefined))
    const max_frames_per_second = settings['relay.max_frames_per_second']
    server.handleUpgrade(request, socket, head, (accepted) =>
      resolve(wrapWebSocket(accepted, socket, { refusal: 'request.frames', max_frames_per_second })),
    )
  })
}
