// Where a host mounts Weir: the one place that knows what stands before every path, and which requests are below it.
import type { IncomingMessage } from 'node:http'
import { originForm } from './base-addresses.ts'
import type { Readiness } from './probes.ts'

export interface MountOptions {
  /** Where another program mounts Weir, such as `/ai`; slashes at its ends may be there or not. */
  basePath?: string
  /** What /readyz says; without it the server is ready as long as it is there. */
  readiness?: Readiness
  /** What /metrics tells; without it, what this process has measured. */
  metrics?: () => Promise<string>
}

/** Nothing that would need quoting in a page, a cookie or a header. */
const PREFIX = /^(\/[\w.~-]+)*$/

/** What stands before every path: `/ai`, or nothing. @throws TypeError where a base path is none */
export function getPathPrefix({ basePath = '' }: MountOptions): string {
  const words = basePath.replace(/^\/+|\/+$/g, '')
  const prefix = words === '' ? '' : `/${words}`
  if (PREFIX.test(prefix) && !/\/\.\.?(\/|$)/.test(prefix)) return prefix
  throw new TypeError(`basePath ${JSON.stringify(basePath)}: write a path such as /ai`)
}

/** The path of everything that is Weir's, for a cookie. */
export const cookiePath = (prefix: string): string => prefix || '/'

/** Where the addresses in the console's page start. */
export const pageBase = (prefix: string): string => `${prefix}/`

/** An address as Weir knows it, from one of the host's; undefined where it is not below the prefix. */
export function ownAddress(prefix: string, request: IncomingMessage): string | undefined {
  // Express and its like take off the path that a program is mounted at, and keep what was asked for.
  const { originalUrl = request.url } = request as IncomingMessage & { originalUrl?: string }
  const address = originForm(originalUrl)
  if (prefix === '') return address
  if (!address.startsWith(prefix)) return undefined
  const own = address.slice(prefix.length)
  return own === '' || own.startsWith('?') ? `/${own}` : own.startsWith('/') ? own : undefined
}
