// Who is told of a finished call: those who hear of all, and whoever waits for this one.
import type { CallRecord } from '../calls/call-record.ts'
import type { CallSinks } from '../calls/sinks.ts'
import type { Call } from './call.ts'

export function notifySinks(
  { sinks }: { sinks: Pick<CallSinks, 'hear'> },
  call: Pick<Call, 'heard'>,
  record: CallRecord,
): void {
  sinks.hear(record)
  call.heard?.(record)
}
