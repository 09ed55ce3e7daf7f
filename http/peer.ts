// The origin of a request: its address, its id, and whether it comes from this machine.
import type { IncomingMessage } from 'node:http'
import type { Gateway, Language } from '../core/index.ts'
import { clientAddress, isTrusted, trustedProxies } from './client-address.ts'
import { resolveRequestId } from './request-id.ts'

/** The facts about a request that need neither its path nor its body. */
export interface Peer {
  ip: string
  /** True if it comes directly from this machine: a loopback connection, a loopback Host and no header of a proxy. */
  near: boolean
  /** True if the browser's connection is encrypted: to Weir, or to a trusted proxy that reports it. */
  secure: boolean
  request_id: string
  language: Language
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

type SettingsSource = Pick<Gateway, 'settings'>

/** Returns the origin of a request, always the same object. */
export function getPeer(
  gateway: SettingsSource,
  { req, state }: { req: IncomingMessage; state: { peer?: Peer } },
): Peer {
  return (state.peer ??= buildPeer(gateway, req))
}

/** Returns the origin of a relay call, which has no rights of this machine. */
export const distantPeer = (gateway: SettingsSource, request: IncomingMessage): Peer => ({
  ip: getAddress(gateway, request),
  near: false,
  secure: false,
  request_id: resolveRequestId(gateway, request),
  language: getLanguage(request),
})

const buildPeer = (gateway: SettingsSource, request: IncomingMessage): Peer => ({
  ip: getAddress(gateway, request),
  near:
    LOOPBACK.test(request.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(request.headers.host ?? '') &&
    PROXY_HEADERS.every((name) => request.headers[name] === undefined),
  secure: isEncrypted(gateway, request),
  request_id: resolveRequestId(gateway, request),
  language: getLanguage(request),
})

const getLanguage = ({ headers }: IncomingMessage): Language =>
  /^\s*zh/i.test(headers['accept-language'] ?? '') ? 'zh' : 'en'

const getAddress = ({ settings }: SettingsSource, { socket, headers }: IncomingMessage): string =>
  clientAddress(
    socket.remoteAddress ?? '',
    headers['x-forwarded-for'] as string | undefined,
    trustedProxies(settings()),
  )

function isEncrypted({ settings }: SettingsSource, { socket, headers }: IncomingMessage): boolean {
  if ((socket as { encrypted?: boolean }).encrypted) return true
  const isReported = /^\s*https\s*(,|$)/i.test(String(headers['x-forwarded-proto'] ?? ''))
  return isReported && isTrusted(socket.remoteAddress ?? '', trustedProxies(settings()))
}
