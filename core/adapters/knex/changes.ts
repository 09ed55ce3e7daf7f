// Tells processes that something cached has changed: our own at once, others through the database's notifications.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Logger } from '../../ports/logger.ts'
import type { Change, Storage } from '../../ports/storage.ts'
import type { Database } from './connect.ts'

export type Changes = Pick<Storage, 'announce' | 'onChange' | 'close'>

const TOPICS: Change['topic'][] = ['settings', 'channels', 'users', 'tokens']
const CHANNEL = 'weir_changes'
const RECONNECT_MS = 500

/** Changes within one process, the only owner of its database. */
export function localChanges(): Changes {
  const listeners: ((change: Change) => void | Promise<void>)[] = []
  return {
    async announce(change) {
      await Promise.all(listeners.map((listener) => listener(change)))
    },
    onChange: (listener) => void listeners.push(listener),
    close: async () => undefined,
  }
}

/** Changes among all processes that share a PostgreSQL database. */
export async function sharedChanges(url: string, { write }: Database, logger: Logger): Promise<Changes> {
  const local = localChanges()
  const self = randomUUID()
  let closed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  /** Nobody waits for these: a listener that fails keeps what it had until the next change. */
  const pass = (change: Change) =>
    local.announce(change).catch((error: unknown) => {
      logger.error('A change made elsewhere could not be taken over', { topic: change.topic, error: String(error) })
    })

  async function listen(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'weir',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    })
    // Without a listener an error event would end the process; `end` follows it and starts the next attempt.
    fresh.on('error', () => undefined)
    fresh.on('notification', ({ payload }) => {
      const { from, ...change } = JSON.parse(payload ?? '{}') as Change & { from: string }
      if (from !== self) void pass(change)
    })
    await fresh.connect()
    await fresh.query(`listen ${CHANNEL}`)
    fresh.on('end', again)
    client = fresh
    if (closed) await fresh.end()
  }

  function again() {
    if (closed) return
    logger.warn('The connection for change notifications was lost, reconnecting')
    retry = setTimeout(() => {
      // What changed meanwhile is unknown, so everything cached is dropped.
      listen().then(() => TOPICS.forEach((topic) => void pass({ topic, id: 0 })), again)
    }, RECONNECT_MS)
  }

  await listen()
  return {
    async announce(change) {
      await local.announce(change)
      await write.raw('select pg_notify(?, ?)', [CHANNEL, JSON.stringify({ ...change, from: self })])
    },
    onChange: local.onChange,
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end()
    },
  }
}
