// The door of Responses over a WebSocket: who may open one, how many, and for how long.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import {
  admitToken,
  wrapWebSocket,
  GatewayError,
  seconds,
  WEB_SOCKET_LIMITS,
  type CallCaller,
  type Gateway,
} from '../core/index.ts'
import { identify } from './key.ts'
import type { Peer } from './peer.ts'
import { REQUEST_ID_HEADERS } from './refuse.ts'
import { ResponseLanes } from './response-lanes.ts'
import { SocketMemory } from './socket-memory.ts'

const MIB = 1024 * 1024
const MINUTE_MS = 60_000
/** As long as at OpenAI. */
const LONGEST_MS = 60 * MINUTE_MS
/** A socket on which nothing is asked for so long is closed. */
const IDLE_MS = 30 * MINUTE_MS
const CHECK_MS = 5_000
/** Browsers give the key as one of the protocols. The answer never repeats it. */
const KEY_PROTOCOL = /^openai-insecure-api-key\./

export interface ResponsesSocketDoor {
  /**
   * Upgrades the request and serves it; resolves when the socket is closed and all is charged.
   * @throws GatewayError what refuses the key, socket.off, socket.many, server.stopping: before the upgrade
   */
  open(request: IncomingMessage, socket: Duplex, head: Buffer, peer: Peer): Promise<void>
  /** No further response begins; resolves when those under way are over and all sockets are closed. */
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
): ResponsesSocketDoor {
  const open = new Map<ResponseLanes, Promise<void>>()
  const socketsOf = new Map<number, number>()
  const { clock } = gateway.ports
  let stopChecking: (() => void) | undefined
  let closing = false

  /** Sockets that are too old or too long idle. */
  function check(): void {
    const now = clock.now()
    for (const lanes of open.keys()) {
      if (now - lanes.opened_at >= longest_ms) lanes.expire(longest_ms / MINUTE_MS)
      else if (lanes.isIdle && now - lanes.active_at >= idle_ms) lanes.closeIdle(idle_ms / MINUTE_MS)
    }
  }

  /** @throws GatewayError socket.off, socket.many */
  function countIn({ user }: CallCaller): () => void {
    const limit = gateway.settings()['responses.sockets_per_user']
    const own = socketsOf.get(user.id) ?? 0
    if (limit === 0) throw new GatewayError('socket.off')
    if (own >= limit) throw new GatewayError('socket.many', { limit })
    socketsOf.set(user.id, own + 1)
    return () => {
      const left = (socketsOf.get(user.id) ?? 1) - 1
      if (left > 0) socketsOf.set(user.id, left)
      else socketsOf.delete(user.id)
    }
  }

  return {
    async open(request, socket, head, peer) {
      if (gateway.settings()['responses.sockets_per_user'] === 0) throw new GatewayError('socket.off')
      if (closing) throw new GatewayError('server.stopping')
      const { caller } = await identify(gateway, request, peer)
      admitToken(caller, seconds(clock))
      const leave = countIn(caller)
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

/** Upgrades the connection. Undefined if the caller has closed it meanwhile. */
function accept(gateway: Gateway, request: IncomingMessage, socket: Duplex, head: Buffer, peer: Peer) {
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
