// New rows of the log into the pulse, by one stream that is taken up again where it broke off.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { pause } from '../signals.ts'
import type { Pulse } from './pulse.ts'

const AGAIN_MS = 2000

/** Follows until the signal. Where the log cannot be reached it tries again: the pages tell of it when they load. */
export async function followCalls(client: WeirClient, last: number, pulse: Pulse, signal: AbortSignal): Promise<void> {
  let last_event_id = last
  while (!signal.aborted) {
    try {
      const { events, end } = await client.logs.stream({ last_event_id })
      if (signal.aborted) return end()
      signal.addEventListener('abort', end, { once: true })
      for await (const { id, event, data } of events) {
        if (event === undefined) pulse.add([data as LogEntry])
        last_event_id = id ?? last_event_id
      }
      signal.removeEventListener('abort', end)
    } catch {
      // Nothing that could be done about it here.
    }
    await pause(AGAIN_MS, signal)
  }
}
