// New rows of the log, as one stream tells them, and as several do, each from where the one before broke off.
import type { LogEntry } from '../core/calls/log-entry.ts'
import type { WeirClient } from '../core/contracts.ts'
import { words } from '../core/errors.ts'
import type { CommandEnvironment } from './command.ts'
import type { Connection } from './connect.ts'
import { Unreachable } from './failure.ts'
import { colorizeTexts, inLanguage } from './language.ts'
import { needChannel } from './nouns/channel.ts'
import { logView } from './nouns/log.ts'
import { pause } from './signals.ts'

type Input = NonNullable<Parameters<WeirClient['logs']['stream']>[0]>

/** A row with the id that a stream is taken up behind, or how many rows were skipped. */
export type Heard = { row: LogEntry; id: number } | { skipped: number }

/**
 * The rows until the stream ends, breaks off or the signal comes. `began` hears that it is there.
 * @throws Refusal, Unreachable
 */
async function* newRows(
  client: WeirClient,
  input: Input,
  signal: AbortSignal,
  began: () => void = () => undefined,
): AsyncGenerator<Heard> {
  const { events, end } = await client.logs.stream(input)
  signal.addEventListener('abort', end, { once: true })
  try {
    if (signal.aborted) return
    began()
    for await (const { id, event, data } of events) {
      if (event === undefined) yield { row: data as LogEntry, id: id ?? (data as LogEntry).id }
      else if (event === 'skipped') yield { skipped: (data as { rows: number }).rows }
    }
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** How long nobody is asked after a stream has ended or broken off, in ms. */
const AGAIN_MS = 2000

interface Following {
  /** Whom to ask, this time; null ends it. */
  client(): Promise<WeirClient | null>
  filter?: Omit<Input, 'last_event_id'>
  /** The id of the row behind which it begins. */
  last: number
  signal: AbortSignal
  /** A stream is there. */
  began?(): void
  /** It is gone: why, where it did not just end. May throw, which ends it. */
  cut(why?: unknown): void
}

/** The rows behind `last` until the signal, however often the stream is gone: it is taken up again where it was. */
export async function* everyNewRow({ client, filter, last, signal, began, cut }: Following): AsyncGenerator<Heard> {
  let last_event_id = last
  while (!signal.aborted) {
    const asked = await client()
    if (!asked) return
    try {
      for await (const heard of newRows(asked, { ...filter, last_event_id }, signal, began)) {
        if ('id' in heard) last_event_id = heard.id
        yield heard
      }
      cut()
    } catch (error) {
      cut(error)
    }
    await pause(AGAIN_MS, signal)
  }
}

// Follows the usage log: the last rows, and then those that a stream tells, over whatever connection there is.

type Filter = NonNullable<Parameters<WeirClient['logs']['list']>[0]>

interface Follow {
  filter: Filter
  page_size: number
  /** Only rows of this channel, by id or name. */
  channel?: string
}

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
export async function followLogs(
  context: CommandEnvironment,
  { filter: asked, channel, page_size }: Follow,
): Promise<void> {
  const { print } = context
  const signal = context.interrupted()
  let connection: Connection | null = await context.connectAnew()
  const found = channel === undefined ? undefined : await needChannel(connection.client, channel)
  const filter = found ? { ...asked, channel: found.id } : asked
  const { rows, after } = await lastRows(connection.client, filter, page_size)
  if (print.form === 'human') await print.list(rows, logView, { empty: colorizeTexts(print, NO_ROWS, 'faint') })
  else await print.next(rows, logView)
  const known = new Set(rows.map(({ id }) => id))
  /** Said once, until it goes on. */
  let isCut = false
  const client = async () => {
    // An opened SQLite folder belongs to one process. Only a server writes rows, so we step aside and wait for one.
    const aside = connection?.via === 'process' && context.config.database === undefined
    if (aside) print.warn(WAITING)
    // A server that was stopped and started has another socket.
    if (aside || (isCut && connection?.via === 'socket')) {
      await connection?.close()
      connection = await context.awaitServer(signal)
    }
    return connection?.client ?? null
  }
  const began = () => (isCut = false)
  const cut = (why: unknown) => {
    if (why !== undefined && !(why instanceof Unreachable)) throw why
    const said = why?.said ?? OVER
    const [en, zh] = [inLanguage(said, 'en'), inLanguage(said, 'zh')]
    if (!isCut && !signal.aborted)
      print.warn(words(`${en} Trying again until Ctrl+C.`, `${zh} 将持续重试，直到 Ctrl+C。`))
    isCut = true
  }
  for await (const heard of everyNewRow({ client, filter, last: after, signal, began, cut }))
    if ('skipped' in heard) print.warn(SKIPPED(heard.skipped))
    else if (!known.delete(heard.id)) await print.next([heard.row], logView)
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
