// Adds the charged usage to answers whose provider reports none and whose format requires it.
import { encodeFrame, readFrame } from '../../dialects/frames.ts'
import type { CallRecord } from '../../calls/call-record.ts'
import type { Call } from '../call.ts'
import type { Answer } from './answer.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Writes the charged usage into the end of an answer that was translated to another format.
 * @param end a whole answer, or the event that ends a stream; the same bytes are returned if nothing is missing
 */
export function addCountedUsage(
  end: Uint8Array,
  { inbound }: Pick<Call, 'inbound'>,
  { kind, same }: Pick<Answer, 'kind' | 'same'>,
  { usage }: Pick<CallRecord, 'usage'>,
): Uint8Array {
  if (same || !inbound.withUsage || usage?.source !== 'estimated' || end.length === 0) return end
  if (kind === 'whole') return inbound.withUsage(end, usage)
  const frame = readFrame(end)
  if (!frame) return end
  return encodeFrame({ ...frame, data: decoder.decode(inbound.withUsage(encoder.encode(frame.data), usage)) })
}
