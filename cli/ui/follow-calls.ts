// New rows of the log into the pulse, by one stream that is taken up again where it broke off.
import type { WeirClient } from '../../core/contracts.ts'
import { newRows } from '../log-stream.ts'
import { pause } from '../signals.ts'
import type { Pulse } from './pulse.ts'

const AGAIN_MS = 2000

/** Follows until the signal. `cutOff` is told why nothing comes, and that it comes again by nothing. */
export async function followCalls(
  client: WeirClient,
  last: number,
  pulse: Pulse,
  signal: AbortSignal,
  cutOff: (error: unknown) => void,
): Promise<void> {
  let last_event_id = last
  while (!signal.aborted) {
    try {
      for await (const heard of newRows(client, { last_event_id }, signal, () => cutOff(undefined))) {
        if (!('row' in heard)) continue
        pulse.add([heard.row])
        last_event_id = heard.id
      }
    } catch (error) {
      cutOff(error)
    }
    await pause(AGAIN_MS, signal)
  }
}
