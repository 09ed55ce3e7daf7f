// New rows of the log as they are written: over fetch, since an EventSource cannot say who is asking. It goes on by itself
// where it breaks off.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { parseEventStream } from '../../core/contract/event-stream.ts'
import { open, RequestFailure } from './client.ts'
import { outlines } from './outlines.built.ts'

/** After which a stream that broke off is opened again, in ms. */
const RECONNECT_MS = 3000

/** Too many requests: that passes. */
const BUSY = 429

const pause = () => new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))

interface Follow {
  /** Of everybody, or of who asks. */
  whose: 'stream' | 'streamSelf'
  filter: Record<string, unknown>
  heard(row: LogEntry): void
  /** So many rows of everybody were not told. */
  skipped?(rows: number): void
  /** Whether it is heard now; why not, where the server says so: then it is not tried again, but where it has too much to do. */
  state(now: 'heard' | 'broken' | { refused: string }): void
}

/** Follows until the end that it gives is called. */
export function followLog({ whose, filter, heard, skipped, state }: Follow): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let last = 0
  const follow = async () => {
    while (!signal.aborted) {
      try {
        const outline = outlines.logs![whose]!
        const pieces = await open(outline, { ...filter, ...(last > 0 ? { last_event_id: last } : {}) }, signal)
        state('heard')
        for await (const { id, event, data } of parseEventStream(textIn(pieces))) {
          if (id !== undefined) last = id
          if (event === undefined) heard(data as LogEntry)
          else if (event === 'skipped') skipped?.((data as { rows: number }).rows)
        }
      } catch (error) {
        if (signal.aborted) return
        const refused = error instanceof RequestFailure && error.status >= 400 && error.status < 500
        if (refused) state({ refused: error.message })
        if (refused && error.status !== BUSY) return
        if (!refused) state('broken')
        await pause()
        continue
      }
      if (signal.aborted) return
      state('broken')
      await pause()
    }
  }
  void follow()
  return () => ending.abort()
}

/** Not every browser can iterate over a stream. */
async function* textIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
