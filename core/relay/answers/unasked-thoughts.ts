// Proofs of thought in answers to callers who did not ask to see thoughts: an answer begins with what was asked for, and a
// proof goes only where its provider needs it back, which is before a call.
import type { ModelEvent } from '../../dialects/model-event.ts'

type Thought = Extract<ModelEvent, { type: 'reasoning' }>

/** The state of one of the answers. */
interface Thinking {
  /** Proofs whose call has yet to come. */
  held: Thought[]
  /** The last event had words of a thought: the next proof belongs to them. */
  told: boolean
}

/**
 * Leaves out of an answer the proofs that lead to no call: those of texts, and of thoughts without words. The words of a
 * thought stay, with their proof: their caller pays for them.
 */
export function withoutUnaskedProofs(): (event: ModelEvent) => ModelEvent[] {
  const answers = new Map<number, Thinking>()
  return (event) => {
    if (!('choice' in event)) return [event]
    const thinking = answers.get(event.choice) ?? { held: [], told: false }
    answers.set(event.choice, thinking)
    if (event.type === 'reasoning') {
      const isProof = event.redacted === true || event.text === ''
      if (isProof && !thinking.told) {
        thinking.held.push(event)
        return []
      }
      thinking.told = !isProof
      return [event]
    }
    thinking.told = false
    if (event.type === 'tool_call') return [...thinking.held.splice(0), event]
    if (event.type !== 'text' || event.signature === undefined) return [event]
    const { signature: _, ...plain } = event
    return plain.text === '' && !plain.logprobs ? [] : [plain]
  }
}
