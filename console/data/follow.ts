// Follows new rows of the log as they are written: over fetch, since an EventSource cannot authenticate. Reconnects
// after an interruption.
import { useEffect, useRef } from 'react'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { parseEventStream } from '../../core/contract/replies.ts'
import { openStream, RequestFailure } from './client.ts'
import { endpointOutlines } from './outlines.built.ts'

/** Delay before an interrupted stream is opened again, in ms. */
const RECONNECT_MS = 3000

/** Too many requests, which is temporary. */
const BUSY = 429

const pause = () => new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))

interface Follow {
  /** The calls of all users, or only the user's own. */
  endpoint: 'stream' | 'streamSelf'
  filter: Record<string, unknown>
  onRow(row: LogEntry): void
  /** Number of rows of all users that were left out. */
  onSkipped?(rows: number): void
  /**
   * Whether the log is followed now; if not, the reason if the server gives one. A refused stream is not retried,
   * unless the server is only busy.
   */
  onState(now: 'live' | 'broken' | { refused: string }): void
}

/** Follows the log until the returned function is called. */
export function followLogRows({ endpoint, filter, onRow, onSkipped, onState }: Follow): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let last = 0
  const follow = async () => {
    while (!signal.aborted) {
      try {
        const outline = endpointOutlines.logs![endpoint]!
        const pieces = await openStream(outline, { ...filter, ...(last > 0 ? { last_event_id: last } : {}) }, signal)
        onState('live')
        for await (const { id, event, data } of parseEventStream(readText(pieces))) {
          if (id !== undefined) last = id
          if (event === undefined) onRow(data as LogEntry)
          else if (event === 'skipped') onSkipped?.((data as { rows: number }).rows)
        }
      } catch (error) {
        if (signal.aborted) return
        const refused = error instanceof RequestFailure && error.status >= 400 && error.status < 500
        if (refused) onState({ refused: error.message })
        if (refused && error.status !== BUSY) return
        if (!refused) onState('broken')
        await pause()
        continue
      }
      if (signal.aborted) return
      onState('broken')
      await pause()
    }
  }
  void follow()
  return () => ending.abort()
}

/** Some browsers cannot iterate over a stream. */
async function* readText(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
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

// Polls while something is in progress, as long as the page is visible.

/** Runs every `every` ms while `on` is true and the page is visible; immediately when it becomes visible again. */
export function usePoll(on: boolean, every: number, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => {
      if (!document.hidden) latest.current()
    }, every)
    const onVisible = () => {
      if (!document.hidden) latest.current()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [on, every])
}
