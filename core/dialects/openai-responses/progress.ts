// Records the progress of a stream that passes through, so that Weir can end it in its own format if the provider does
// not.
import type { CallFailure } from '../answers/call-failure.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { RequestHead } from '../requests/head.ts'
import { asFiniteNumber, asObject, type JsonObject } from '../json/json-value.ts'
import { writeErrorEvent, buildResponseError } from './error.ts'
import { buildResponseMembers } from './response.ts'

/** Maximum total size of the items that the end of a broken answer repeats, in bytes. */
const MOST_BYTES = 256 * 1024
const NUMBER = /"sequence_number"\s*:\s*(\d{1,15})/

export class StreamProgress {
  private response: JsonObject | undefined
  private readonly items: JsonObject[] = []
  private bytes = 0
  /** Sequence number of the next event, and the last of the unparsed frames since it was set. */
  private next = 0
  private text: string | undefined
  private start = 0
  private end = 0

  /** Counts an event that passes unparsed. */
  pass(text: string, start: number, end: number): void {
    this.next++
    this.text = text
    this.start = start
    this.end = end
  }

  /** Records a parsed event of so many bytes; `passes` if it is sent to the caller. */
  note(event: JsonObject, bytes: number, passes: boolean): void {
    if (passes) {
      this.next = (asFiniteNumber(event.sequence_number) ?? this.next) + 1
      this.text = undefined
    }
    const response = asObject(event.response)
    if (response) this.response = response
    const place = asFiniteNumber(event.output_index) ?? this.items.length
    const item = asObject(event.item)
    if (!item || place > this.items.length || this.bytes + bytes > MOST_BYTES) return
    this.bytes += bytes
    const unfinished = event.type === 'response.output_item.added' && 'status' in item
    this.items[place] = unfinished ? { ...item, status: 'incomplete' } : item
  }

  /** Returns the error and the answer so far; undefined if no answer has started. */
  breakOff(failure: CallFailure): SseFrame[] | undefined {
    const { response } = this
    if (!response) return undefined
    const number = this.text === undefined ? undefined : NUMBER.exec(this.text.slice(this.start, this.end))?.[1]
    const sequence = number === undefined ? this.next : Number(number) + 1
    const output = Array.isArray(response.output) && response.output.length > 0 ? response.output : this.items
    return failedEnd(failure, { ...response, output }, sequence)
  }
}

/** Writes the events of a stream that only reports a failure. */
export function writeFailedStream(
  failure: CallFailure,
  head: RequestHead,
  { id, created }: { id: string; created: number },
): SseFrame[] {
  const about = { id: `resp_${id}`, object: 'response', created_at: created, ...buildResponseMembers(head) }
  return failedEnd(failure, { ...about, model: head.model, store: false, output: [], usage: null }, 0)
}

/** Builds the two events that end a failed response; the first has this sequence number. */
const failedEnd = (failure: CallFailure, response: JsonObject, sequence: number): SseFrame[] => [
  toFrame({ ...writeErrorEvent(failure), sequence_number: sequence }),
  toFrame({
    type: 'response.failed',
    sequence_number: sequence + 1,
    response: { ...response, status: 'failed', error: buildResponseError(failure) },
  }),
]

const toFrame = (event: JsonObject): SseFrame => ({ event: String(event.type), data: JSON.stringify(event) })
