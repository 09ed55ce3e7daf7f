// The gateways that this user has signed in to, by name: where the terminal goes when nothing else says where.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

type Env = Record<string, string | undefined>

export interface SavedContext {
  server: string
  access_token: string
  username: string
  /** Epoch seconds. */
  added: number
  /** When the access token ends, in epoch seconds, -1 for never; absent where its gateway did not say. */
  expires?: number
  access_token_name?: string
  /** It was made by signing in, for this context alone. */
  issued?: true
}

export interface Contexts {
  current?: string
  contexts: Record<string, SavedContext>
}

/** Stands for the gateway on this machine in place of a name. */
export const LOCAL = 'local'

/** Others may read the file, which holds access tokens. */
export class LooseFile extends Error {
  readonly file: string

  constructor(file: string) {
    super(`${file} may be read by others`)
    this.file = file
  }
}

/** undefined where no home is known, as in a service: there are no contexts then. */
export function contextsFile({ WEIR_CONFIG_DIR, XDG_CONFIG_HOME, HOME, USERPROFILE }: Env): string | undefined {
  const home = HOME || USERPROFILE
  const folder =
    WEIR_CONFIG_DIR ||
    (XDG_CONFIG_HOME ? path.join(XDG_CONFIG_HOME, 'weir') : home && path.join(home, '.config', 'weir'))
  return folder ? path.join(folder, 'contexts.json') : undefined
}

/** @throws LooseFile, SyntaxError where it is no JSON */
export function readContexts(env: Env): Contexts {
  const file = contextsFile(env)
  const none: Contexts = { contexts: {} }
  if (file === undefined) return none
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return none
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw new LooseFile(file)
  return { ...none, ...(JSON.parse(readFileSync(file, 'utf8')) as Contexts) }
}

/** All of it or nothing, readable by this user alone. @throws Error where it cannot be written */
export function writeContexts(env: Env, contexts: Contexts): void {
  const file = contextsFile(env)
  if (file === undefined) throw new Error('There is no folder for contexts: set WEIR_CONFIG_DIR.')
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}.new`
  writeFileSync(fresh, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}

/** One less; where commands went to it, they go to this machine. @throws as reading and writing do */
export function forgetContext(env: Env, name: string): void {
  const { current, contexts } = readContexts(env)
  const { [name]: _, ...others } = contexts
  writeContexts(env, { contexts: others, ...(current && current !== name ? { current } : {}) })
}

/** What a command line says of where to go. */
export interface Asked {
  server?: string | undefined
  data?: string | undefined
  database?: string | undefined
  context?: string | undefined
  accessToken?: string | undefined
}

export interface Target {
  server?: string
  accessToken?: string
  /** The context it was taken from. */
  context?: string
}

/**
 * Where a command goes: --server, --data or --database; --context; WEIR_SERVER, WEIR_DATA or DATABASE_URL; WEIR_CONTEXT; the
 * current context; this machine. The access token of a context goes to its server alone.
 * @throws LooseFile; whatever `missing` throws for a name that no context has
 */
export function resolveTarget(asked: Asked, env: Env, missing: (name: string) => never): Target {
  const token = asked.accessToken ?? (env.WEIR_ACCESS_TOKEN || undefined)
  const at = (server: string): Target => ({ server, ...(token ? { accessToken: token } : {}) })
  const from = (name: string): Target => {
    if (name === LOCAL) return {}
    const found = readContexts(env).contexts[name]
    if (!found) return missing(name)
    return { server: found.server, accessToken: asked.accessToken ?? found.access_token, context: name }
  }
  if (asked.server !== undefined) return at(asked.server)
  if (asked.data !== undefined || asked.database !== undefined) return {}
  if (asked.context !== undefined) return from(asked.context)
  if (env.WEIR_SERVER) return at(env.WEIR_SERVER)
  if (env.WEIR_DATA || env.DATABASE_URL || env.DATABASE_URL_FILE) return {}
  if (env.WEIR_CONTEXT) return from(env.WEIR_CONTEXT)
  const { current = LOCAL } = readContexts(env)
  return from(current)
}
