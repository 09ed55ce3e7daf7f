// Follows the usage log: the last rows, and then those that a stream tells, over whatever connection there is.
import type { LogEntry } from '../core/calls/log-entry.ts'
import type { WeirClient } from '../core/contracts.ts'
import { words } from '../core/errors.ts'
import type { Surroundings } from './command.ts'
import type { Connection } from './connect.ts'
import { Unreachable } from './failure.ts'
import { painted } from './language.ts'
import { newRows } from './log-stream.ts'
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

const AGAIN_MS = 2000
/** Rows get their ids in one order and may be written in another: so many before the newest may still come. */
const LATE_ROWS = 100

const NO_ROWS = words('No rows yet.', '还没有记录。')
const WAITING = words(
  'No server is running here, and only a server writes rows: waiting for one. Ctrl+C ends.',
  '此处没有正在运行的服务器，而记录只由服务器写入：正在等待。按 Ctrl+C 结束。',
)
const OVER = words('The stream has ended.', '日志流已结束。')
const SKIPPED = (rows: number) =>
  words(`${rows} rows were skipped: \`weir logs\` lists them.`, `跳过了 ${rows} 条记录：可用 \`weir logs\` 查看。`)

/** Prints the last rows, oldest first, and then new ones until a signal comes. */
export async function followLogs(context: Surroundings, { filter: asked, channel, page_size }: Follow): Promise<void> {
  const { print } = context
  const signal = context.interrupted()
  let connection: Connection | null = await context.connectAnew()
  const found = channel === undefined ? undefined : await needChannel(connection.client, channel)
  const filter = found ? { ...asked, channel: found.id } : asked
  const { rows, after } = await lastRows(connection.client, filter, page_size)
  if (print.form === 'human') await print.list(rows, logView, { empty: painted(print, NO_ROWS, 'faint') })
  else await print.next(rows, logView)
  const known = new Set(rows.map(({ id }) => id))
  let last_event_id = after
  /** Said once, until it goes on. */
  let isCut = false
  const cut = (why: { en: string; zh: string }) => {
    if (!isCut && !signal.aborted)
      print.warn(words(`${why.en} Trying again until Ctrl+C.`, `${why.zh} 将持续重试，直到 Ctrl+C。`))
    isCut = true
  }

  while (connection && !signal.aborted) {
    // An opened SQLite folder belongs to one process. Only a server writes rows, so we step aside and wait for one.
    if (connection.via === 'process' && context.config.database === undefined) {
      print.warn(WAITING)
      await connection.close()
      connection = await context.awaitServer(signal)
      continue
    }
    try {
      for await (const heard of newRows(
        connection.client,
        { ...filter, last_event_id },
        signal,
        () => (isCut = false),
      )) {
        if ('skipped' in heard) print.warn(SKIPPED(heard.skipped))
        else {
          last_event_id = heard.id
          if (!known.delete(heard.id)) await print.next([heard.row], logView)
        }
      }
      cut(OVER)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      cut(words(error.message, error.message))
    }
    if (signal.aborted) break
    await pause(AGAIN_MS, signal)
    if (connection.via === 'socket') connection = await context.awaitServer(signal)
  }
  await connection?.close()
}

/** The last rows, oldest first, and behind which one to listen: those among them that are heard again are known. */
async function lastRows(
  client: WeirClient,
  filter: Filter,
  page_size: number,
): Promise<{ rows: LogEntry[]; after: number }> {
  const newest = (await client.logs.list({ p: 1, page_size: 1 })).items[0]?.id ?? 0
  const { items } = await client.logs.list({ ...filter, p: 1, page_size })
  // Where more rows match than are shown, only those behind the first of them are new.
  const first = items.length < page_size ? Math.max(1, newest - LATE_ROWS) : (items.at(-1)?.id ?? newest)
  return { rows: [...items].reverse(), after: newest === 0 ? 0 : Math.min(first, newest) }
}
