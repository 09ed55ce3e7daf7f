// WebSockets over `ws`: any of its sockets as a conversation, and connections to providers, through a proxy if one is
// configured.
import type { Agent, IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import WebSocket, { type RawData } from 'ws'
import { GatewayError, type ErrorCode } from '../errors.ts'
import type { Conversation, ConversationEnd, SocketMessage, ConnectReply, ConnectRequest } from '../ports/upstream.ts'
import type { AbortSignalLike } from '../ports/clock.ts'
import type { ChannelGuard } from './channel-guard.ts'
import { NO_ENVIRONMENT_PROXIES, type EnvironmentProxies } from './environment-proxies.ts'
import { classifyNetworkFailure, getAbortError } from './start-error.ts'

// Counts the frames of a WebSocket in the bytes of its connection, including fragments, pings and pongs, which the
// library reports late or not at all. An empty frame counts as much as a large one, because each costs work.

interface FrameRate {
  /** Counts the frames that begin in the next bytes of the connection. Returns false once the limit is exceeded. */
  admits(bytes: Uint8Array): boolean
  /** Reports that reading was paused until now: frames that the sender sent during the pause may arrive at once. */
  onResumed(): void
}

/** The longest pause that a sender gets credit for. Unit: seconds. */
const MAX_HELD_SECONDS = 60

/**
 * `perSecond` frames may arrive in a second, or at once after a pause of that length; `now` is in ms, and never goes
 * back.
 */
export function createFrameRate(perSecond: number, now: () => number): FrameRate {
  const walk = createFrameWalk()
  let remaining = perSecond
  let earnedAt = now()

  function earn(most: number): void {
    const at = now()
    const earned = ((at - earnedAt) / 1000) * perSecond
    remaining = Math.max(remaining, Math.min(most, remaining + earned))
    earnedAt = at
  }

  return {
    admits(bytes) {
      earn(perSecond)
      return walk(bytes, () => --remaining >= 0)
    },
    onResumed: () => earn(perSecond * MAX_HELD_SECONDS),
  }
}

/** Calls `onFrame` for each frame that begins in the bytes, and stops for good once it returns false. */
type FrameWalk = (bytes: Uint8Array, onFrame: () => boolean) => boolean

const SHORT_HEAD = 2
const MASK = 4

/**
 * Parses the headers of frames (RFC 6455, 5.2) and skips the rest. A header may be split anywhere between two runs of
 * bytes.
 */
function createFrameWalk(): FrameWalk {
  const head = new DataView(new ArrayBuffer(14))
  let filled = 0
  let needed = SHORT_HEAD
  let payload = 0

  return (bytes, onFrame) => {
    for (let at = 0; at < bytes.length;) {
      if (payload > 0) {
        const skipped = Math.min(payload, bytes.length - at)
        payload -= skipped
        at += skipped
        continue
      }
      head.setUint8(filled++, bytes[at++]!)
      if (filled === SHORT_HEAD) needed = headLength(head.getUint8(1))
      if (filled < needed) continue
      payload = payloadLength(head)
      filled = 0
      needed = SHORT_HEAD
      if (!onFrame()) return false
    }
    return true
  }
}

/**
 * Returns the length of a header from its second byte: the mask bit, and seven bits with the payload length or the size
 * of its field.
 */
const headLength = (second: number): number => {
  const short = second & 0x7f
  return SHORT_HEAD + (short === 126 ? 2 : short === 127 ? 8 : 0) + (second & 0x80 ? MASK : 0)
}

function payloadLength(head: DataView): number {
  const short = head.getUint8(1) & 0x7f
  return short === 126 ? head.getUint16(2) : short === 127 ? Number(head.getBigUint64(2)) : short
}

const CONNECT_TIMEOUT_MS = 10_000
/** Larger messages end the conversation (close code 1009). Fifteen megabytes of audio in base64 fit. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
/** Bytes that may wait to be read, or to be sent, before the sender is paused. */
const HIGH_WATER_BYTES = 1024 * 1024
/** Messages of any size that may wait to be read. */
const HIGH_WATER_MESSAGES = 256
/** Messages to read in one turn of the event loop. */
const READ_AT_ONCE = 64
/** Pings that follow an answered one within this time, in ms, are answered together, as RFC 6455, 5.5.3 allows. */
const PONG_MS = 100
/** A peer that sends nothing, not even a pong, for two of these intervals is considered gone, in ms. */
const PING_MS = 30_000
const MAX_REASON_BYTES = 123
/** A peer that does not answer a close is cut off after this time, in ms. */
const CLOSE_MS = 5_000

const REFUSED = 1008

/** Options for reading every WebSocket, from either side. */
export const WEB_SOCKET_LIMITS = {
  maxPayload: MAX_MESSAGE_BYTES,
  // For messages that arrive one byte at a time: joining 16,384 pieces takes 3 to 40 ms, the library's 262,144 take 20
  // s.
  maxBufferedChunks: 16 * 1024,
  perMessageDeflate: false,
  // One message or control frame in each turn of the event loop.
  allowSynchronousEvents: false,
  // Pings are answered here, at a bounded rate.
  autoPong: false,
} as const

async function createAgent(proxy: string, own: { lookup?: LookupFunction }): Promise<Agent> {
  if (proxy.startsWith('socks'))
    return new (await import('socks-proxy-agent')).SocksProxyAgent(proxy, { socketOptions: own })
  return new (await import('https-proxy-agent')).HttpsProxyAgent(proxy, own)
}

/** @throws GatewayError upstream.unreachable when no answer comes; rejects with the signal's reason when it is aborted */
export async function connectWebSocket(
  request: ConnectRequest,
  signal: AbortSignalLike,
  guard: ChannelGuard,
  proxies: EnvironmentProxies = NO_ENVIRONMENT_PROXIES,
): Promise<ConnectReply> {
  const shared = request.proxy ? undefined : proxies.find(request.url)
  const own = request.guarded && !shared ? { lookup: guard.lookup } : {}
  if (request.guarded)
    await guard.check(request.url, request.proxy, shared !== undefined).catch((cause: Error) => {
      throw unreachable(request, cause)
    })
  const proxy = request.proxy || shared
  const agent = proxy ? await createAgent(proxy, own) : undefined
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(getAbortError(signal))
    const { url, headers, max_frames_per_second } = request
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      ...WEB_SOCKET_LIMITS,
      ...own,
      ...(agent ? { agent } : {}),
    })
    const abort = () => socket.terminate()
    const done = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    let connection: Duplex
    socket.once('upgrade', (response) => (connection = response.socket))
    socket.once('open', () => {
      done()
      // Synchronous, because the first message may have arrived in the same packet.
      const conversation = wrapWebSocket(socket, connection, { refusal: 'upstream.frames', max_frames_per_second })
      resolve({ conversation })
    })
    socket.once('unexpected-response', (_, response: IncomingMessage) => {
      done()
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')])
      resolve({ refused: { status: response.statusCode ?? 502, headers: Object.fromEntries(flat), body: response } })
    })
    socket.once('error', (cause: Error) => {
      done()
      if (signal.aborted) reject(getAbortError(signal))
      else reject(unreachable(proxy ? { ...request, proxy } : request, cause))
    })
  })
}

function unreachable({ url, proxy }: ConnectRequest, cause: Error): GatewayError {
  const network = classifyNetworkFailure(cause, { proxy: proxy !== undefined && proxy !== '' })
  const detail = `${url.split('?')[0]}: ${cause.message}`
  return new GatewayError('upstream.unreachable', {}, { cause, detail, network })
}

interface FrameLimit {
  /** Maximum number of frames per second. */
  max_frames_per_second: number
  /** The error for a side that sends more. */
  refusal: Extract<ErrorCode, 'request.frames' | 'upstream.frames'>
}

/**
 * Wraps an open socket as a conversation. Must be called in the same turn in which it opened: `connection` has
 * delivered no bytes yet.
 */
export function wrapWebSocket(
  socket: WebSocket,
  connection: Duplex,
  { max_frames_per_second, refusal }: FrameLimit,
): Conversation {
  const frames = createFrameRate(max_frames_per_second, () => performance.now())
  const waiting: SocketMessage[] = []
  let size = 0
  let ending: ConversationEnd | undefined
  let refused: GatewayError | undefined
  let wake: (() => void) | undefined
  let answered = true
  let refuse!: (why: GatewayError) => void
  const offence = new Promise<never>((_, reject) => (refuse = reject))
  // Avoids an unhandled rejection before the session runs.
  offence.catch(() => undefined)

  function end(code: number, reason: string): void {
    clearInterval(pings)
    ending ??= { code, reason }
    wake?.()
  }
  const pings = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!answered && !socket.isPaused) return socket.terminate()
    answered = false
    socket.ping()
  }, PING_MS).unref()

  connection.on('data', (bytes: Buffer) => {
    if (!frames.admits(bytes)) offend()
  })
  function offend(): void {
    waiting.length = 0
    discardRest(socket, connection)
    // A side that has been notified of the end receives nothing more.
    if (ending) return void connection.end()
    refused = new GatewayError(refusal, { limit: max_frames_per_second })
    refuse(refused)
    wake?.()
  }

  socket.on('ping', createPingAnswer(socket))
  socket.on('pong', () => (answered = true))
  socket.on('message', (data: RawData, isBinary) => {
    answered = true
    // Messages after the close are dropped: waiting for readers would block the other side's close.
    if (ending || refused) return
    const bytes = toBytes(data)
    waiting.push(isBinary ? bytes : bytes.toString())
    size += bytes.length
    if (size > HIGH_WATER_BYTES || waiting.length > HIGH_WATER_MESSAGES) socket.pause()
    wake?.()
  })
  socket.on('close', (code, reason) => end(code, reason.toString()))
  socket.on('error', () => undefined) // A close event always follows.

  function resumeReading(): void {
    if (!socket.isPaused || refused || size > HIGH_WATER_BYTES || waiting.length > HIGH_WATER_MESSAGES) return
    frames.onResumed()
    socket.resume()
  }

  return {
    offence,
    messages: {
      async *[Symbol.asyncIterator]() {
        for (let read = 1; ; read++) {
          const next = waiting.shift()
          if (next !== undefined) {
            size -= typeof next === 'string' ? Buffer.byteLength(next) : next.length
            resumeReading()
            yield next
            if (read % READ_AT_ONCE === 0) await nextTurn()
          } else if (refused) throw refused
          else if (ending) return
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      },
    },
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return undefined
      if (socket.bufferedAmount < HIGH_WATER_BYTES) return void socket.send(message, () => undefined)
      return new Promise((resolve) => socket.send(message, () => resolve()))
    },
    close(code, reason) {
      if (ending) return
      // Reading ends here for later messages. Those that have arrived are still read.
      end(1000, '')
      if (!refused) socket.resume()
      socket.close(refused ? REFUSED : maySend(code) ? code : 1011, Buffer.from(reason).subarray(0, MAX_REASON_BYTES))
      // The answer to the close comes after the discarded bytes, so it is not awaited.
      if (refused) connection.end()
      const cut = setTimeout(() => socket.terminate(), CLOSE_MS)
      socket.once('close', () => clearTimeout(cut))
    },
    ended: () => ending,
  }
}

/** Discards the rest of an offender's bytes, so that the offender can read the reason of the close. */
function discardRest(socket: WebSocket, connection: Duplex): void {
  let discarded = 0
  connection.removeAllListeners('data')
  connection.on('data', (bytes: Buffer) => {
    discarded += bytes.length
    if (discarded > MAX_MESSAGE_BYTES) socket.terminate()
  })
  connection.resume()
}

/**
 * Answers the first ping at once. Of the pings within `PONG_MS` after it, answers only the newest, at the end of that
 * time.
 */
function createPingAnswer(socket: WebSocket): (data: Buffer) => void {
  let resting = false
  let newest: Buffer | undefined
  return function answer(data) {
    if (resting) return void (newest = data)
    if (socket.readyState !== WebSocket.OPEN) return
    socket.pong(data, undefined, () => undefined)
    resting = true
    setTimeout(() => {
      resting = false
      const next = newest
      newest = undefined
      if (next) answer(next)
    }, PONG_MS).unref()
  }
}

const toBytes = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data

/** Codes for use inside a program (1005, 1006, 1015) must not be sent. */
const maySend = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999)
