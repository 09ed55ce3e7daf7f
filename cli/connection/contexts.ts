// The gateways that this user has signed in to, by name, and the choice among them.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

type ContextVariables = Record<string, string | undefined>

export interface SavedContext {
  server: string
  access_token: string
  username: string
  /** Epoch seconds. */
  added: number
  /** Expiry of the access token in epoch seconds, -1 for never; undefined if its gateway did not report it. */
  expires?: number
  access_token_name?: string
  /** true if signing in created the token, for this context alone. */
  issued?: true
}

export interface Contexts {
  current?: string
  contexts: Record<string, SavedContext>
}

/** The name that means the gateway on this machine. */
export const LOCAL_CONTEXT = 'local'

/** The file of access tokens is readable by other users. */
export class LooseFile extends Error {
  readonly file: string

  constructor(file: string) {
    super(`${file} may be read by others`)
    this.file = file
  }
}

/** Returns the path of the file; undefined if no home folder is known, as in a service. There are no contexts then. */
export function getContextsFile({
  WEIR_CONFIG_DIR,
  XDG_CONFIG_HOME,
  HOME,
  USERPROFILE,
}: ContextVariables): string | undefined {
  const home = HOME || USERPROFILE
  const folder =
    WEIR_CONFIG_DIR ||
    (XDG_CONFIG_HOME ? path.join(XDG_CONFIG_HOME, 'weir') : home && path.join(home, '.config', 'weir'))
  return folder ? path.join(folder, 'contexts.json') : undefined
}

/** @throws LooseFile, SyntaxError if it is not JSON */
export function readContexts(env: ContextVariables): Contexts {
  const file = getContextsFile(env)
  const none: Contexts = { contexts: {} }
  if (file === undefined) return none
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return none
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw new LooseFile(file)
  return { ...none, ...(JSON.parse(readFileSync(file, 'utf8')) as Contexts) }
}

/** Writes the file atomically, readable by this user alone. @throws Error if it cannot be written */
export function writeContexts(env: ContextVariables, contexts: Contexts): void {
  const file = getContextsFile(env)
  if (file === undefined) throw new Error('There is no folder for contexts: set WEIR_CONFIG_DIR.')
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}.new`
  writeFileSync(fresh, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}

/**
 * Removes a context. If it was the current one, commands use this machine.
 * @throws the errors of reading and writing
 */
export function forgetContext(env: ContextVariables, name: string): void {
  const { current, contexts } = readContexts(env)
  const { [name]: _, ...others } = contexts
  writeContexts(env, { contexts: others, ...(current && current !== name ? { current } : {}) })
}

/** The parts of a command line that choose the gateway. */
export interface GatewayChoice {
  server?: string | undefined
  data?: string | undefined
  database?: string | undefined
  context?: string | undefined
  accessToken?: string | undefined
}

export interface CommandTarget {
  server?: string
  accessToken?: string
  /** The context that the target comes from. */
  context?: string
}

/**
 * Returns the target of a command: --server, --data or --database; --context; WEIR_SERVER, WEIR_DATA or DATABASE_URL;
 * WEIR_CONTEXT; the current context; this machine. The access token of a context is sent to its server alone.
 * `findMeant` returns the known context that a name means if none has exactly it.
 * @throws LooseFile; the error of `findMeant` for an unknown context
 */
export function resolveTarget(
  given: GatewayChoice,
  env: ContextVariables,
  findMeant: (name: string, known: readonly string[]) => string,
): CommandTarget {
  const token = given.accessToken ?? (env.WEIR_ACCESS_TOKEN || undefined)
  const at = (server: string): CommandTarget => ({ server, ...(token ? { accessToken: token } : {}) })
  const from = (name: string): CommandTarget => {
    if (name === LOCAL_CONTEXT) return {}
    const { contexts } = readContexts(env)
    const found = contexts[name]
    if (!found) return from(findMeant(name, [LOCAL_CONTEXT, ...Object.keys(contexts)]))
    return { server: found.server, accessToken: given.accessToken ?? found.access_token, context: name }
  }
  if (given.server !== undefined) return at(given.server)
  if (given.data !== undefined || given.database !== undefined) return {}
  if (given.context !== undefined) return from(given.context)
  if (env.WEIR_SERVER) return at(env.WEIR_SERVER)
  if (env.WEIR_DATA || env.DATABASE_URL || env.DATABASE_URL_FILE) return {}
  if (env.WEIR_CONTEXT) return from(env.WEIR_CONTEXT)
  const { current = LOCAL_CONTEXT } = readContexts(env)
  return from(current)
}
