// The path of the socket through which local commands reach a server. A separate module, so that a command that only
// uses the socket loads nothing else of a gateway.
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Socket paths longer than this do not fit the system's address structure. */
const MAX_SOCKET_PATH = 100

/** Returns the socket of a data folder, one for each database served from it; on Windows a named pipe. */
export function socketPath({ data, database }: { data: string; database?: string }): string {
  const folder = resolve(data)
  const served = database === undefined ? '' : formatPlace(database)
  const digest = () => hashText(folder + served, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\weir-${digest()}`
  const path = join(folder, served === '' ? 'weir.sock' : `weir.${hashText(served, 12)}.sock`)
  return path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), `weir-${digest()}.sock`)
}

/** Identifies the database of an address, without user and password. */
function formatPlace(database: string): string {
  if (!URL.canParse(database)) return database
  const { host, pathname, searchParams } = new URL(database)
  return `//${host}${pathname}?${searchParams.get('host') ?? ''}`
}

/** node:crypto takes as long to load as half of Node, and most paths need no hash. */
const hashText = (text: string, length: number) =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, length)
