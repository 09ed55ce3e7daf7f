// New rows of the log, as one stream tells them, and as several do, each from where the one before broke off.
import type { LogEntry } from '../core/calls/log-entry.ts'
import type { WeirClient } from '../core/contracts.ts'
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
