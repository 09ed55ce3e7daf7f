// The built Weir as a process of its own: started, set up, and asked for its books.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { createVisitor, type Visitor } from './server.ts'
import { runHere, startWeir, until, weir } from './terminal.ts'

const PASSWORD = 'a root password'
/** A busy machine takes this long to start one, in ms. */
const PATIENCE_MS = 300_000

/** Environment of a process: WEIR_DATA, DATABASE_URL … */
export type Environment = Record<string, string>

export type BuiltServer = Awaited<ReturnType<typeof startBuiltServer>>

/** Starts the built server, on a free port if none is said, and waits until it says where it is. */
export async function startBuiltServer(
  env: Environment,
  { port = 0, program }: { port?: number; program?: string } = {},
) {
  const options = program === undefined ? { env } : { env, program }
  const { child, written, ended } = startWeir(['serve', '--json', '--port', String(port)], options)
  let over = false
  void ended.then(() => (over = true))
  await until(() => over || written.stdout.includes('"url"'), PATIENCE_MS)
  const url = /"url":\s*"([^"]+)"/.exec(written.stdout)?.[1]
  if (!url) throw new Error(`weir serve did not start: ${written.stderr}`)
  return { child, ended, url, written }
}

/**
 * Makes the administrator of a server that was just started, and returns the administrator, signed in. The command runs in this
 * process, unless it has to be that of another `program`.
 */
export async function setUp(env: Environment, url: string, program?: string): Promise<Visitor> {
  const args = ['init', '--json', '--password', PASSWORD, '--channel', 'none']
  const { code, stderr } = await (program === undefined ? runHere(args, { env }) : weir(args, { env, program }))
  if (code !== 0) throw new Error(`weir init failed: ${stderr}`)
  return asRoot(url)
}

/** The administrator, signed in. */
export async function asRoot(url: string): Promise<Visitor> {
  const root = createVisitor(url)
  await root.login('root', PASSWORD)
  return root
}

/** A new user with that much quota, signed in. */
export async function addAccount(root: Visitor, url: string, username: string, quota: number) {
  await root.client.settings.update({ key: 'QuotaForNewUser', value: String(quota) })
  await root.client.users.create({ username, password: PASSWORD })
  return { username, ...(await signIn(url, username)) }
}

/** The user again: sessions outlive the process, its port does not. */
export async function signIn(url: string, username: string) {
  const visitor = createVisitor(url)
  const { json } = await visitor.login(username, PASSWORD)
  return { id: json.data.id as number, visitor }
}

/** Every log row of the calls with a token, as the administrator reads them. */
export async function logged(client: Visitor['client'], token_name: string): Promise<LogEntry[]> {
  const rows: LogEntry[] = []
  for (let p = 1; ; p++) {
    const { items } = await client.logs.list({ token_name, p, page_size: 100 })
    rows.push(...items)
    if (items.length < 100) return rows
  }
}
