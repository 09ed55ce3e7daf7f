// What events say, as parts of a model's turn: calls that came in pieces leave whole, since Google knows no other, and
// a piece of a thought waits for the next, because the signature has to stand beside words: clients lose it elsewhere.
import type { FinishReason, ModelEvent } from '../dialect.ts'
import { withoutUndefined, type JsonObject } from '../json-value.ts'
import { NO_SIGNATURE, writeCall } from './call.ts'
import { audioType, writeImage } from './media.ts'

type Said = Exclude<ModelEvent, { type: 'start' | 'usage' | 'failure' | 'end' | 'finish' | 'citation' }>
type Call = Extract<ModelEvent, { type: 'tool_call' }>
type Thought = Extract<ModelEvent, { type: 'reasoning' }>

/** One candidate's parts. */
export interface Speaker {
  /** The parts that an event brings to an end, and its own. */
  say(event: Said): JsonObject[]
  /** The call or thought that is still open. */
  rest(): JsonObject[]
  /** Google's word for why it ended. */
  finish(reason: FinishReason): string
}

const finishWords: Record<FinishReason, string> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
}

export function createSpeaker(): Speaker {
  let open: Call | Thought | undefined
  let signed = false
  let malformed = false

  function rest(): JsonObject[] {
    if (!open) return []
    const part = open.type === 'reasoning' ? partOf(open) : writeCall(proven(open))
    open = undefined
    // Arguments that are no object cannot be said here, but that there was such a call can.
    if (!part) malformed = true
    return part ? [part] : []
  }

  /** The first call goes back to Google with a signature: with this one where it came from somebody else. */
  function proven(call: Call): Call {
    const first = !signed
    signed = true
    return first && !call.signature ? { ...call, signature: NO_SIGNATURE } : call
  }

  function think(event: Thought): JsonObject[] {
    if (open?.type === 'reasoning' && event.text === '') {
      open = { ...open, ...event, text: open.text }
      return rest()
    }
    const before = rest()
    open = event
    return event.signature ? [...before, ...rest()] : before
  }

  return {
    rest,
    say(event) {
      // Sealed thoughts are of use to their own provider alone.
      if (event.type === 'reasoning') return event.redacted ? rest() : think(event)
      if (event.type !== 'tool_call') return [...rest(), partOf(event)]
      if (open?.type !== 'tool_call' || open.index !== event.index) {
        const before = rest()
        open = event
        return before
      }
      open = { ...open, ...withoutUndefined(event), arguments: open.arguments + event.arguments }
      return []
    },
    finish: (reason) => (malformed && reason !== 'length' ? 'MALFORMED_FUNCTION_CALL' : finishWords[reason]),
  }
}

function partOf(event: Exclude<Said, Call>): JsonObject {
  switch (event.type) {
    case 'text':
      return withoutUndefined({ text: event.text, thoughtSignature: event.signature })
    case 'refusal':
      return { text: event.text }
    case 'reasoning':
      // A signature alone comes with words that are no thought.
      if (event.text === '') return { text: '', thoughtSignature: event.signature }
      return withoutUndefined({ text: event.text, thought: true, thoughtSignature: event.signature })
    case 'image':
      return writeImage(event.url)
    case 'audio':
      return { inlineData: { mimeType: audioType(event.format), data: event.data } }
  }
}
