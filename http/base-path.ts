// The path at which a host mounts Weir. Only this module knows the prefix of all paths, and which requests are below it.
import type { IncomingMessage } from 'node:http'
import type { ServerReadiness } from './probes.ts'

// Base addresses as users enter them: clients append `/v1/messages`, `/chat/completions` or `/models/X:generateContent` to any base
// address. One rule maps the result to the paths that the relay serves.

/** The API that a base address names. */
export type NamedApi = 'openai' | 'anthropic' | 'gemini'

export interface PlainPath {
  /** The path in the relay's routes: `/v1/…`, or `/v1beta/…` and `/v1alpha/…` of Google. */
  path: string
  named?: NamedApi
}

const NAMES: readonly string[] = ['openai', 'anthropic', 'gemini'] satisfies NamedApi[]
/** Versions and names, however often they were entered; `/api` only before a version, because Weir's own API is there. */
const HEAD = /^(?:\/api(?=\/v1))?((?:\/(?:v1|v1beta|v1alpha|openai|anthropic|gemini))+)(?=\/|$)/
/** Paths that need no mapping. */
const PLAIN = /^\/v1(?:beta|alpha)?(?!\/(?:v1|openai|anthropic|gemini))(?:\/|$)/

/** Maps an entered path to a path of the relay; undefined if it does not begin with a version or the name of an API. */
export function toRelayPath(typed: string): PlainPath | undefined {
  const path = normalizeRequestPath(typed)
  if (PLAIN.test(path)) return { path }
  const [head = '', words = ''] = HEAD.exec(path) ?? []
  if (head === '') return undefined
  const segments = words.slice(1).split('/')
  const version = segments.findLastIndex((word) => !NAMES.includes(word))
  const named = segments.findLast((word): word is NamedApi => NAMES.includes(word))
  // Google serves the API of OpenAI at `openai` after its version.
  const compatible = segments.lastIndexOf('openai') > version
  return {
    path: `/${compatible ? 'v1' : (segments[version] ?? getVersion(named))}${path.slice(head.length)}`,
    ...(named ? { named } : {}),
  }
}

const getVersion = (named: NamedApi | undefined): string => (named === 'gemini' ? 'v1beta' : 'v1')

/** Removes empty segments and a trailing slash. */
export const normalizeRequestPath = (path: string): string =>
  path.includes('//') || path.endsWith('/') ? path.replace(/\/{2,}/g, '/').replace(/(?!^)\/$/, '') : path

/** Converts an address to the origin form. Requests may contain the absolute form, as to a proxy (RFC 9112, 3.2.2). */
export const toOriginForm = (url = '/'): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')

export interface MountOptions {
  /** The path at which another program mounts Weir, such as `/ai`. Leading and trailing slashes are optional. */
  basePath?: string
  /** The state that /readyz reports. Default: always ready. */
  readiness?: ServerReadiness
  /** Returns the text of /metrics. Default: the metrics of this process. */
  metrics?: () => Promise<string>
}

/** Paths that need no quoting in a page, a cookie or a header. */
const PREFIX = /^(\/[\w.~-]+)*$/

/** Returns the prefix of all paths: `/ai`, or an empty text. @throws TypeError if the base path is not a path */
export function getPathPrefix({ basePath = '' }: MountOptions): string {
  const words = basePath.replace(/^\/+|\/+$/g, '')
  const prefix = words === '' ? '' : `/${words}`
  if (PREFIX.test(prefix) && !/\/\.\.?(\/|$)/.test(prefix)) return prefix
  throw new TypeError(`basePath ${JSON.stringify(basePath)}: write a path such as /ai`)
}

/** Returns the path of Weir for a cookie. */
export const getCookiePath = (prefix: string): string => prefix || '/'

/** Returns the base of the addresses in the console's page. */
export const getPageBase = (prefix: string): string => `${prefix}/`

/** Converts an address of the host to one of Weir; undefined if it is not below the prefix. */
export function toOwnAddress(prefix: string, request: IncomingMessage): string | undefined {
  // Frameworks such as Express remove the mount path from `url`, and store the whole address in `originalUrl`.
  const { originalUrl = request.url } = request as IncomingMessage & { originalUrl?: string }
  const address = toOriginForm(originalUrl)
  if (prefix === '') return address
  if (!address.startsWith(prefix)) return undefined
  const own = address.slice(prefix.length)
  return own === '' || own.startsWith('?') ? `/${own}` : own.startsWith('/') ? own : undefined
}
