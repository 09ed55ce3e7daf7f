// Detects answers without content. An answer that has only reasoning and no regular end is empty, even if it reports
// usage.
import type { UnassembledEvent } from '../tool-calls/assembler.ts'

/** Is this event content other than reasoning, or a regular end? */
export function hasAnswerContent(event: UnassembledEvent): boolean {
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
export const isEmptyAnswer = (events: readonly UnassembledEvent[]): boolean =>
  !events.some((event) => event.type === 'failure' || hasAnswerContent(event))
