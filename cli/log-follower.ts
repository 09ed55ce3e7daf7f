// Follows the usage log: asks for rows newer than the last one seen, over whatever connection there is.
import type { LogEntry } from '../core/calls/log-entry.ts'
import type { WeirClient } from '../core/contracts.ts'
import { words } from '../core/errors.ts'
import type { Surroundings } from './command.ts'
import type { Connection } from './connect.ts'
import { Unreachable } from './failure.ts'
import { needChannel } from './nouns/channel.ts'
import { logView } from './nouns/log.ts'
import { pause } from './signals.ts'

type Filter = NonNullable<Parameters<WeirClient['logs']['list']>[0]>

interface Follow {
  filter: Filter
  page_size: number
  /** Only rows of this channel, by id or name. */
  channel?: string
}

const POLL_MS = 1000
const LARGEST_PAGE = 100
/** Times are whole seconds and rows of one moment may arrive in any order, so the last seconds are asked for again. */
const OVERLAP_SECONDS = 3
const REMEMBERED_IDS = 10_000

const NO_ROWS = words('No rows yet.', '还没有记录。')
const WAITING = words(
  'No server is running here: waiting for one. Ctrl+C ends.',
  '此处没有正在运行的服务器：正在等待。按 Ctrl+C 结束。',
)

/** Prints the last rows, oldest first, and then new ones until a signal comes. */
export async function followLogs(context: Surroundings, { filter: asked, channel, page_size }: Follow): Promise<void> {
  const { print, language } = context
  const signal = context.interrupted()
  let connection: Connection | null = await context.connectAnew()
  const found = channel === undefined ? undefined : await needChannel(connection.client, channel)
  const filter = found ? { ...asked, channel: found.id } : asked
  const { items } = await connection.client.logs.list({ ...filter, p: 1, page_size })
  const rows = [...items].reverse()
  if (print.form === 'human') await print.list(rows, logView, { empty: print.paint(NO_ROWS[language], 'faint') })
  else await print.next(rows, logView)
  const newRows = rememberFrom(rows, filter)

  while (connection && !signal.aborted) {
    // An opened SQLite folder belongs to one process. Only a server writes rows, so we step aside and wait for one.
    if (connection.via === 'process' && context.config.database === undefined) {
      print.warn(WAITING)
      await connection.close()
      connection = await context.awaitServer(signal)
      continue
    }
    try {
      await print.next(await newRows(connection.client), logView)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      print.warn(words(`${error.message} Trying again until Ctrl+C.`, `${error.message} 将持续重试，直到 Ctrl+C。`))
      if (connection.via === 'socket') connection = await context.awaitServer(signal)
      else await pause(POLL_MS * 4, signal)
      continue
    }
    await pause(POLL_MS, signal)
  }
  await connection?.close()
}

/** Gives the function that asks for the rows that came since, oldest first. */
function rememberFrom(rows: LogEntry[], filter: Filter): (client: WeirClient) => Promise<LogEntry[]> {
  let since = Math.max(0, ...rows.map(({ created_at }) => created_at))
  let seen = new Set(rows.map(({ id }) => id))
  return async (client) => {
    const fresh: LogEntry[] = []
    const start_timestamp = Math.max(since - OVERLAP_SECONDS, Number(filter.start_timestamp ?? 0))
    for (let p = 1; ; p += 1) {
      const { items } = await client.logs.list({ ...filter, start_timestamp, p, page_size: LARGEST_PAGE })
      const unseen = items.filter(({ id }) => !seen.has(id))
      fresh.push(...unseen)
      if (items.length < LARGEST_PAGE || unseen.length === 0) break
    }
    for (const { id, created_at } of fresh) {
      seen.add(id)
      since = Math.max(since, created_at)
    }
    if (seen.size > REMEMBERED_IDS) seen = new Set([...seen].slice(-REMEMBERED_IDS / 2))
    return [...new Map(fresh.map((row) => [row.id, row])).values()].reverse()
  }
}
