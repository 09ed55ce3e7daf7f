// Detects answers without content. An answer of thoughts alone and without a regular end has none, even if it reports usage.
import type { HeardEvent } from './tool-calls/assembler.ts'

/** Is this content other than thoughts, or a regular end? */
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

/** Checks a whole answer. An error is not an empty answer. */
export const isEmptyAnswer = (events: readonly HeardEvent[]): boolean =>
  !events.some((event) => event.type === 'failure' || answers(event))
