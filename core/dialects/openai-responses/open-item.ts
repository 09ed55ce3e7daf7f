// The items of a Responses answer while they stream: each creates its own events.
import type { ModelEvent, OutputTokenLogprobs } from '../answers/model-event.ts'
import type { JsonObject } from '../json/json-value.ts'
import { writeLogProbabilities } from '../openai-chat/logprobs.ts'
import { writeReasoning } from './extras.ts'

/** An event of the stream, without the prefix `response.` of its type and without its sequence number. */
export type ResponseStreamEvent = JsonObject & { type: string }

export type ItemStatus = 'completed' | 'incomplete'

export interface OutputItem {
  kind: string
  /** Index among the items of the answer. */
  place: number
  begin(): ResponseStreamEvent[]
  /** Returns the item so far; undefined if no event has announced it yet. */
  whole(status: ItemStatus): JsonObject | undefined
  /** Returns the closing events, and the whole item. */
  close(): { events: ResponseStreamEvent[]; whole: JsonObject }
}

export const buildAddedEvent = (place: number, item: JsonObject): ResponseStreamEvent => ({
  type: 'output_item.added',
  output_index: place,
  item,
})
export const buildDoneEvent = (place: number, item: JsonObject): ResponseStreamEvent => ({
  type: 'output_item.done',
  output_index: place,
  item,
})

type TextType = 'output_text' | 'refusal'
type ItemCitation = Extract<ModelEvent, { type: 'citation' }>

/** A part of a message; `from` is its offset in the text of the whole answer. */
export interface TextPart {
  type: TextType
  text: string
  from: number
  annotations: JsonObject[]
  logprobs: JsonObject[]
}

export interface MessageItem extends OutputItem {
  kind: 'message'
  /** Adds text; `from` is the length of the text before it. */
  say(type: TextType, text: string, from: number, logprobs?: OutputTokenLogprobs[]): ResponseStreamEvent[]
  parts: readonly TextPart[]
  /** Adds a citation to one of its parts; a closed part has it only in the whole item. */
  cite(part: TextPart, source: ItemCitation): ResponseStreamEvent[]
  whole(status?: ItemStatus): JsonObject
}

export function createMessageItem(id: string, place: number): MessageItem {
  const plain = { id, type: 'message', role: 'assistant' }
  const parts: TextPart[] = []
  let open: TextPart | undefined
  const at = () => ({ item_id: id, output_index: place, content_index: parts.length - 1 })

  const writePart = ({ type, text, annotations, logprobs }: TextPart): JsonObject =>
    type === 'refusal'
      ? { type, refusal: text }
      : { type, text, annotations: [...annotations], logprobs: [...logprobs] }

  function openPart(type: TextType, from: number): ResponseStreamEvent[] {
    if (open?.type === type) return []
    const events = closePart()
    open = { type, text: '', from, annotations: [], logprobs: [] }
    parts.push(open)
    return [...events, { type: 'content_part.added', ...at(), part: writePart(open) }]
  }

  function closePart(): ResponseStreamEvent[] {
    if (!open) return []
    const ended = open.type === 'refusal' ? { refusal: open.text } : { text: open.text, logprobs: open.logprobs }
    const events = [
      { type: `${open.type}.done`, ...at(), ...ended },
      { type: 'content_part.done', ...at(), part: writePart(open) },
    ]
    open = undefined
    return events
  }

  const whole = (status: ItemStatus = 'completed'): JsonObject => ({ ...plain, status, content: parts.map(writePart) })

  return {
    kind: 'message',
    place,
    parts,
    whole,
    begin: () => [buildAddedEvent(place, { ...plain, status: 'in_progress', content: [] })],
    say(type, text, from, tokens = []) {
      const events = openPart(type, from)
      const logprobs = writeLogProbabilities(tokens)
      open!.text += text
      for (const one of logprobs) open!.logprobs.push(one)
      return [...events, { type: `${type}.delta`, ...at(), delta: text, ...(type === 'refusal' ? {} : { logprobs }) }]
    },
    cite(part, source) {
      const annotation = writeAnnotation(source, part)
      const annotation_index = part.annotations.push(annotation) - 1
      return part === open ? [{ type: 'output_text.annotation.added', ...at(), annotation_index, annotation }] : []
    },
    close: () => ({ events: [...closePart(), buildDoneEvent(place, whole())], whole: whole() }),
  }
}

/** Writes the citation's range within a part: one without a range is placed after the text so far. */
function writeAnnotation({ url, title = '', at }: ItemCitation, { from, text }: TextPart): JsonObject {
  const within = (letter: number) => Math.min(Math.max(letter - from, 0), text.length)
  const { start, end } = at ?? { start: Infinity, end: Infinity }
  return { type: 'url_citation', url, title, start_index: within(start), end_index: within(end) }
}

export interface ReasoningItem extends OutputItem {
  kind: 'reasoning'
  think(thought: Extract<ModelEvent, { type: 'reasoning' }>): ResponseStreamEvent[]
}

export function createReasoningItem(id: string, place: number): ReasoningItem {
  const plain = { id, type: 'reasoning' }
  const part = { item_id: id, output_index: place, summary_index: 0 }
  let text = ''
  let sealed: { signature?: string; redacted?: boolean } = {}

  return {
    kind: 'reasoning',
    place,
    whole: () => ({ ...plain, ...writeReasoning({ text, ...sealed }) }),
    begin: () => [buildAddedEvent(place, { ...plain, summary: [] })],
    think({ text: more, signature, redacted }) {
      sealed = { signature, redacted }
      const first = text === ''
      text += more
      if (more === '' || redacted) return []
      const opening = { type: 'reasoning_summary_part.added', ...part, part: { type: 'summary_text', text: '' } }
      return [...(first ? [opening] : []), { type: 'reasoning_summary_text.delta', ...part, delta: more }]
    },
    close() {
      const whole = { ...plain, ...writeReasoning({ text, ...sealed }) }
      if (text === '' || sealed.redacted) return { events: [buildDoneEvent(place, whole)], whole }
      const events = [
        { type: 'reasoning_summary_text.done', ...part, text },
        { type: 'reasoning_summary_part.done', ...part, part: { type: 'summary_text', text } },
        buildDoneEvent(place, whole),
      ]
      return { events, whole }
    },
  }
}

const DATA = /^data:image\/([\w.+-]+);base64,/

/** Creates the item of a generated image: its bytes, or its address. */
export function createImageItem(id: string, place: number, url: string): OutputItem {
  const inline = DATA.exec(url)
  const plain = { id, type: 'image_generation_call' }
  const made = inline ? { output_format: inline[1], result: url.slice(inline[0].length) } : { result: url }
  const whole = (): JsonObject => ({ ...plain, status: 'completed', ...made })
  return {
    kind: 'image',
    place,
    whole,
    begin: () => [buildAddedEvent(place, { ...plain, status: 'in_progress', result: null })],
    close: () => ({ events: [buildDoneEvent(place, whole())], whole: whole() }),
  }
}
