// The progress of a stream that passes, so that Weir can end it in its own format if its provider does not.
import type { CallFailure } from '../call-failure.ts'
import type { Frame } from '../frame.ts'
import type { RequestHead } from '../head.ts'
import { asNumber, asObject, type JsonObject } from '../json-value.ts'
import { errorEvent, responseError } from './error.ts'
import { membersFor } from './response.ts'

/** The end of an answer that breaks off repeats its whole items up to this size in all. Unit: bytes. */
const MOST_BYTES = 256 * 1024
const NUMBER = /"sequence_number"\s*:\s*(\d{1,15})/

/** One per stream. */
export class Progress {
  private response: JsonObject | undefined
  private readonly items: JsonObject[] = []
  private bytes = 0
  /** The number of the next event, and the frames since that were not read: the last of them. */
  private next = 0
  private text: string | undefined
  private start = 0
  private end = 0

  /** Counts an event that passes unread. */
  pass(text: string, start: number, end: number): void {
    this.next++
    this.text = text
    this.start = start
    this.end = end
  }

  /** Takes an event of so many bytes that was read; `passes` if the caller gets it. */
  note(event: JsonObject, bytes: number, passes: boolean): void {
    if (passes) {
      this.next = (asNumber(event.sequence_number) ?? this.next) + 1
      this.text = undefined
    }
    const response = asObject(event.response)
    if (response) this.response = response
    const place = asNumber(event.output_index) ?? this.items.length
    const item = asObject(event.item)
    if (!item || place > this.items.length || this.bytes + bytes > MOST_BYTES) return
    this.bytes += bytes
    const unfinished = event.type === 'response.output_item.added' && 'status' in item
    this.items[place] = unfinished ? { ...item, status: 'incomplete' } : item
  }

  /** Returns the error and the answer so far; undefined if no answer has begun. */
  breakOff(failure: CallFailure): Frame[] | undefined {
    const { response } = this
    if (!response) return undefined
    const number = this.text === undefined ? undefined : NUMBER.exec(this.text.slice(this.start, this.end))?.[1]
    const sequence = number === undefined ? this.next : Number(number) + 1
    const output = Array.isArray(response.output) && response.output.length > 0 ? response.output : this.items
    return failedEnd(failure, { ...response, output }, sequence)
  }
}

/** The events of a stream that has nothing to tell but its failure. */
export function writeFailedStream(
  failure: CallFailure,
  head: RequestHead,
  { id, created }: { id: string; created: number },
): Frame[] {
  const about = { id: `resp_${id}`, object: 'response', created_at: created, ...membersFor(head) }
  return failedEnd(failure, { ...about, model: head.model, store: false, output: [], usage: null }, 0)
}

/** The two events by which a response fails; the first has this number. */
const failedEnd = (failure: CallFailure, response: JsonObject, sequence: number): Frame[] => [
  frameOf({ ...errorEvent(failure), sequence_number: sequence }),
  frameOf({
    type: 'response.failed',
    sequence_number: sequence + 1,
    response: { ...response, status: 'failed', error: responseError(failure) },
  }),
]

const frameOf = (event: JsonObject): Frame => ({ event: String(event.type), data: JSON.stringify(event) })
