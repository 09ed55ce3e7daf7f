// Detects whether the events of an answer have content, and adds log probabilities to their texts. An answer that has only
// reasoning and no regular end is empty, even if it reports usage.
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import type { ModelEvent, OutputTokenLogprobs } from './model-event.ts'

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

type Text = Extract<ModelEvent, { type: 'text' }>

/** Adds log probabilities to the text of one piece. No format reports those of reasoning and calls. */
export function addTextLogprobs<Said extends UnassembledEvent>(
  events: Said[],
  logprobs: OutputTokenLogprobs[] | undefined,
  choice: number,
): (Said | Text)[] {
  if (!logprobs) return events
  if (events.length === 0) return [{ type: 'text', text: '', choice, logprobs }]
  const at = events.findIndex(({ type }) => type === 'text')
  return events.map((event, index) => (event.type === 'text' && index === at ? { ...event, logprobs } : event))
}
