// A MariaDB of its own, where Debian's package is installed: in a folder that goes with it, reached by a socket.
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'

const run = promisify(execFile)
const SERVER = '/usr/sbin/mariadbd'
const DEFAULTS = '/usr/bin/my_print_defaults'

/** Of Debian: the server, and what its installation asks for its settings. */
export const MARIADB_PACKAGES = ['mariadb-server-core', 'mariadb-client-core']

export const hasMariadb = (): boolean => existsSync(SERVER) && existsSync(DEFAULTS)

export interface Mariadb {
  /** Of a new, empty database. */
  database(name: string): Promise<string>
  /** Runs the statements of a dump. */
  load(url: string, file: string): Promise<void>
  close(): Promise<void>
}

export async function startMariadb(): Promise<Mariadb> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-mariadb-'))
  const socket = path.join(folder, 'socket')
  const user = userInfo().username
  const own = [`--datadir=${folder}/data`, `--user=${user}`]
  await run('mariadb-install-db', [...own, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const server = spawn(SERVER, [...own, `--socket=${socket}`, '--skip-networking', '--innodb-buffer-pool-size=64M'], {
    stdio: 'ignore',
  })
  const connect = (database?: string) =>
    createConnection({ socketPath: socket, user: 'root', ...(database ? { database } : {}), multipleStatements: true })
  for (let tries = 0; ; tries += 1) {
    const connection = await connect().catch(() => null)
    await connection?.end()
    if (connection) break
    if (tries > 300) throw new Error('MariaDB does not answer')
    await sleep(100)
  }
  const nameIn = (url: string) => new URL(url).pathname.slice(1)
  return {
    async database(name) {
      const connection = await connect()
      await connection.query(`create database \`${name}\` character set utf8mb4`)
      await connection.end()
      return `mysql://root@localhost/${name}?socket=${encodeURIComponent(socket)}`
    },
    async load(url, file) {
      const connection = await connect(nameIn(url))
      await connection.query(await readFile(file, 'utf8'))
      await connection.end()
    },
    async close() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
