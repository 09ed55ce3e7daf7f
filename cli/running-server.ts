// Finds out before anything else is loaded whether a running Weir does the work of a command: then the small bundle runs it.
import { connect } from 'node:net'
import { socketPath } from '../core/adapters/socket-path.ts'
import { LOCAL_CONTEXT, resolveTarget } from './connection/contexts.ts'
import { REMOTE_COMMANDS } from './remote-commands.data.ts'
import type { ShellVariables } from './language.ts'

/** The server of a command: one at an address, or the one that listens on a socket of this machine. */
export type RunningServer = { socket?: string }

/** Flags that the whole bundle reads: they name a place on this machine, or the configuration of a server. */
const LOCAL_FLAG = /^--(data|database|log-level|log-format|context=|server=)/

/** Returns the running server that a command line is for; undefined if none runs, or if the command needs the whole bundle. */
export async function findRunningServer(
  [name = '', ...args]: readonly string[],
  env: ShellVariables,
): Promise<RunningServer | undefined> {
  if (!(REMOTE_COMMANDS as readonly string[]).includes(name) || args.some((arg) => LOCAL_FLAG.test(arg)))
    return undefined
  const findFlag = (flag: string) => (args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? '') : undefined)
  const [server, context] = [findFlag('--server'), findFlag('--context')]
  if (server !== undefined || (context !== undefined && context !== LOCAL_CONTEXT)) return {}
  const { WEIR_DATA: data = '', DATABASE_URL: database = '', DATABASE_URL_FILE: databaseFile = '' } = env
  try {
    const target = resolveTarget({ context }, env, refuse)
    if (target.server !== undefined) return {}
    if (databaseFile !== '') return undefined
    const socket = socketPath({ data: data || './weir-data', ...(database === '' ? {} : { database }) })
    return (await listens(socket)) ? { socket } : undefined
  } catch {
    // The whole bundle reports errors in the contexts.
    return undefined
  }
}

function refuse(name: string): never {
  throw new Error(`There is no context ${name}.`)
}

const listens = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
