// Converts neutral events to the payloads of this format: content comes in numbered blocks, one open at a time.
import type { SseFrame } from '../answers/frames.ts'
import { createProofOrder, markCallSignature } from '../reasoning/reasoning-signature.ts'
import { getUtf8Length } from '../answers/stream-watcher.ts'
import type { Usage } from '../answers/usage.ts'
import type { RequestHead } from '../requests/head.ts'
import type { FinishReason, SearchResultPage, ModelEvent } from '../answers/model-event.ts'
import { parseJson, type JsonObject } from '../json/json-value.ts'
import { createCallOrder } from '../tool-calls/order.ts'
import { writeErrorFrame } from './error.ts'
import { FOREIGN_SEARCH_PREFIX, OWN_SEARCH_PREFIX, writeUsageObject } from './usage.ts'

/** Bytes of text per token, roughly. */
const BYTES_PER_TOKEN = 4

const stopReasons: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
}

/** The model calls its tools itself, not through code that it wrote. */
const DIRECT: JsonObject = { type: 'direct' }

export const NO_USAGE: Usage = {
  input: 0,
  cache_read: 0,
  cache_write: 0,
  cache_write_1h: 0,
  output: 0,
  reasoning: 0,
  source: 'estimated',
}

/** Kind of the open block. Calls are distinguished by index; a reasoning block ends when it is signed. */
type BlockKind = 'none' | 'text' | 'thinking' | 'signed' | `call ${number}`

type EventOf<T extends ModelEvent['type']> = Extract<ModelEvent, { type: T }>

/**
 * Returns a writer of the payloads of one answer. The finish reason and the usage are written together at the end. This
 * format has one answer only: of several the first is written.
 */
export function createEventWriter(head: Pick<RequestHead, 'model' | 'prompt_estimate' | 'searches'>) {
  let isStarted = false
  let blocks = 0
  let kind: BlockKind = 'none'
  let textBytes = 0
  /** Characters of text so far, and the offset at which each text block starts. */
  let letters = 0
  const texts: { index: number; from: number }[] = []
  /** Citations that came before any text. */
  let waiting: EventOf<'citation'>[] = []
  const oneByOne = createCallOrder()
  const inOrder = createProofOrder()
  let searches = 0
  let answer = ''
  const cited = new Map<string, SearchResultPage>()
  let called = false
  let refused = false
  let usage: Usage | undefined
  let ending: EventOf<'finish'> | undefined

  const begin = (start?: EventOf<'start'>): JsonObject[] => {
    if (isStarted) return []
    isStarted = true
    answer = (start?.id ?? '').replaceAll(/\W/g, '')
    const message = {
      id: start?.id ?? '',
      type: 'message',
      role: 'assistant',
      model: start?.model || head.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: writeUsageObject(usage ?? { ...NO_USAGE, input: head.prompt_estimate }),
    }
    return [{ type: 'message_start', message }]
  }

  const close = (): JsonObject[] => {
    if (kind === 'none') return []
    kind = 'none'
    return [{ type: 'content_block_stop', index: blocks - 1 }]
  }

  const open = (next: BlockKind, content_block: JsonObject): JsonObject[] => {
    const closed = [...begin(), ...close()]
    kind = next
    return [...closed, { type: 'content_block_start', index: blocks++, content_block }]
  }

  const delta = (more: JsonObject): JsonObject => ({ type: 'content_block_delta', index: blocks - 1, delta: more })

  function text(more: string): JsonObject[] {
    if (kind === 'text') return [delta({ type: 'text_delta', text: more })]
    texts.push({ index: blocks, from: letters })
    const opened = [...open('text', { type: 'text', text: '' }), delta({ type: 'text_delta', text: more })]
    const sources = waiting.flatMap(cite)
    waiting = []
    return [...opened, ...sources]
  }

  /** Adds a citation to the block that holds its text, or to the last text block. It never opens a block. */
  function cite(source: EventOf<'citation'>): JsonObject[] {
    cited.set(source.url, { url: source.url, ...(source.title ? { title: source.title } : {}) })
    const { end = Infinity } = source.at ?? {}
    const block = texts.findLast(({ from }) => from < end) ?? texts[0]
    if (!block) waiting.push(source)
    const citation = writeCitation(source)
    return block
      ? [{ type: 'content_block_delta', index: block.index, delta: { type: 'citations_delta', citation } }]
      : []
  }

  function reasoning({ text: more, signature, redacted }: EventOf<'reasoning'>): JsonObject[] {
    if (redacted) return [...open('signed', { type: 'redacted_thinking', data: more }), ...close()]
    const opened = kind === 'thinking' ? [] : open('thinking', { type: 'thinking', thinking: '', signature: '' })
    if (more !== '') opened.push(delta({ type: 'thinking_delta', thinking: more }))
    if (!signature) return opened
    kind = 'signed'
    return [...opened, delta({ type: 'signature_delta', signature })]
  }

  function call({ index, id, name, arguments: more, signature }: EventOf<'tool_call'>): JsonObject[] {
    called = true
    const opened: JsonObject[] = []
    if (kind !== `call ${index}`) {
      // Calls are not signed in this format: the signature precedes the call, as that of a reasoning block.
      if (signature)
        opened.push(...reasoning({ type: 'reasoning', text: '', choice: 0, signature: markCallSignature(signature) }))
      const block = { type: 'tool_use', id: id ?? `call_${index}`, name: name ?? '', input: {}, caller: DIRECT }
      opened.push(...open(`call ${index}`, block))
    }
    return more === '' ? opened : [...opened, delta({ type: 'input_json_delta', partial_json: more })]
  }

  /** Writes a search in Anthropic's format: the call of its hosted tool and the result. */
  function search({ query, pages }: Pick<EventOf<'search'>, 'query' | 'pages'>): JsonObject[] {
    const own = pages.some(({ sealed }) => sealed)
    const id = `${own ? OWN_SEARCH_PREFIX : FOREIGN_SEARCH_PREFIX}${answer}_${++searches}`
    const call = open('signed', { type: 'server_tool_use', id, name: 'web_search', input: {}, caller: DIRECT })
    const input = delta({ type: 'input_json_delta', partial_json: JSON.stringify({ query: query ?? '' }) })
    const content = pages.map(writePage)
    const found = open('signed', { type: 'web_search_tool_result', tool_use_id: id, content, caller: DIRECT })
    return [...call, input, ...found, ...close()]
  }

  function stopReason(): string {
    if (refused) return 'refusal'
    if (ending?.stop_sequence) return 'stop_sequence'
    // Some providers report a plain stop after tool calls.
    return ending?.reason === 'stop' && called ? 'tool_use' : stopReasons[ending?.reason ?? 'stop']
  }

  function end(): JsonObject[] {
    // Some vendors report only the citations of a search.
    const searched = searches === 0 && head.searches && cited.size > 0 ? search({ pages: [...cited.values()] }) : []
    const counted = usage ?? {
      ...NO_USAGE,
      input: head.prompt_estimate,
      output: Math.ceil(textBytes / BYTES_PER_TOKEN),
    }
    const stop_sequence = ending?.stop_sequence ?? null
    const stop = { stop_reason: stopReason(), stop_sequence, stop_details: null, container: null }
    const opened = [...begin(), ...searched, ...close()]
    const web_search = Math.max(counted.calls?.web_search ?? 0, searches)
    const total = searches > 0 ? { ...counted, calls: { ...counted.calls, web_search } } : counted
    return [...opened, { type: 'message_delta', delta: stop, usage: writeUsageObject(total) }, { type: 'message_stop' }]
  }

  function write(event: ModelEvent): JsonObject[] {
    if ('text' in event) textBytes += getUtf8Length(event.text)
    switch (event.type) {
      case 'start':
        return begin(event)
      case 'text': {
        const written = text(event.text)
        letters += event.text.length
        return written
      }
      case 'refusal':
        refused = true
        return text(event.text)
      case 'reasoning':
        return reasoning(event)
      case 'tool_call':
        textBytes += getUtf8Length(event.arguments)
        return call(event)
      case 'image':
        // This format has no image output, so the image is shown as Markdown, which most clients render.
        return text(`![image](${event.url})`)
      case 'citation':
        return cite(event)
      case 'search':
        return search(event)
      case 'finish':
        ending = event
        return []
      case 'usage':
        usage = event.usage
        return []
      case 'end':
        return end()
      case 'audio':
      case 'failure':
        return []
    }
  }

  return (event: ModelEvent): JsonObject[] =>
    'choice' in event && event.choice !== 0 ? [] : oneByOne.take(event).flatMap(inOrder).flatMap(write)
}

const writePage = ({ url, title, sealed = '' }: SearchResultPage): JsonObject => ({
  type: 'web_search_result',
  url,
  title: title ?? url,
  encrypted_content: sealed,
  page_age: null,
})

const writeCitation = ({ url, title, words = '' }: EventOf<'citation'>): JsonObject => ({
  type: 'web_search_result_location',
  url,
  title: title ?? null,
  cited_text: words,
  encrypted_index: '',
})

/** Returns a writer of the frames of one stream. Each frame names its type twice, as clients read either. */
export function createStreamWriter(head: RequestHead): (event: ModelEvent) => SseFrame[] {
  const write = createEventWriter(head)
  return (event) => {
    if (event.type === 'failure') return [writeErrorFrame(event.failure)]
    return write(event).map((payload) => ({ event: String(payload.type), data: JSON.stringify(payload) }))
  }
}

/** Builds a whole message from the payloads of its stream. */
export function buildWholeMessage(payloads: readonly JsonObject[]): JsonObject {
  let message: JsonObject = {}
  const content: JsonObject[] = []
  const json = new Map<JsonObject, string>()
  for (const payload of payloads) {
    const block = content[payload.index as number]
    if (payload.type === 'message_start') message = payload.message as JsonObject
    else if (payload.type === 'content_block_start') content.push({ ...(payload.content_block as JsonObject) })
    else if (payload.type === 'content_block_delta' && block) grow(block, payload.delta as JsonObject, json)
    else if (payload.type === 'message_delta')
      message = { ...message, ...(payload.delta as object), usage: payload.usage }
  }
  for (const [block, text] of json) block.input = parseJson(text) ?? {}
  return { ...message, content }
}

function grow(block: JsonObject, delta: JsonObject, json: Map<JsonObject, string>): void {
  if (delta.type === 'text_delta') block.text = String(block.text) + String(delta.text)
  else if (delta.type === 'thinking_delta') block.thinking = String(block.thinking) + String(delta.thinking)
  else if (delta.type === 'signature_delta') block.signature = delta.signature
  else if (delta.type === 'input_json_delta') json.set(block, (json.get(block) ?? '') + String(delta.partial_json))
  else if (delta.type === 'citations_delta') ((block.citations ??= []) as unknown[]).push(delta.citation)
}
