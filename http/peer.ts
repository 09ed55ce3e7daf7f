// Where a request comes from: its address, its id, and whether it is from this very machine.
import type { IncomingMessage } from 'node:http'
import type { Gateway, Language } from '../core/index.ts'
import { clientAddress, isTrusted, trustedProxies } from './client-address.ts'
import { resolveRequestId } from './request-id.ts'

/** What is known of a request before anything is asked of it. */
export interface Peer {
  ip: string
  /** From this machine directly: a loopback connection, a loopback Host and no sign of a proxy. */
  near: boolean
  /** The browser's connection is encrypted: to us, or to a trusted proxy that says so. */
  secure: boolean
  request_id: string
  language: Language
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

type Knowing = Pick<Gateway, 'settings'>

/** The same answer for the whole life of a request. */
export function getPeer(gateway: Knowing, { req, state }: { req: IncomingMessage; state: { peer?: Peer } }): Peer {
  return (state.peer ??= lookAt(gateway, req))
}

/** For calls of the relay, where nothing is set up from. */
export const distantPeer = (gateway: Knowing, request: IncomingMessage): Peer => ({
  ip: addressOf(gateway, request),
  near: false,
  secure: false,
  request_id: resolveRequestId(gateway, request),
  language: languageOf(request),
})

const lookAt = (gateway: Knowing, request: IncomingMessage): Peer => ({
  ip: addressOf(gateway, request),
  near:
    LOOPBACK.test(request.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(request.headers.host ?? '') &&
    PROXY_HEADERS.every((name) => request.headers[name] === undefined),
  secure: isEncrypted(gateway, request),
  request_id: resolveRequestId(gateway, request),
  language: languageOf(request),
})

const languageOf = ({ headers }: IncomingMessage): Language =>
  /^\s*zh/i.test(headers['accept-language'] ?? '') ? 'zh' : 'en'

const addressOf = ({ settings }: Knowing, { socket, headers }: IncomingMessage): string =>
  clientAddress(
    socket.remoteAddress ?? '',
    headers['x-forwarded-for'] as string | undefined,
    trustedProxies(settings()),
  )

function isEncrypted({ settings }: Knowing, { socket, headers }: IncomingMessage): boolean {
  if ((socket as { encrypted?: boolean }).encrypted) return true
  const saysSo = /^\s*https\s*(,|$)/i.test(String(headers['x-forwarded-proto'] ?? ''))
  return saysSo && isTrusted(socket.remoteAddress ?? '', trustedProxies(settings()))
}
