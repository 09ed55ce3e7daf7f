// The items of a Responses answer while they are being said: each knows the events that tell of it.
import type { ModelEvent } from '../dialect.ts'
import type { JsonObject } from '../json-value.ts'
import { writeReasoning } from './extras.ts'

/** An event of the stream, without the `response.` before its type and without its number. */
export type Said = JsonObject & { type: string }

export interface Item {
  kind: string
  /** Among the items of the answer. */
  place: number
  begin(): Said[]
  /** What ends it, and the item as a whole. */
  close(): { said: Said[]; whole: JsonObject }
}

const added = (place: number, item: JsonObject): Said => ({ type: 'output_item.added', output_index: place, item })
const done = (place: number, item: JsonObject): Said => ({ type: 'output_item.done', output_index: place, item })

export interface MessageItem extends Item {
  kind: 'message'
  say(type: 'output_text' | 'refusal', text: string): Said[]
  cite(url: string, title?: string): Said[]
}

export function messageItem(id: string, place: number): MessageItem {
  const plain = { id, type: 'message', role: 'assistant' }
  const parts: JsonObject[] = []
  let open: { type: 'output_text' | 'refusal'; text: string; annotations: JsonObject[] } | undefined
  const at = () => ({ item_id: id, output_index: place, content_index: parts.length })

  const partOf = ({ type, text, annotations }: NonNullable<typeof open>): JsonObject =>
    type === 'refusal' ? { type, refusal: text } : { type, text, annotations: [...annotations], logprobs: [] }

  function openPart(type: 'output_text' | 'refusal'): Said[] {
    if (open?.type === type) return []
    const said = closePart()
    open = { type, text: '', annotations: [] }
    return [...said, { type: 'content_part.added', ...at(), part: partOf(open) }]
  }

  function closePart(): Said[] {
    if (!open) return []
    const part = partOf(open)
    const ended = open.type === 'refusal' ? { refusal: open.text } : { text: open.text, logprobs: [] }
    const said = [
      { type: `${open.type}.done`, ...at(), ...ended },
      { type: 'content_part.done', ...at(), part },
    ]
    parts.push(part)
    open = undefined
    return said
  }

  return {
    kind: 'message',
    place,
    begin: () => [added(place, { ...plain, status: 'in_progress', content: [] })],
    say(type, text) {
      const said = openPart(type)
      open!.text += text
      return [...said, { type: `${type}.delta`, ...at(), delta: text, ...(type === 'refusal' ? {} : { logprobs: [] }) }]
    },
    cite(url, title = '') {
      const said = openPart('output_text')
      const end = open!.text.length
      const annotation = { type: 'url_citation', url, title, start_index: end, end_index: end }
      const annotation_index = open!.annotations.push(annotation) - 1
      return [...said, { type: 'output_text.annotation.added', ...at(), annotation_index, annotation }]
    },
    close() {
      const said = closePart()
      const whole = { ...plain, status: 'completed', content: parts }
      return { said: [...said, done(place, whole)], whole }
    },
  }
}

export interface ReasoningItem extends Item {
  kind: 'reasoning'
  think(thought: Extract<ModelEvent, { type: 'reasoning' }>): Said[]
}

export function reasoningItem(id: string, place: number): ReasoningItem {
  const plain = { id, type: 'reasoning' }
  const part = { item_id: id, output_index: place, summary_index: 0 }
  let text = ''
  let sealed: { signature?: string; redacted?: boolean } = {}

  return {
    kind: 'reasoning',
    place,
    begin: () => [added(place, { ...plain, summary: [] })],
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
      if (text === '' || sealed.redacted) return { said: [done(place, whole)], whole }
      const said = [
        { type: 'reasoning_summary_text.done', ...part, text },
        { type: 'reasoning_summary_part.done', ...part, part: { type: 'summary_text', text } },
        done(place, whole),
      ]
      return { said, whole }
    },
  }
}

type Call = Extract<ModelEvent, { type: 'tool_call' }>

export interface CallItem extends Item {
  add(more: Pick<Call, 'arguments' | 'name'>): Said[]
}

export function callItem(id: string, place: number, call: Call): CallItem {
  let { name = '' } = call
  let text = ''
  const item = (status: string) => ({
    id,
    type: 'function_call',
    status,
    call_id: call.id ?? id,
    name,
    arguments: text,
  })
  return {
    kind: 'call',
    place,
    begin: () => [added(place, item('in_progress'))],
    add(more) {
      name ||= more.name ?? ''
      text += more.arguments
      const delta = { type: 'function_call_arguments.delta', item_id: id, output_index: place, delta: more.arguments }
      return more.arguments === '' ? [] : [delta]
    },
    close() {
      const whole = item('completed')
      const ended = { type: 'function_call_arguments.done', item_id: id, output_index: place, name, arguments: text }
      return { said: [ended, done(place, whole)], whole }
    },
  }
}

const DATA = /^data:image\/([\w.+-]+);base64,/

/** A picture that was made: its bytes, or where it is. */
export function imageItem(id: string, place: number, url: string): Item {
  const inline = DATA.exec(url)
  const plain = { id, type: 'image_generation_call' }
  const made = inline ? { output_format: inline[1], result: url.slice(inline[0].length) } : { result: url }
  return {
    kind: 'image',
    place,
    begin: () => [added(place, { ...plain, status: 'in_progress', result: null })],
    close() {
      const whole = { ...plain, status: 'completed', ...made }
      return { said: [done(place, whole)], whole }
    },
  }
}
