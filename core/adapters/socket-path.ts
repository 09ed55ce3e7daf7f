// Where the process that owns a data folder listens for the terminal. Alone here, because a command that only speaks
// through the socket loads nothing else of a gateway.
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Socket paths longer than this do not fit the system's address structure. */
const MAX_SOCKET_PATH = 100

/** The socket of a data folder; on Windows a named pipe. */
export function socketPath(dataFolder: string): string {
  const folder = resolve(dataFolder)
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\weir-${digest}`
  const path = join(folder, 'weir.sock')
  return path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), `weir-${digest}.sock`)
}
