// Moves reasoning signatures for formats that only support those of reasoning: before the content that they belong to.
// A signature after all output would become a separate block there, and clients take the last block for the answer.
import type { ModelEvent, TokenLogprob } from './model-event.ts'

type Thought = Extract<ModelEvent, { type: 'reasoning' }>

const toSignatureEvent = (signature: string): Thought => ({ type: 'reasoning', text: '', choice: 0, signature })

const isWordless = ({ text, signature, redacted }: Thought): boolean => text === '' && Boolean(signature) && !redacted

/**
 * Returns a function that reorders the signatures of one streaming answer: those of texts become reasoning. A signature
 * in the middle of a text does not split it: it goes before the next call or reasoning, and is dropped if none follows.
 * Only the first of several answers is reordered: these formats have no other.
 */
export function createProofOrder(): (event: ModelEvent) => ModelEvent[] {
  let last: 'nothing' | 'thought' | 'text' | 'call' = 'nothing'
  /** Reasoning without text, kept until the content that follows it. */
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
    if (signature && last === 'text') closing = toSignatureEvent(signature)
    else if (signature && last === 'thought') ready.push(toSignatureEvent(signature))
    else if (signature) held.push(toSignatureEvent(signature))
    if (plain.text === '') {
      // Tokens without a character belong to the text before them, or at the start to the text after them.
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

/** Returns the events of a whole answer, with the signature of a text before the first of its pieces. */
export function withProofsFirst(events: readonly ModelEvent[]): ModelEvent[] {
  const ordered: ModelEvent[] = []
  /** Index of the first event of the current text; -1 if there is none. */
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
