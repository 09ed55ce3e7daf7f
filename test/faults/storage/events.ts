// Faults of the storage, each on a real disk or a real PostgreSQL.
import { copyFile, readFile, rename, rm } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import pg from 'pg'
import type { StorageEvent } from './event.ts'
import type { World } from './world.ts'

const disk = (name: string, told: string, more: Partial<StorageEvent> = {}): StorageEvent => ({
  name,
  kind: 'sqlite',
  lasts_ms: 4_000,
  disk: true,
  async begin(world) {
    await world.disk(told)
    return () => world.disk('-')
  },
  ...more,
})

const moved = (name: string, inItsPlace: (aside: string, file: string) => Promise<void>): StorageEvent => ({
  name,
  kind: 'sqlite',
  lasts_ms: 4_000,
  said: /database file was deleted or replaced/,
  async begin({ file }) {
    await rename(file, `${file}.aside`)
    await inItsPlace(`${file}.aside`, file)
    return () => rename(`${file}.aside`, file)
  },
})

/** A trigger in the way of every charge. */
const trigger = (name: string, body: string, lasts_ms = 4_000): StorageEvent => ({
  name,
  kind: 'postgres',
  lasts_ms,
  async begin({ inside }) {
    await inside(`create function in_the_way() returns trigger language plpgsql as $$ begin ${body}; return new; end $$;
      create trigger in_the_way before insert on ledger_entries for each row execute function in_the_way()`)
    return async () => void (await inside('drop function in_the_way() cascade'))
  },
})

const raising = (code: string) => `raise exception 'in the way' using errcode = '${code}'`

const cutCommits = (name: string, when: 'before' | 'behind'): StorageEvent => ({
  name,
  kind: 'postgres',
  lasts_ms: 4_000,
  async begin({ proxy }) {
    proxy.cutCommits(when)
    return () => {
      proxy.cutCommits('never')
      if (proxy.cut === 0) throw new Error('no commit was cut')
    }
  },
})

/** Every backend of this Weir, as often as it comes back. */
const terminate = ({ admin, database }: World) =>
  admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and usename = 'weir'`)

export const events: readonly StorageEvent[] = [
  moved('the file is deleted, and put back', async () => undefined),
  moved('the file is replaced by a copy, and put back', (aside, file) => copyFile(aside, file)),
  disk('the disk is full, and has room for the journal', 'f', { goesOn: true }),
  disk('the disk is full, for the journal, too', 'F'),
  disk('the file system is read-only', 'r', { goesOn: true }),
  disk('pages cannot be read', 'u', { said: /database file cannot be read/ }),
  disk('the disk says nothing', 's', { goesOn: true }),
  {
    name: 'somebody else has the file locked',
    kind: 'sqlite',
    lasts_ms: 8_000,
    goesOn: true,
    async begin({ file }) {
      const other = await new Promise<sqlite3.Database>((resolve, reject) => {
        const opened = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)))
      })
      const told = (sql: string) =>
        new Promise<void>((resolve, reject) => other.exec(sql, (error) => (error ? reject(error) : resolve())))
      await told('pragma busy_timeout = 5000; begin immediate')
      return async () => {
        await told('rollback')
        await new Promise((resolve) => other.close(resolve))
      }
    },
  },
  {
    name: 'the server is read-only (25006)',
    kind: 'postgres',
    lasts_ms: 4_000,
    async begin({ admin, database }) {
      await admin(`alter database ${database} set default_transaction_read_only = on`)
      await admin(`alter system set default_transaction_read_only = on`)
      await admin('select pg_reload_conf()')
      return async () => {
        await admin(
          `set transaction read write; set default_transaction_read_only = off; alter database ${database} reset default_transaction_read_only`,
        )
        await writable(admin)
      }
    },
  },
  trigger('charges are told that the server is read-only (25006)', raising('25006')),
  trigger('charges meet a transaction that has failed (25P02)', raising('25P02')),
  trigger('the server has no room (53100)', raising('53100')),
  trigger('a statement takes longer than it may (57014)', 'perform pg_sleep(60)', 14_000),
  {
    name: 'somebody else has the table locked (55P03)',
    kind: 'postgres',
    lasts_ms: 12_000,
    async begin({ server, database }) {
      const url = new URL(server.url)
      url.pathname = `/${database}`
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      await client.query('begin; lock table ledger_entries in access exclusive mode')
      return () => client.end()
    },
  },
  {
    name: 'backends are terminated again and again (57P01)',
    kind: 'postgres',
    lasts_ms: 4_000,
    async begin(world) {
      const timer = setInterval(() => void terminate(world).catch(() => undefined), 300)
      return () => clearInterval(timer)
    },
  },
  {
    name: 'there are too many connections (53300)',
    kind: 'postgres',
    lasts_ms: 6_000,
    async begin(world) {
      await world.admin('alter role weir connection limit 0')
      await terminate(world)
      return async () => void (await world.admin('alter role weir connection limit -1'))
    },
  },
  {
    name: 'the server crashes and starts again',
    kind: 'postgres',
    lasts_ms: 4_000,
    async begin({ server }) {
      await ended(server.databaseDir, 'SIGQUIT')
      return () => server.start()
    },
  },
  {
    name: 'the server stands still for 20 s',
    kind: 'postgres',
    lasts_ms: 20_000,
    async begin({ server }) {
      const all = family(server.databaseDir)
      for (const pid of all) process.kill(pid, 'SIGSTOP')
      return () => all.forEach((pid) => process.kill(pid, 'SIGCONT'))
    },
  },
  {
    name: 'the postmaster stands still for 20 s, and backends end',
    kind: 'postgres',
    lasts_ms: 20_000,
    async begin(world) {
      await terminate(world)
      const [postmaster = 0] = family(world.server.databaseDir)
      process.kill(postmaster, 'SIGSTOP')
      return () => void process.kill(postmaster, 'SIGCONT')
    },
  },
  cutCommits('the network is cut before a commit arrives', 'before'),
  cutCommits('the network is cut behind a commit: its result is unknown', 'behind'),
  {
    name: 'nothing passes on the network, and nobody is told',
    kind: 'postgres',
    lasts_ms: 15_000,
    async begin({ proxy }) {
      proxy.hold()
      return () => proxy.release()
    },
  },
  {
    name: 'an empty server answers in its place',
    kind: 'postgres',
    lasts_ms: 5_000,
    begin: (world) => failover(world, `create database %`),
  },
  {
    name: 'an older server answers in its place',
    kind: 'postgres',
    lasts_ms: 5_000,
    said: /database is older than what was charged/,
    begin: (world) => failover(world, `create database % template past`, true),
  },
  {
    name: 'one process stands still for 15 s, the other goes on',
    kind: 'postgres',
    lasts_ms: 15_000,
    two: true,
    async begin({ servers }) {
      const pid = servers[0]?.child.pid ?? 0
      process.kill(pid, 'SIGSTOP')
      return () => void process.kill(pid, 'SIGCONT')
    },
  },
]

/** Another database under the same name, for a while: what was there is kept aside. */
async function failover(world: World, create: string, older = false): Promise<() => Promise<void>> {
  const { admin, database, proxy } = world
  const away = async (sql: string[]) => {
    // Nobody may be connected while names change.
    await admin('alter role weir connection limit 0')
    await terminate(world)
    for (const each of sql) await admin(each)
    await admin('alter role weir connection limit -1')
  }
  if (older) {
    await away([`drop database if exists past`, `create database past template ${database}`])
    // Meanwhile the first one goes on.
    await new Promise((resolve) => setTimeout(resolve, 6_000))
  }
  await away([`alter database ${database} rename to ${database}_aside`, `${create.replace('%', database)} owner weir`])
  return async () => {
    await away([`drop database ${database} with (force)`, `alter database ${database}_aside rename to ${database}`])
    proxy.release()
  }
}

async function writable(admin: World['admin']): Promise<void> {
  await admin('alter system reset default_transaction_read_only').catch(() => undefined)
  await admin('select pg_reload_conf()')
}

/** The postmaster, and behind it its children. */
function family(databaseDir: string): number[] {
  const postmaster = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === postmaster)
  return [postmaster, ...children.map(Number)]
}

function parentOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return 0
  }
}

async function ended(databaseDir: string, signal: NodeJS.Signals): Promise<void> {
  const [postmaster = 0] = family(databaseDir)
  process.kill(postmaster, signal)
  for (;;) {
    const there = await readFile(`/proc/${postmaster}/stat`, 'utf8').catch(() => null)
    if (there === null || there.includes(') Z ')) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await rm(join(databaseDir, 'postmaster.pid'), { force: true })
}
