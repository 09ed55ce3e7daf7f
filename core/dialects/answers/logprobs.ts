// The log probabilities of an answer's tokens, if a provider reports them next to the text.
import type { ModelEvent, OutputTokenLogprobs } from './model-event.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'

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
