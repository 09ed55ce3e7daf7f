// The names that completion offers: a minimal request to the gateway, with results cached for some seconds.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { CompletionCandidate } from './complete.ts'
import type { CompletionKind } from './table.ts'

/** The address of the gateway. */
export type GatewayAddress = { socketPath: string } | { server: string; accessToken: string }

type ReplyRow = Record<string, unknown>
const PAGE_SIZE = 100

/** Searches by the typed prefix, because there may be more names than fit on a page. */
const SOURCES: Record<
  Exclude<CompletionKind, 'contexts'>,
  { path(typed: string): string; name: string; about?: string }
> = {
  users: {
    path: (typed) => `/api/user/search?page_size=${PAGE_SIZE}&keyword=${typed}`,
    name: 'username',
    about: 'display_name',
  },
  teams: { path: () => `/api/team/?page_size=${PAGE_SIZE}&all=true`, name: 'name' },
  tokens: { path: (typed) => `/api/token/search?size=${PAGE_SIZE}&keyword=${typed}`, name: 'name' },
  channels: { path: () => `/api/channel/?page_size=${PAGE_SIZE}`, name: 'name' },
  models: { path: () => '/api/user/models', name: '' },
  groups: { path: () => '/api/user/self/groups', name: '' },
}

const CACHE_MS = 5000
const TIMEOUT_MS = 1000

/** Returns the folder in which results are cached between two presses of Tab. */
export const getCacheFolder = (env: Record<string, string | undefined>): string =>
  path.join(env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'weir')

/** Returns the matching names; empty if no gateway answers. */
export async function loadMatchingNames(
  { kind, id }: { kind: Exclude<CompletionKind, 'contexts'>; id: boolean },
  typed: string,
  endpoint: GatewayAddress,
  env: Record<string, string | undefined>,
): Promise<CompletionCandidate[]> {
  const { path: pathOf, name, about } = SOURCES[kind]
  const requestPath = pathOf(id ? '' : encodeURIComponent(typed))
  const rows = await readCached(getCacheFolder(env), JSON.stringify([endpoint, requestPath]), () =>
    fetchRows(endpoint, requestPath),
  )
  const getName = (row: ReplyRow) => String(row[name] ?? '')
  const counts = new Map<string, number>()
  for (const row of rows) if (typeof row !== 'string') counts.set(getName(row), (counts.get(getName(row)) ?? 0) + 1)
  return rows.map((row) => {
    if (typeof row === 'string') return { value: row }
    const more = about === undefined ? `#${String(row.id)}` : String(row[about] ?? '')
    // Ambiguous names are replaced by ids.
    const byNumber = id || (kind === 'teams' && (counts.get(getName(row)) ?? 0) > 1)
    return byNumber ? { value: String(row.id), about: getName(row) } : { value: getName(row), about: more }
  })
}

async function readCached(folder: string, key: string, make: () => Promise<(ReplyRow | string)[]>) {
  const file = path.join(folder, `names-${createHash('sha256').update(key).digest('hex').slice(0, 24)}.json`)
  try {
    if (Date.now() - statSync(file).mtimeMs < CACHE_MS)
      return JSON.parse(readFileSync(file, 'utf8')) as (ReplyRow | string)[]
  } catch {
    // Not cached yet.
  }
  const made = await make()
  removeCacheFiles(folder, (name, age) => name.startsWith('names-') && age >= CACHE_MS)
  writePrivateCache(file, JSON.stringify(made))
  return made
}

/** Removes files of the cache by their name and age in ms. A failure is ignored. */
export function removeCacheFiles(folder: string, isUseless: (name: string, age: number) => boolean): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name)
      if (isUseless(name, Date.now() - statSync(file).mtimeMs)) rmSync(file, { force: true })
    }
  } catch {
    // There is no cache yet, or another process has removed the file.
  }
}

/** Writes a file for this user alone. A failure is ignored. */
export function writePrivateCache(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    const fresh = `${file}.${process.pid}`
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, file)
  } catch {
    // The next press of Tab requests them again.
  }
}

/** Reduces the rows to the displayed fields, so that nothing else of them is cached. */
async function fetchRows(endpoint: GatewayAddress, requestPath: string): Promise<(ReplyRow | string)[]> {
  const body = await get(endpoint, requestPath)
  const { data } = JSON.parse(body) as { data?: unknown }
  const rows = Array.isArray(data)
    ? data
    : ((data as { items?: unknown[] } | undefined)?.items ?? Object.keys(data ?? {}))
  return rows.map((row) => {
    if (typeof row === 'string') return row
    const { id, name, username, display_name } = row as ReplyRow
    return { id, name, username, display_name }
  })
}

async function get(endpoint: GatewayAddress, requestPath: string): Promise<string> {
  const url =
    'server' in endpoint
      ? new URL(endpoint.server.replace(/\/$/, '') + requestPath)
      : new URL(`http://localhost${requestPath}`)
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const headers = 'server' in endpoint ? { authorization: `Bearer ${endpoint.accessToken}` } : {}
  const options = { headers, agent: false as const, timeout: TIMEOUT_MS, ...('server' in endpoint ? {} : endpoint) }
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      reply.once('end', () => resolve(text)).once('error', reject)
    })
    sent.once('error', reject).once('timeout', () => sent.destroy(new Error('silent')))
    sent.end()
  })
}
