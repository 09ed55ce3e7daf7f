// The log probabilities of an answer's tokens, where a provider tells them beside what it says.
import type { ModelEvent, TokenLogprob } from './model-event.ts'
import type { HeardEvent } from './tool-calls/assembler.ts'

type Text = Extract<ModelEvent, { type: 'text' }>

/** What one piece says, with the tokens of its text; those of thoughts and calls are told in no format. */
export function withLogprobs<Said extends HeardEvent>(
  events: Said[],
  logprobs: TokenLogprob[] | undefined,
  choice: number,
): (Said | Text)[] {
  if (!logprobs) return events
  if (events.length === 0) return [{ type: 'text', text: '', choice, logprobs }]
  const at = events.findIndex(({ type }) => type === 'text')
  return events.map((event, index) => (event.type === 'text' && index === at ? { ...event, logprobs } : event))
}
