// The path at which a host mounts Weir. Only this module knows the prefix of all paths, and which requests are below it.
import type { IncomingMessage } from 'node:http'
import { originForm } from './base-addresses.ts'
import type { Readiness } from './probes.ts'

export interface MountOptions {
  /** The path at which another program mounts Weir, such as `/ai`. Leading and trailing slashes are optional. */
  basePath?: string
  /** The state that /readyz reports. Default: always ready. */
  readiness?: Readiness
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
export const cookiePath = (prefix: string): string => prefix || '/'

/** Returns the base of the addresses in the console's page. */
export const pageBase = (prefix: string): string => `${prefix}/`

/** Converts an address of the host to one of Weir; undefined if it is not below the prefix. */
export function ownAddress(prefix: string, request: IncomingMessage): string | undefined {
  // Frameworks such as Express remove the mount path from `url`, and store the whole address in `originalUrl`.
  const { originalUrl = request.url } = request as IncomingMessage & { originalUrl?: string }
  const address = originForm(originalUrl)
  if (prefix === '') return address
  if (!address.startsWith(prefix)) return undefined
  const own = address.slice(prefix.length)
  return own === '' || own.startsWith('?') ? `/${own}` : own.startsWith('/') ? own : undefined
}
