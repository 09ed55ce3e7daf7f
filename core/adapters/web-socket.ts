// WebSockets over `ws`: any socket of it as a conversation, and calls to providers, through a proxy where one is named.
import type { Agent, IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import WebSocket, { type RawData } from 'ws'
import { GatewayError } from '../errors.ts'
import type { Conversation, Ending, SocketMessage } from '../ports/conversation.ts'
import type { Signal } from '../ports/signal.ts'
import type { ConnectReply, ConnectRequest } from '../ports/upstream.ts'
import type { ChannelGuard } from './channel-guard.ts'
import { endedBy, networkFailure } from './network-failure.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** Larger messages end the conversation (close code 1009). Fifteen megabytes of sound in base64 fit. */
export const MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024
/** So much may wait to be read, or to be sent, before its sender is held back. */
const HIGH_WATER_BYTES = 1024 * 1024
/** Who says nothing, not even to a ping, for two of these is gone. */
const PING_MS = 30_000
const MAX_REASON_BYTES = 123
/** Who does not answer a close is cut off after this long. */
const CLOSE_MS = 5_000

async function agentOf(proxy: string, own: { lookup?: LookupFunction }): Promise<Agent> {
  if (proxy.startsWith('socks'))
    return new (await import('socks-proxy-agent')).SocksProxyAgent(proxy, { socketOptions: own })
  return new (await import('https-proxy-agent')).HttpsProxyAgent(proxy, own)
}

/** @throws GatewayError upstream.unreachable when no answer comes; rejects with the signal's reason when it is aborted */
export async function connectWebSocket(
  request: ConnectRequest,
  signal: Signal,
  guard: ChannelGuard,
): Promise<ConnectReply> {
  const own = request.guarded ? { lookup: guard.lookup } : {}
  if (request.guarded)
    await guard.check(request.url, request.proxy).catch((cause: Error) => {
      throw unreachable(request, cause)
    })
  const agent = request.proxy ? await agentOf(request.proxy, own) : undefined
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(endedBy(signal))
    const { url, headers } = request
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      ...own,
      ...(agent ? { agent } : {}),
    })
    const abort = () => socket.terminate()
    const done = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    // Here and not once it is open: the first message may come in the same packet.
    const conversation = conversationOver(socket)
    socket.once('open', () => {
      done()
      resolve({ conversation })
    })
    socket.once('unexpected-response', (_, response: IncomingMessage) => {
      done()
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')])
      resolve({ refused: { status: response.statusCode ?? 502, headers: Object.fromEntries(flat), body: response } })
    })
    socket.once('error', (cause: Error) => {
      done()
      if (signal.aborted) reject(endedBy(signal))
      else reject(unreachable(request, cause))
    })
  })
}

function unreachable({ url, proxy }: ConnectRequest, cause: Error): GatewayError {
  const network = networkFailure(cause, { proxy: proxy !== undefined && proxy !== '' })
  const detail = `${url.split('?')[0]}: ${cause.message}`
  return new GatewayError('upstream.unreachable', {}, { cause, detail, network })
}

/** A socket, open or opening, as a conversation. */
export function conversationOver(socket: WebSocket): Conversation {
  const waiting: SocketMessage[] = []
  let size = 0
  let ending: Ending | undefined
  let wake: (() => void) | undefined
  let answered = true

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

  socket.on('pong', () => (answered = true))
  socket.on('message', (data: RawData, isBinary) => {
    answered = true
    // What comes after it was closed is dropped: to wait for readers would keep the other side's close away.
    if (ending) return
    const bytes = bytesOf(data)
    waiting.push(isBinary ? bytes : bytes.toString())
    size += bytes.length
    if (size > HIGH_WATER_BYTES) socket.pause()
    wake?.()
  })
  socket.on('close', (code, reason) => end(code, reason.toString()))
  socket.on('error', () => undefined) // a close always follows

  return {
    messages: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const next = waiting.shift()
          if (next !== undefined) {
            size -= typeof next === 'string' ? Buffer.byteLength(next) : next.length
            if (socket.isPaused && size <= HIGH_WATER_BYTES) socket.resume()
            yield next
          } else if (ending) return
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
      // Nothing more is read, so that whoever reads is done; what had come is still read.
      end(1000, '')
      socket.resume()
      socket.close(maySend(code) ? code : 1011, Buffer.from(reason).subarray(0, MAX_REASON_BYTES))
      const cut = setTimeout(() => socket.terminate(), CLOSE_MS)
      socket.once('close', () => clearTimeout(cut))
    },
    ended: () => ending,
  }
}

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data

/** Codes for the inside of a program (1005, 1006, 1015) have no place on the wire. */
const maySend = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999)
