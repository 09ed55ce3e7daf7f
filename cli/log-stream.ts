// New rows of the log, as one stream tells them.
import type { LogEntry } from '../core/calls/log-entry.ts'
import type { WeirClient } from '../core/contracts.ts'

type Input = NonNullable<Parameters<WeirClient['logs']['stream']>[0]>

/** A row with the id that a stream is taken up behind, or how many rows were skipped. */
export type Heard = { row: LogEntry; id: number } | { skipped: number }

/**
 * The rows until the stream ends, breaks off or the signal comes. `began` hears that it is there.
 * @throws Refusal, Unreachable
 */
export async function* newRows(
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
