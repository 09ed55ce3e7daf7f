// Converts the events of one answer in this format, from a stream or a whole message, to neutral events.
import { fail } from '../../errors.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { FinishReason, SearchResultPage, ModelEvent } from '../answers/model-event.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { findEventFailure } from './error.ts'
import { mergeLaterUsage, parseUsage } from './usage.ts'

const finishReasons: Record<string, FinishReason> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** The input of a call's first event, until its first delta. Some servers send all arguments there. */
interface FirstCallInput {
  input: string | undefined
}

/**
 * Returns a reader of the payloads of one answer. Payloads without a neutral equivalent (tools that ran at the
 * provider, pings) yield no event.
 */
export function createEventReader(): (payload: JsonObject) => UnassembledEvent[] {
  let usage: JsonObject = {}
  /** Index of the block that started last. */
  let latest = -1
  let ended = false
  let another = false
  /** The open blocks by their index. Blocks of server tools have arguments too, which are ignored. */
  const open = new Map<number, FirstCallInput | 'other'>()
  /** Calls of the provider's own search: the JSON of each by its index, and the query of each by its id. */
  const openSearches = new Map<number, { id: string; json: string }>()
  const queries = new Map<string, string>()
  /** Characters of text so far, and before the open block. Its citations may precede its text. */
  let letters = 0
  let begin = 0
  let cited: CitationEvent[] = []

  const counted = (report: unknown): ModelEvent[] => {
    if (!asObject(report)) return []
    usage = mergeLaterUsage(usage, report)
    const read = parseUsage(usage)
    return read ? [{ type: 'usage', usage: read }] : []
  }

  function text(words: unknown): ModelEvent[] {
    const more = asText(words)
    letters += more?.length ?? 0
    return more ? [{ type: 'text', text: more, choice: 0 }] : []
  }

  /** The citations of the block that ends apply to all its text. */
  function sources(): ModelEvent[] {
    const at = letters > begin ? { at: { start: begin, end: letters } } : {}
    const located = cited.map((source) => ({ ...source, ...at }))
    cited = []
    begin = letters
    return located
  }

  /** Missing arguments are an empty object, which other formats spell out. */
  function close(index: number): UnassembledEvent[] {
    const call = open.get(index)
    if (!call || call === 'other') return []
    open.delete(index)
    if (call.input === undefined) return []
    return [{ type: 'tool_call', index, choice: 0, arguments: call.input }]
  }

  const closeAll = (): UnassembledEvent[] => [...open.keys()].flatMap(close)

  function start(index: number, block: JsonObject): UnassembledEvent[] {
    latest = index
    if (block.type !== 'tool_use') open.set(index, 'other')
    switch (block.type) {
      case 'text':
        return text(block.text)
      case 'thinking':
        return thought(asText(block.thinking) ?? '', asText(block.signature))
      case 'redacted_thinking':
        return [{ type: 'reasoning', text: asText(block.data) ?? '', redacted: true, choice: 0 }]
      case 'tool_use': {
        const { input } = block
        open.set(index, { input: typeof input === 'string' ? input : JSON.stringify(asObject(input) ?? {}) })
        const [id, name] = [asText(block.id), asText(block.name)]
        const named = { ...(id ? { id } : {}), ...(name ? { name } : {}) }
        return [{ type: 'tool_call', index, choice: 0, ...named, arguments: '' }]
      }
      case 'server_tool_use':
        if (block.name === 'web_search') {
          const whole = asObject(block.input) ?? {}
          openSearches.set(index, {
            id: asText(block.id) ?? '',
            json: asText(whole.query) ? JSON.stringify(whole) : '',
          })
        }
        return []
      case 'web_search_tool_result': {
        const query = queries.get(asText(block.tool_use_id) ?? '')
        const pages = (asList(block.content) ?? []).flatMap(parsePage)
        return [{ type: 'search', ...(query ? { query } : {}), pages, choice: 0 }]
      }
      default:
        return []
    }
  }

  function go(index: number, delta: JsonObject): UnassembledEvent[] {
    switch (delta.type) {
      case 'text_delta':
        return text(delta.text)
      case 'thinking_delta':
        return thought(asText(delta.thinking) ?? '')
      case 'signature_delta':
        return thought('', asText(delta.signature))
      case 'input_json_delta': {
        const call = open.get(index)
        const more = asText(delta.partial_json)
        const search = openSearches.get(index)
        if (search) search.json += more ?? ''
        if (call === 'other' || more === undefined) return []
        if (call) call.input = undefined
        return [{ type: 'tool_call', index, choice: 0, arguments: more }]
      }
      case 'citations_delta':
        cited.push(...citation(delta.citation))
        return []
      default:
        return []
    }
  }

  return (payload) => {
    const index = asFiniteNumber(payload.index) ?? (payload.type === 'content_block_start' ? latest + 1 : latest)
    // A provider may send more about an answer after its end, but the events of a second answer are ignored.
    another ||= ended && payload.type === 'message_start'
    if (another) return []
    switch (payload.type) {
      case 'message_start': {
        const message = asObject(payload.message) ?? {}
        const { id, model } = message
        return [
          { type: 'start', id: asText(id) ?? '', model: asText(model) ?? '', created: 0 },
          ...counted(message.usage),
        ]
      }
      case 'content_block_start':
        return [...sources(), ...close(index), ...start(index, asObject(payload.content_block) ?? {})]
      case 'content_block_delta':
        return go(index, asObject(payload.delta) ?? {})
      case 'content_block_stop': {
        const search = openSearches.get(index)
        if (search) queries.set(search.id, asText(getMember(parseJson(search.json), 'query')) ?? '')
        return [...close(index), ...sources()]
      }
      case 'message_delta':
        return [...closeAll(), ...sources(), ...finish(asObject(payload.delta) ?? {}), ...counted(payload.usage)]
      case 'message_stop':
        ended = true
        return [...closeAll(), ...counted(payload.usage), { type: 'end' }]
      case 'error': {
        const failure = findEventFailure(payload)
        return failure ? [...counted(payload.usage), { type: 'failure', failure }] : []
      }
      default:
        return counted(payload.usage)
    }
  }
}

const thought = (text: string, signature?: string): ModelEvent[] =>
  text || signature ? [{ type: 'reasoning', text, choice: 0, ...(signature ? { signature } : {}) }] : []

function parsePage(found: unknown): SearchResultPage[] {
  const url = asText(getMember(found, 'url'))
  const title = asText(getMember(found, 'title'))
  const sealed = asText(getMember(found, 'encrypted_content'))
  return url ? [{ url, ...(title ? { title } : {}), ...(sealed ? { sealed } : {}) }] : []
}

type CitationEvent = Extract<ModelEvent, { type: 'citation' }>

/** Returns a web citation. Citations of a document that the caller sent have no URL. */
function citation(source: unknown): CitationEvent[] {
  const url = asText(getMember(source, 'url'))
  const title = asText(getMember(source, 'title'))
  return url ? [{ type: 'citation', url, ...(title ? { title } : {}), choice: 0 }] : []
}

function finish(delta: JsonObject): ModelEvent[] {
  const stopReason = asText(delta.stop_reason)
  if (stopReason === undefined) return []
  const reason = Object.hasOwn(finishReasons, stopReason) ? finishReasons[stopReason]! : 'stop'
  const stop_sequence = asText(delta.stop_sequence)
  return [{ type: 'finish', reason, choice: 0, ...(stop_sequence ? { stop_sequence } : {}) }]
}

/**
 * Returns a reader of the frames of one stream.
 * @throws GatewayError upstream.unreadable if a frame's data is not a JSON object
 */
export function createStreamReader(): (frame: SseFrame) => UnassembledEvent[] {
  const read = createEventReader()
  return (frame) => {
    const data = frame.data.trim()
    // Some gateways end with OpenAI's mark as well.
    if (data === '' || data === '[DONE]') return []
    const payload = asObject(parseJson(data))
    if (!payload) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    return read(frame.event === 'error' ? { ...payload, type: 'error' } : payload)
  }
}
