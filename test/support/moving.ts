// Backups, restores, copies and clean-ups of a filled Weir by the built command: how long they take, how much memory, and
// what is left when they are killed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { countTableRows } from '../../core/adapters/backup/make.ts'
import { unpackBackup } from '../../core/adapters/backup/read.ts'
import { listTableNames } from '../../core/adapters/knex/schema/table-shapes.ts'
import { addOwners, fillLogs } from '../bench/fill-logs.ts'
import { withLedger } from '../bench/weir.ts'
import type { Environment } from './built-server.ts'
import { silent } from './databases.ts'
import { install, within } from './installation.ts'
import { runHere, startWeir } from './terminal.ts'

export interface Measured {
  seconds: number
  /** The most memory that the process had at once, in MiB. */
  mebibytes: number
}

interface Place {
  env: Environment
  /** Makes it empty again. */
  clear(): Promise<void>
}

export interface MovingBench {
  /** The commands that may take long, each on a target of its own. */
  readonly moves: readonly Move[]
  /** The whole command; throws where it fails. */
  measure(move: Move): Promise<Measured>
  /**
   * Kills it after so many ms, or as soon as its target has a file; looks, and runs it again. Returns what is wrong, and an empty
   * list if all is well.
   */
  kill(move: Move, when: number | 'has begun'): Promise<string[]>
  close(): Promise<void>
}

export interface Move {
  name: string
  args: string[]
  env: Environment
  /** How much of the first run's work another one has; all of it where nothing is said. */
  share?: number
  /** The folder that is empty at first and into which it writes. */
  target?: string
  /** Before each attempt from nothing. */
  clear(): Promise<void>
  /** What is wrong with what is there: half of something that somebody could use. `done`: all of it must be there. */
  look(done: boolean): Promise<string[]>
}

type Counts = () => Promise<Record<string, number>>
type Opened = Parameters<typeof countTableRows>[0]

interface Given {
  kind: 'sqlite' | 'postgres'
  rows: number
  /** Entries of the ledger beside. */
  entries?: number
  /** Makes an empty PostgreSQL database. */
  freshDatabase(): Promise<string>
}

/** Fills a Weir, and makes one backup of it. */
export async function openMovingBench({ kind, rows, entries = 200, freshDatabase }: Given): Promise<MovingBench> {
  const room = await mkdtemp(join(tmpdir(), 'weir-moves-'))
  const folderOf = (name: string): Place => {
    const data = join(room, name)
    // Rows are counted in the database: test/cli/own-log-file.long.test.ts has those of a file beside it.
    return { env: { WEIR_DATA: data, WEIR_LOGS: 'database' }, clear: () => rm(data, { recursive: true, force: true }) }
  }
  const databaseOf = async (name: string): Promise<Place> => {
    const { env, clear } = folderOf(name)
    return {
      env,
      async clear() {
        await clear()
        env.DATABASE_URL = await freshDatabase()
      },
    }
  }
  const source = kind === 'sqlite' ? folderOf('data') : await databaseOf('data')
  await source.clear()
  await fill(source.env, rows, entries)

  const file = join(room, 'backup')
  const backup: Move = {
    name: 'backup',
    args: ['backup', file],
    env: source.env,
    clear: () => rm(file, { force: true }),
    look: async (done) => [
      ...(existsSync(file) ? await readBackupFaults(file, join(room, 'unpacked')) : done ? ['there is no backup'] : []),
      ...(done && existsSync(`${file}.part`) ? ['something is left of the attempt'] : []),
    ],
  }
  const keyed = join(room, 'keyed')
  const restored = kind === 'sqlite' ? folderOf('restored') : await databaseOf('restored')
  const copied = kind === 'sqlite' ? await databaseOf('copied') : folderOf('copied')
  const first = await runHere(['backup', keyed, '--with-key', '--unencrypted-key'], { env: source.env })
  if (first.code !== 0) throw new Error(first.stderr)
  const kept = await countsIn(source.env)
  const arriving = (name: string, place: Place, counts: Counts, move: Omit<Move, 'name' | 'clear' | 'look'>): Move => ({
    ...{ name, ...move },
    clear: place.clear,
    look: async (done) => arrived(place.env, await counts(), done),
  })
  const copy = arriving('copy', copied, () => countsIn(source.env), { args: [], env: source.env })
  // What is removed is gone: the first time a third of all rows, then a day's each time.
  let days = 21
  const pruning: Move = {
    name: 'logs prune',
    args: [],
    env: source.env,
    share: 0.1,
    async clear() {
      days -= 1
      pruning.args.splice(0, pruning.args.length, 'logs', 'prune', '--keep', `${days}d`, '--yes')
    },
    look: (done) => pruned(source.env, days, done),
  }
  const moves: Move[] = [
    backup,
    arriving('restore', restored, async () => kept, {
      args: ['restore', keyed],
      env: restored.env,
      target: restored.env.WEIR_DATA ?? '',
    }),
    {
      ...copy,
      async clear() {
        await copied.clear()
        // A PostgreSQL database goes on with the key file of the folder that it was copied with.
        if (copied.env.DATABASE_URL) copied.env.WEIR_DATA = source.env.WEIR_DATA ?? ''
        copy.args.splice(0, 3, 'copy', '--to', copied.env.DATABASE_URL ?? copied.env.WEIR_DATA ?? '')
      },
      args: copy.args,
    },
    pruning,
  ]
  return {
    moves,
    async measure(move) {
      await move.clear()
      const { code, stderr, seconds, mebibytes } = await run(move.args, move.env)
      const wrong = code === 0 ? await move.look(true) : [stderr]
      if (wrong.length > 0) throw new Error(`${move.name}: ${wrong.join('; ')}`)
      return { seconds, mebibytes }
    },
    async kill(move, when) {
      await move.clear()
      const { killed } = await run(
        move.args,
        move.env,
        when === 'has begun' ? () => hasEntries(move.target ?? '') : when,
      )
      const half = killed ? await move.look(false) : []
      if (!killed) await move.clear()
      const { code, stderr } = await run(move.args, move.env)
      // Killed behind its last step it has finished.
      const isThere = stderr.includes('already')
      const again = code === 0 || isThere ? [] : [`run again it says: ${stderr}`]
      return [...half, ...again, ...(await move.look(true))]
    },
    close: () => rm(room, { recursive: true, force: true }),
  }
}

async function fill(env: Environment, rows: number, entries: number): Promise<void> {
  await install(env)
  const place = { data: env.WEIR_DATA ?? '', key: '', ...(env.DATABASE_URL ? { database: env.DATABASE_URL } : {}) }
  const owners = await addOwners(place)
  await fillLogs(place, rows, owners)
  await within(env, (gateway) =>
    withLedger(gateway, async (ledger) => {
      const credit = () => ledger.credit({ account_id: owners.heavy.id, kind: 'adjustment', amount: 1 })
      for (let left = entries; left > 0; left -= 500)
        await Promise.all(Array.from({ length: Math.min(left, 500) }, credit))
    }),
  )
}

type Ran = Measured & { code: number | null; stderr: string; killed: boolean }

const hasEntries = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0

/** `kill`: after so many ms, or once this holds. */
async function run(args: string[], env: Environment, kill?: number | (() => boolean)): Promise<Ran> {
  const began = Date.now()
  const { child, ended } = startWeir(args, { env })
  child.stdin.end()
  let mebibytes = 0
  const look = setInterval(() => (mebibytes = Math.max(mebibytes, peakOf(child.pid))), 100)
  const timer = typeof kill === 'number' ? setTimeout(() => child.kill('SIGKILL'), kill) : undefined
  const watch = typeof kill === 'function' ? setInterval(() => kill() && child.kill('SIGKILL'), 1) : undefined
  const { code, stderr } = await ended
  clearInterval(look)
  clearTimeout(timer)
  clearInterval(watch)
  return { code, stderr, mebibytes, seconds: (Date.now() - began) / 1000, killed: child.signalCode === 'SIGKILL' }
}

/** Linux knows it; elsewhere it stays 0. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

/** A command that is killed while it ends has made the whole of it: a file that has its name is one that can be read to its end. */
async function readBackupFaults(file: string, folder: string): Promise<string[]> {
  await mkdir(folder)
  try {
    await unpackBackup(file, folder, {}, () => undefined)
    return []
  } catch (error) {
    return [`half of a backup has its name: ${String(error)}`]
  } finally {
    await rm(folder, { recursive: true })
  }
}

const opened = async <T>(env: Environment, work: (database: Opened) => Promise<T>): Promise<T> => {
  const place = env.DATABASE_URL ? { database: env.DATABASE_URL } : { folder: env.WEIR_DATA ?? '' }
  const database = await openDatabase({ ...place, logger: silent })
  return work(database).finally(() => database.close())
}

const countsIn = (env: Environment) => opened(env, countTableRows)

/** Nothing, or what nobody may serve, or all of it. */
async function arrived(env: Environment, counts: Record<string, number>, done: boolean): Promise<string[]> {
  const isThere = env.DATABASE_URL
    ? await opened(env, async (database) => (await listTableNames(database, database.read)).length > 0)
    : existsSync(join(env.WEIR_DATA ?? '', 'weir.db')) &&
      (await opened(env, async (database) => (await listTableNames(database, database.read)).length > 0))
  if (!isThere) return done ? ['nothing has come'] : []
  const served = await within(env, ({ client }) => client.quota.verify({})).catch((error: unknown) => String(error))
  if (typeof served === 'string') return done ? [`it is not served: ${served}`] : []
  const found = await countsIn(env)
  // Whoever runs takes samples, which are rows of their own.
  const own = (name: string) => name.startsWith('schema_') || name === 'alert_samples'
  const wrong = Object.keys(counts).filter((name) => !own(name) && found[name] !== counts[name])
  return [...(served.ok ? [] : ['its ledger does not hold']), ...wrong.map((name) => `${name} has ${found[name]} rows`)]
}

async function pruned(env: Environment, days: number, done: boolean): Promise<string[]> {
  const before = Math.floor(Date.now() / 1000) - days * 86_400 - 600
  return within(env, async ({ client }) => {
    const { older } = await client.logs.cleanUpProgress({ target_timestamp: before })
    const { ok } = await client.quota.verify({})
    return [...(ok ? [] : ['the ledger does not hold']), ...(done && older > 0 ? [`${older} old rows are left`] : [])]
  })
}
