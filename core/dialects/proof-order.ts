// Where proofs of thought go in formats that know those of thoughts alone: before what they led to. A proof behind all
// that was said would become a block of its own there, and clients take the last block of an answer for the answer.
import type { ModelEvent, TokenLogprob } from './model-event.ts'

type Thought = Extract<ModelEvent, { type: 'reasoning' }>

const proofOf = (signature: string): Thought => ({ type: 'reasoning', text: '', choice: 0, signature })

const isWordless = ({ text, signature, redacted }: Thought): boolean => text === '' && Boolean(signature) && !redacted

/**
 * Puts the proofs of one answer in order while it is said: those of texts become thoughts. A proof that comes while its
 * text is being said cuts no text in two: it goes before the next call or thought, and is left out where none follows.
 * Only the first of several answers is put in order: these formats have no other.
 */
export function createProofOrder(): (event: ModelEvent) => ModelEvent[] {
  let last: 'nothing' | 'thought' | 'text' | 'call' = 'nothing'
  /** Thoughts without words, and what they led to has yet to come. */
  let held: Thought[] = []
  let closing: Thought | undefined
  const early: TokenLogprob[] = []

  function release(): Thought[] {
    const released = held
    held = []
    return released
  }

  function releaseAll(): Thought[] {
    const released = closing ? [closing, ...release()] : release()
    closing = undefined
    return released
  }

  function text({ signature, ...plain }: Extract<ModelEvent, { type: 'text' }>): ModelEvent[] {
    const ready: ModelEvent[] = []
    if (signature && last === 'text') closing = proofOf(signature)
    else if (signature && last === 'thought') ready.push(proofOf(signature))
    else if (signature) held.push(proofOf(signature))
    if (plain.text === '') {
      // Tokens that make no letter by themselves belong to the text before them; before any, to the next.
      if (plain.logprobs && last === 'text') return [...ready, plain]
      early.push(...(plain.logprobs ?? []))
      return ready
    }
    last = 'text'
    if (early.length > 0) plain.logprobs = [...early.splice(0), ...(plain.logprobs ?? [])]
    return [...ready, ...release(), plain]
  }

  return (event) => {
    if ('choice' in event && event.choice !== 0) return [event]
    switch (event.type) {
      case 'text':
        return text(event)
      case 'refusal':
      case 'image':
      case 'audio':
        last = 'text'
        return [...release(), event]
      case 'reasoning':
        if (isWordless(event) && (last === 'text' || last === 'call')) {
          held.push(event)
          return []
        }
        last = 'thought'
        return [...releaseAll(), event]
      case 'tool_call':
        last = 'call'
        return event.name === undefined ? [event] : [...releaseAll(), event]
      default:
        return [event]
    }
  }
}

const RUNS = new Set<ModelEvent['type']>(['text', 'refusal', 'image', 'audio'])
const BREAKS = new Set<ModelEvent['type']>(['reasoning', 'tool_call'])

/** The events of a whole answer, with the proof of a text before the first of its pieces: there it has its place. */
export function withProofsFirst(events: readonly ModelEvent[]): ModelEvent[] {
  const ordered: ModelEvent[] = []
  /** Where the text began that is being said. */
  let begin = -1
  for (const event of events) {
    if ('choice' in event && event.choice !== 0) ordered.push(event)
    else if (event.type === 'text' && event.signature && begin >= 0) {
      const { signature, ...plain } = event
      ordered.splice(begin++, 0, { type: 'text', text: '', choice: 0, signature })
      ordered.push(plain)
    } else {
      if (BREAKS.has(event.type)) begin = -1
      else if (RUNS.has(event.type) && begin < 0) begin = ordered.length
      ordered.push(event)
    }
  }
  return ordered
}
