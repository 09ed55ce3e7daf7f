// Errors that keep Weir from starting, and the classification of network failures for them.
import { GatewayError, type NetworkCode } from '../errors.ts'
import type { AbortSignalLike } from '../ports/clock.ts'

/**
 * `owned`: another process has the data folder; `secret`: the master secret or its file is unusable; `empty`: an
 * earlier database is missing; `foreign`: the database belongs to another program; `unfinished`: a copy into the
 * database is incomplete.
 */
type StartCode = 'owned' | 'secret' | 'empty' | 'foreign' | 'unfinished'

/** The reason why Weir cannot start, in one sentence with the remedy for the operator. */
export class StartError extends Error {
  readonly code: StartCode | undefined

  constructor(message: string, cause?: unknown, code?: StartCode) {
    super(message, { cause })
    this.name = 'StartError'
    this.code = code
  }
}

// Turns a disk-full error of any library into one clear message.

/** Codes of the system, SQLite and PostgreSQL. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** Returns the error unchanged, or the error that names the full disk. */
export function toDiskFullError(error: unknown, place: string): unknown {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (FULL.has(String((each as { code?: unknown }).code)))
      return new GatewayError('disk.full', { place }, { cause: error })
  return error
}

// Classifies why a connection failed: the only module that reads the codes of Node, OpenSSL and the libraries.

/** The code of an address that may not be connected to (`reachable-addresses.ts`). */
export const PRIVATE_ADDRESS_CODE = 'EPRIVATE'

const CODES: Record<string, NetworkCode> = {
  ENOTFOUND: 'network.name',
  EAI_AGAIN: 'network.name',
  EAI_NODATA: 'network.name',
  EDNS: 'network.name',
  ECONNREFUSED: 'network.refused',
  ECONNRESET: 'network.broken',
  EPIPE: 'network.broken',
  UND_ERR_SOCKET: 'network.broken',
  ETIMEDOUT: 'network.timed_out',
  ESOCKETTIMEDOUT: 'network.timed_out',
  UND_ERR_CONNECT_TIMEOUT: 'network.timed_out',
  UND_ERR_HEADERS_TIMEOUT: 'network.timed_out',
  UND_ERR_BODY_TIMEOUT: 'network.timed_out',
  EHOSTUNREACH: 'network.unreachable',
  ENETUNREACH: 'network.unreachable',
  EADDRNOTAVAIL: 'network.unreachable',
  EHOSTDOWN: 'network.unreachable',
  ENETDOWN: 'network.unreachable',
  UND_ERR_PRX_TLS: 'network.proxy',
  UND_ERR_SOCKS5: 'network.proxy',
  EPROTO: 'network.tls',
  ETLS: 'network.tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'network.tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'network.tls',
  HOSTNAME_MISMATCH: 'network.tls',
}
const TLS_CODE = /^(ERR_(TLS|SSL)_|CERT_|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_)/
/**
 * Messages of libraries that hide the code behind another one. They are checked before the codes, because a failed
 * handshake is also a reset.
 */
const WORDS: [RegExp, NetworkCode][] = [
  [/^(Proxy response|Socks5 |Proxy connection)/i, 'network.proxy'],
  [/before secure TLS connection was established|wrong version number|ssl routines:/i, 'network.tls'],
  [/(^| )timed? out$|^Timeout$|^Opening handshake has timed out/i, 'network.timed_out'],
]

/**
 * Returns the error for an aborted request: a time limit becomes a network error, any other reason is returned as it
 * is.
 */
export const getAbortError = ({ reason }: AbortSignalLike): unknown =>
  reason instanceof Error && reason.name === 'TimeoutError'
    ? new GatewayError('upstream.unreachable', {}, { cause: reason, network: 'network.timed_out' })
    : reason

interface Thrown {
  code?: unknown
  name?: unknown
  message?: unknown
  cause?: unknown
  errors?: unknown
}

/**
 * Classifies a thrown value as a network error; undefined if it is none. Through a proxy only the proxy is connected
 * to, so a failed connection is always the proxy's error.
 */
export function classifyNetworkFailure(
  error: unknown,
  { proxy = false }: { proxy?: boolean } = {},
): NetworkCode | undefined {
  if (isPrivateAddress(error)) return 'network.private'
  const found = read(error)
  return proxy && found !== undefined && found !== 'network.tls' ? 'network.proxy' : found
}

/** Libraries wrap it in their own errors. */
function isPrivateAddress(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false
  const { code, cause, errors } = error as Thrown
  const inner = Array.isArray(errors) ? [cause, ...(errors as unknown[])] : [cause]
  return code === PRIVATE_ADDRESS_CODE || inner.some((each) => isPrivateAddress(each, depth + 1))
}

function read(error: unknown, depth = 0): NetworkCode | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined
  const { code, name, message, cause, errors } = error as Thrown
  const text = typeof message === 'string' ? message : ''
  if (name === 'TimeoutError') return 'network.timed_out'
  const worded = WORDS.find(([words]) => words.test(text))?.[1]
  if (worded) return worded
  const codes = [...(typeof code === 'string' ? [code] : []), ...(text.match(/\bE[A-Z]{4,}\b/g) ?? [])]
  for (const one of codes) {
    if (TLS_CODE.test(one)) return 'network.tls'
    // For a name with several addresses, each has an error, and all are of one kind.
    if (Object.hasOwn(CODES, one)) return CODES[one]
  }
  return read(cause, depth + 1) ?? (Array.isArray(errors) ? read(errors[0], depth + 1) : undefined)
}
