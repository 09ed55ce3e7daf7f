// Where a request comes from: its address, its id, and whether it is from this very machine.
import type { IncomingMessage } from 'node:http'
import { randomBytes } from 'node:crypto'
import type { Language } from '../core/index.ts'

/** What is known of a request before anything is asked of it. */
export interface Peer {
  ip: string
  /** From this machine directly: a loopback connection, a loopback Host and no sign of a proxy. */
  near: boolean
  request_id: string
  language: Language
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

const known = new WeakMap<IncomingMessage, Peer>()

/** The same answer for the whole life of a request. */
export function peerOf(request: IncomingMessage): Peer {
  let peer = known.get(request)
  if (!peer) known.set(request, (peer = lookAt(request)))
  return peer
}

function lookAt(request: IncomingMessage): Peer {
  const ip = (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  return {
    ip,
    near:
      LOOPBACK.test(ip) &&
      LOOPBACK_HOST.test(request.headers.host ?? '') &&
      PROXY_HEADERS.every((name) => request.headers[name] === undefined),
    request_id: requestId(),
    language: /^\s*zh/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en',
  }
}

/** UTC time to the millisecond, then 12 random characters: sortable, and unique enough to name one call. */
function requestId(): string {
  const time = new Date().toISOString().replace(/\D/g, '')
  return time + randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')
}
