// New rows of the log: one stream, and a sequence of streams that resumes after each disconnect.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import type { CommandEnvironment } from '../command.ts'
import type { GatewayConnection } from './connect.ts'
import { GatewayUnreachable } from '../failure.ts'
import { colorizeTexts } from '../language.ts'
import { findRequiredChannel } from '../nouns/channel.ts'
import { logEntryView, type MinCost } from '../nouns/log.ts'
import { waitOrAbort } from '../signals.ts'
import { fetchPages, type PageQuery } from '../output/paging.ts'
import { words } from '../texts.ts'

type LogStreamQuery = NonNullable<Parameters<WeirClient['logs']['stream']>[0]>

/** A row with the id after which a stream resumes, or a number of skipped rows. */
export type Heard = { row: LogEntry; id: number } | { skipped: number }

/**
 * Yields rows until the stream ends, breaks off or the signal comes. `began` is called when it is connected.
 * @throws Refusal, Unreachable
 */
async function* newRows(
  client: WeirClient,
  input: LogStreamQuery,
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

/** Pause before reconnecting after a stream has ended or broken off, in ms. */
const RECONNECT_DELAY_MS = 2000

interface Following {
  /** Returns the client for the next connection; null ends it. */
  client(): Promise<WeirClient | null>
  filter?: Omit<LogStreamQuery, 'last_event_id'>
  /** The id of the row after which it starts. */
  last: number
  signal: AbortSignal
  /** Called when a stream is connected. */
  began?(): void
  /** Called when a stream has ended, with the error if it broke off. May throw, which ends the iteration. */
  cut(why?: unknown): void
}

/** Yields the rows after `last` until the signal. After each disconnect it resumes at the same row. */
export async function* streamNewRows({ client, filter, last, signal, began, cut }: Following): AsyncGenerator<Heard> {
  let last_event_id = last
  while (!signal.aborted) {
    const connected = await client()
    if (!connected) return
    try {
      for await (const received of newRows(connected, { ...filter, last_event_id }, signal, began)) {
        if ('id' in received) last_event_id = received.id
        yield received
      }
      cut()
    } catch (error) {
      cut(error)
    }
    await waitOrAbort(RECONNECT_DELAY_MS, signal)
  }
}

// The command that follows the usage log: the last rows, then streamed ones, over any connection.

type Filter = NonNullable<Parameters<WeirClient['logs']['list']>[0]>

interface Follow {
  filter: Filter
  /** Number of rows that are printed first. */
  last: number
  /** Filters by this channel, id or name. */
  channel?: string
  /** Filters by the least cost. */
  minCost?: MinCost | undefined
}

/**
 * Rows get their ids in order but may be written in another order: this many ids before the newest may still appear.
 */
const REORDER_WINDOW_ROWS = 100

const NO_ROWS = words('No rows yet.')
const WAITING = words('No server is running here, and only a server writes rows: waiting for one. Ctrl+C ends.')
const STREAM_ENDED = words('The stream has ended.')
const SKIPPED = (rows: number) => fillTemplate(words('{rows} rows were skipped: `weir logs` lists them.'), { rows })

/** Prints the last rows, oldest first, and then new ones until a signal comes. */
export async function followLogRows(
  context: CommandEnvironment,
  { filter: connected, channel, minCost, last }: Follow,
): Promise<void> {
  const { print } = context
  const signal = context.interrupted()
  let connection: GatewayConnection | null = await context.reconnect()
  const found = channel === undefined ? undefined : await findRequiredChannel(connection.client, channel)
  const filter = {
    ...connected,
    ...(found ? { channel: found.id } : {}),
    ...(minCost ? { min_quota: minCost(await connection.client.site.status()) } : {}),
  }
  const { rows, after } = await lastRows(connection.client, filter, last)
  if (print.form === 'human') await print.list(rows, logEntryView, { empty: colorizeTexts(print, NO_ROWS, 'faint') })
  else await print.next(rows, logEntryView)
  const known = new Set(rows.map(({ id }) => id))
  /** True after an interruption was reported, until rows arrive again. */
  let isCut = false
  const client = async () => {
    // An open SQLite folder belongs to one process, and only a server writes rows. This process therefore releases it
    // and waits for a server.
    const mustRelease = connection?.via === 'process' && context.config.database === undefined
    if (mustRelease) print.warn(WAITING)
    // A restarted server has another socket.
    if (mustRelease || (isCut && connection?.via === 'socket')) {
      await connection?.close()
      connection = await context.awaitServer(signal)
    }
    return connection?.client ?? null
  }
  const began = () => (isCut = false)
  const cut = (why: unknown) => {
    if (why !== undefined && !(why instanceof GatewayUnreachable)) throw why
    const reason = why?.text ?? STREAM_ENDED
    if (!isCut && !signal.aborted) print.warn(fillTemplate(words('{reason} Retrying until Ctrl+C.'), { reason }))
    isCut = true
  }
  for await (const received of streamNewRows({ client, filter, last: after, signal, began, cut }))
    if ('skipped' in received) print.warn(SKIPPED(received.skipped))
    else if (!known.delete(received.id)) await print.next([received.row], logEntryView)
  await connection?.close()
}

/**
 * Returns the last rows, oldest first, and the id after which to listen. Rows that arrive a second time are recognized.
 */
async function lastRows(
  client: WeirClient,
  filter: Filter,
  last: number,
): Promise<{ rows: LogEntry[]; after: number }> {
  const newest = (await client.logs.list({ p: 1, page_size: 1 })).items[0]?.id ?? 0
  const items: LogEntry[] = []
  const fetch = async (query: PageQuery) => client.logs.list({ ...filter, ...query })
  for await (const { rows } of fetchPages(fetch, { offset: 0, limit: last })) items.push(...rows)
  // If more rows match than are shown, only rows after the first of them are new.
  const first = items.length < last ? Math.max(1, newest - REORDER_WINDOW_ROWS) : (items.at(-1)?.id ?? newest)
  return { rows: [...items].reverse(), after: newest === 0 ? 0 : Math.min(first, newest) }
}
