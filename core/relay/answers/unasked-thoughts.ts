// Filters reasoning signatures in answers to callers who did not ask for reasoning: a signature is sent only where its
// provider needs it back, which is before a tool call.
import type { ModelEvent } from '../../dialects/model-event.ts'

type Thought = Extract<ModelEvent, { type: 'reasoning' }>

/** The state of one choice. */
interface Thinking {
  /** Signatures whose tool call has not arrived yet. */
  held: Thought[]
  /** True if the last event had reasoning text: the next signature belongs to it. */
  hasText: boolean
}

/**
 * Removes the signatures that lead to no tool call: those of texts, and of reasoning without text. Reasoning text stays
 * with its signature, since the caller pays for it.
 */
export function withoutUnaskedProofs(): (event: ModelEvent) => ModelEvent[] {
  const answers = new Map<number, Thinking>()
  return (event) => {
    if (!('choice' in event)) return [event]
    const thinking = answers.get(event.choice) ?? { held: [], hasText: false }
    answers.set(event.choice, thinking)
    if (event.type === 'reasoning') {
      const isProof = event.redacted === true || event.text === ''
      if (isProof && !thinking.hasText) {
        thinking.held.push(event)
        return []
      }
      thinking.hasText = !isProof
      return [event]
    }
    thinking.hasText = false
    if (event.type === 'tool_call') return [...thinking.held.splice(0), event]
    if (event.type !== 'text' || event.signature === undefined) return [event]
    const { signature: _, ...plain } = event
    return plain.text === '' && !plain.logprobs ? [] : [plain]
  }
}
