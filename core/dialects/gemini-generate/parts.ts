// Writes events as parts of a model's turn. A call is written whole, since Google supports no other, and reasoning
// waits for the next piece: its signature must be in the part that it signs, the text or the call after it. Elsewhere
// clients lose it, or take the empty part for the answer.
import type { FinishReason, ModelEvent } from '../answers/model-event.ts'
import { omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { createCallOrder } from '../tool-calls/order.ts'
import { writeFunctionCall } from './call.ts'
import { toAudioType, writeImagePart } from './media.ts'
import { SIGNATURE_PLACEHOLDER, encodeSignature } from './signature.ts'

type ContentEvent = Exclude<
  ModelEvent,
  { type: 'start' | 'usage' | 'failure' | 'end' | 'finish' | 'citation' | 'search' }
>
type ToolCallEvent = Extract<ModelEvent, { type: 'tool_call' }>
type ReasoningEvent = Extract<ModelEvent, { type: 'reasoning' }>

/** A writer of one candidate's parts. */
export interface PartWriter {
  /** Returns the parts that an event completes, and its own. */
  say(event: ContentEvent): JsonObject[]
  /** Returns the open rest: a call, reasoning, or a signature that nothing followed. */
  rest(): JsonObject[]
  /** Returns Google's finish reason. */
  finish(reason: FinishReason): string
}

const finishWords: Record<FinishReason, string> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
}

export function createPartWriter(): PartWriter {
  let open: ToolCallEvent | ReasoningEvent | undefined
  /** The signature of reasoning without text, kept until the part after it. */
  let held: string | undefined
  let signed = false
  let malformed = false
  const oneByOne = createCallOrder()

  function close(): JsonObject[] {
    if (!open) return []
    const before = open.type === 'reasoning' || open.signature ? release() : []
    const part = open.type === 'reasoning' ? writePart(open) : writeFunctionCall(proven(open))
    open = undefined
    // Arguments that are not an object cannot be written here, but the finish reason shows that there was such a call.
    if (!part) malformed = true
    return part ? [...before, part] : before
  }

  function take(): string | undefined {
    const signature = held
    held = undefined
    return signature
  }

  /** Writes the held signature in a separate part, like Google's closing one. */
  function release(): JsonObject[] {
    const signature = take()
    return signature ? [{ text: '', thoughtSignature: encodeSignature(signature) }] : []
  }

  /** Signs the first call, which goes back to Google with a signature: a placeholder if it came from another vendor. */
  function proven(call: ToolCallEvent): ToolCallEvent {
    const first = !signed
    signed = true
    const signature = call.signature ?? take() ?? (first ? SIGNATURE_PLACEHOLDER : undefined)
    return signature ? { ...call, signature: encodeSignature(signature) } : call
  }

  function hold(signature: string): JsonObject[] {
    const before = [...close(), ...release()]
    held = signature
    return before
  }

  function think(event: ReasoningEvent): JsonObject[] {
    if (open?.type === 'reasoning' && event.text === '') {
      open = { ...open, ...event, text: open.text }
      return close()
    }
    if (event.text === '') return event.signature ? hold(event.signature) : close()
    const before = close()
    open = event
    return event.signature ? [...before, ...close()] : before
  }

  function speak(event: Exclude<ContentEvent, ToolCallEvent | ReasoningEvent>): JsonObject[] {
    const before = close()
    const takes = event.type === 'text' && event.text !== '' && !event.signature
    if (takes) return [...before, writePart({ ...event, signature: take() })]
    return [...before, ...release(), writePart(event)]
  }

  function say(event: ModelEvent): JsonObject[] {
    switch (event.type) {
      case 'text':
      case 'refusal':
      case 'image':
      case 'audio':
        return speak(event)
      case 'reasoning':
        // Encrypted reasoning is useful to its own provider only.
        return event.redacted ? close() : think(event)
      case 'tool_call':
        return call(event)
      default:
        return []
    }
  }

  function call(event: ToolCallEvent): JsonObject[] {
    if (open?.type === 'tool_call' && open.index === event.index) {
      open = { ...open, ...omitUndefinedMembers(event), arguments: open.arguments + event.arguments }
      return []
    }
    const before = close()
    open = event
    return before
  }

  return {
    rest: () => [...oneByOne.rest().flatMap(say), ...close(), ...release()],
    say: (event) => oneByOne.take(event).flatMap(say),
    finish: (reason) => (malformed && reason !== 'length' ? 'MALFORMED_FUNCTION_CALL' : finishWords[reason]),
  }
}

function writePart(event: Exclude<ContentEvent, ToolCallEvent>): JsonObject {
  switch (event.type) {
    case 'text':
      return { text: event.text, ...signedWith(event) }
    case 'refusal':
      return { text: event.text }
    case 'reasoning':
      return { text: event.text, thought: true, ...signedWith(event) }
    case 'image':
      return writeImagePart(event.url)
    case 'audio':
      return { inlineData: { mimeType: toAudioType(event.format), data: event.data } }
  }
}

const signedWith = ({ signature }: { signature?: string | undefined }): JsonObject =>
  signature ? { thoughtSignature: encodeSignature(signature) } : {}
