// Notifies processes that cached data has changed: this process directly, others through notifications of the database.
// Their delivery is checked at an interval. While it fails, all cached data counts as changed within a minute.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { CachedDataChange, Storage } from '../../ports/storage.ts'
import type { Database } from './connection/database.ts'

export type ChangeNotifier = Pick<Storage, 'announce' | 'onChange' | 'close'>

const TOPICS: CachedDataChange['topic'][] = ['settings', 'channels', 'users', 'tokens']
const CHANNEL = 'weir_changes'
const RECONNECT_MS = 500
/** Interval at which a process checks that it receives its own database notifications, in ms. */
const BEAT_MS = 10_000
/** Number of missed checks after which the connection counts as broken. */
const MISSED_BEATS = 2

interface ChangeNotificationPorts {
  clock: Clock
  logger: Logger
}

function listeners() {
  const all: ((change: CachedDataChange) => void | Promise<void>)[] = []
  const announce = async (change: CachedDataChange): Promise<void> => {
    await Promise.all(all.map((listener) => listener(change)))
  }
  return { announce, onChange: (listener: (typeof all)[number]) => void all.push(listener) }
}

/** Not awaited: a listener that fails keeps its old data until the next change. */
const createChangeHandler =
  ({ announce }: ReturnType<typeof listeners>, logger: Logger) =>
  (change: CachedDataChange): void =>
    void announce(change).catch((error: unknown) => {
      logger.error('A change made elsewhere could not be taken over', { topic: change.topic, error: String(error) })
    })

/** The changed data is unknown, so everything cached is dropped. */
const announceAll = (pass: (change: CachedDataChange) => void): void =>
  TOPICS.forEach((topic) => pass({ topic, id: 0 }))

/**
 * Handles changes in a process that is the only owner of its database. Writes by other programs to the file are
 * detected as well.
 */
export async function openLocalChanges(
  { write }: Database,
  { clock, logger }: ChangeNotificationPorts,
): Promise<ChangeNotifier> {
  const local = listeners()
  const pass = createChangeHandler(local, logger)
  let before: number | undefined
  async function checkVersion(): Promise<void> {
    // Changes with every commit of another connection. All own commits use this one.
    const [{ data_version: now }] = (await write.raw('pragma data_version')) as [{ data_version: number }]
    if (before !== undefined && before !== now) announceAll(pass)
    before = now
  }
  const startCheck = () => void checkVersion().catch(() => undefined)
  await checkVersion()
  const stop = clock.every(BEAT_MS, startCheck)
  return { ...local, close: async () => stop() }
}

/** Handles changes among all processes that share a PostgreSQL database. */
export async function openSharedChanges(
  url: string,
  { write }: Database,
  { clock, logger }: ChangeNotificationPorts,
): Promise<ChangeNotifier> {
  const { Client } = (await import('pg')).default
  const local = listeners()
  const pass = createChangeHandler(local, logger)
  const self = randomUUID()
  const notify = (message: object) =>
    write.raw('select pg_notify(?, ?)', [CHANNEL, JSON.stringify({ ...message, from: self })])
  let closed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let missed = 0

  async function listen(): Promise<void> {
    const fresh = new Client({
      connectionString: url,
      application_name: 'weir',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    })
    // An `error` event without a listener would end the process. `end` follows it and starts the next attempt.
    fresh.on('error', () => undefined)
    fresh.on('notification', ({ payload }) => {
      missed = 0
      const { from, ...change } = JSON.parse(payload ?? '{}') as Partial<CachedDataChange> & { from: string }
      if (from !== self && change.topic) pass(change as CachedDataChange)
    })
    await fresh.connect()
    await fresh.query(`listen ${CHANNEL}`)
    if (closed) return fresh.end()
    fresh.on('end', () => renew(fresh))
    client = fresh
    missed = 0
  }

  /** Replaces a lost connection, and retries until that succeeds. */
  function renew(lost: pg.Client | undefined): void {
    if (closed || lost !== client) return
    client = undefined
    logger.warn('The connection for change notifications was lost, reconnecting')
    retry = setTimeout(() => {
      listen().then(
        () => announceAll(pass),
        () => renew(undefined),
      )
    }, RECONNECT_MS)
  }

  function startCheck(): void {
    notify({}).catch(() => undefined)
    if (++missed <= MISSED_BEATS) return
    announceAll(pass)
    const silent = client
    if (!silent) return
    renew(silent)
    // Not awaited: the server does not respond.
    silent.end().catch(() => undefined)
  }

  await listen()
  const stop = clock.every(BEAT_MS, startCheck)
  return {
    async announce(change) {
      await local.announce(change)
      await notify(change)
    },
    onChange: local.onChange,
    async close() {
      closed = true
      stop()
      clearTimeout(retry)
      await client?.end()
    },
  }
}
