// Whether an answer says anything. One with nothing but thoughts and no regular end is none, whatever it reports of usage.
import type { HeardEvent } from './tool-calls/assembler.ts'

/** Does this make it an answer: does it say something beside thoughts, or end it regularly? */
export function answers(event: HeardEvent): boolean {
  switch (event.type) {
    case 'text':
    case 'refusal':
      return event.text !== ''
    case 'tool_call':
    case 'image':
    case 'audio':
      return true
    case 'finish':
      return !event.odd
    default:
      return false
  }
}

/** Of a whole answer. One that says what failed is no empty one. */
export const isEmptyAnswer = (events: readonly HeardEvent[]): boolean =>
  !events.some((event) => event.type === 'failure' || answers(event))
