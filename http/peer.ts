// The origin of a request: its address, its id, and whether it comes from this machine.
import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Gateway, Language, Settings } from '../core/index.ts'
import { memoize } from '../core/memoize.ts'

// The client's address behind proxies: each proxy appends the address of its client to X-Forwarded-For, so the list is read from
// the right, and only as far as the proxies that wrote it are trusted.

/** Returns the addresses and networks of the operator's proxies; undefined if there are none. */
export const getTrustedProxies: (settings: Pick<Settings, 'TrustedProxies'>) => BlockList | undefined =
  memoize(toBlockList)

/**
 * Finds the address that a request comes from.
 * @param remote the address of the connection
 * @param forwarded the X-Forwarded-For header; any client can send one, so it counts only from a trusted proxy
 * @param proxies the operator's proxies
 */
export function findClientAddress(
  remote: string,
  forwarded: string | undefined,
  proxies: BlockList | undefined,
): string {
  let address = plain(remote)
  if (proxies === undefined || forwarded === undefined) return address
  const hops = forwarded.split(',')
  while (hops.length > 0 && isListed(proxies, address)) {
    const next = plain(withoutPort(hops.pop() ?? ''))
    // An entry that is not an address is ignored, with all entries before it.
    if (isIP(next) === 0) break
    address = next
  }
  return address
}

/** True if the address is one of the operator's proxies. */
export const isTrusted = (remote: string, proxies: BlockList | undefined): boolean =>
  proxies !== undefined && isListed(proxies, plain(remote))

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const plain = (address: string) =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}

function toBlockList({ TrustedProxies: trusted }: Pick<Settings, 'TrustedProxies'>): BlockList | undefined {
  if (trusted.length === 0) return undefined
  const list = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = getFamily(address)
    if (!family) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function getFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

function isListed(list: BlockList, address: string): boolean {
  const family = getFamily(address)
  return family !== undefined && list.check(address, family)
}

// Request ids: the client's, if the settings allow that; otherwise a new one of UTC time to the millisecond and 12 random letters
// and digits. Such ids can be sorted, and are unique enough to identify one call.

const LETTERS = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzAB', 'latin1')
const RANDOM_LENGTH = 12
const SECOND_LENGTH = 14
const TIME_LENGTH = SECOND_LENGTH + 3
const ZERO = 48

/** Random bytes for many ids, drawn at once, since this runs on every call. For the same reason the text of a second is reused. */
const pool = new Uint8Array(RANDOM_LENGTH * 512)
let used = pool.length
let second = 0
const text = Buffer.alloc(TIME_LENGTH + RANDOM_LENGTH)

/** Ids accepted from clients: long enough to be distinct, and without characters that are special in logs, headers or addresses. */
const NAMED = /^[\w.:-]{8,128}$/

/** Returns the id of a request: the one in X-Request-Id if the settings allow that, otherwise a new one. */
export function resolveRequestId({ settings }: Pick<Gateway, 'settings'>, { headers }: IncomingMessage): string {
  const named = settings()['relay.share_request_ids'] ? headers['x-request-id'] : undefined
  return typeof named === 'string' && NAMED.test(named) ? named : createRequestId()
}

export function createRequestId(): string {
  const now = Date.now()
  const ms = now % 1000
  if (now - ms !== second) {
    second = now - ms
    text.write(new Date(second).toISOString().replace(/\D/g, '').slice(0, SECOND_LENGTH), 'latin1')
  }
  text[SECOND_LENGTH] = ZERO + Math.floor(ms / 100)
  text[SECOND_LENGTH + 1] = ZERO + (Math.floor(ms / 10) % 10)
  text[SECOND_LENGTH + 2] = ZERO + (ms % 10)
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  for (let at = TIME_LENGTH; at < text.length; at++) text[at] = LETTERS[pool[used++]! & 63]!
  return text.toString('latin1')
}

/** The facts about a request that need neither its path nor its body. */
export interface RequestPeer {
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
  { req, state }: { req: IncomingMessage; state: { peer?: RequestPeer } },
): RequestPeer {
  return (state.peer ??= buildPeer(gateway, req))
}

/** Returns the origin of a relay call, which has no rights of this machine. */
export const toDistantPeer = (gateway: SettingsSource, request: IncomingMessage): RequestPeer => ({
  ip: getAddress(gateway, request),
  near: false,
  secure: false,
  request_id: resolveRequestId(gateway, request),
  language: getLanguage(request),
})

const buildPeer = (gateway: SettingsSource, request: IncomingMessage): RequestPeer => ({
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
  findClientAddress(
    socket.remoteAddress ?? '',
    headers['x-forwarded-for'] as string | undefined,
    getTrustedProxies(settings()),
  )

function isEncrypted({ settings }: SettingsSource, { socket, headers }: IncomingMessage): boolean {
  if ((socket as { encrypted?: boolean }).encrypted) return true
  const isReported = /^\s*https\s*(,|$)/i.test(String(headers['x-forwarded-proto'] ?? ''))
  return isReported && isTrusted(socket.remoteAddress ?? '', getTrustedProxies(settings()))
}
