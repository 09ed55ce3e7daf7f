// The events of one answer in this format, as they come in a stream or stand in a whole message, to neutral events.
import { fail } from '../../errors.ts'
import type { Frame } from '../frame.ts'
import type { FinishReason, ModelEvent } from '../model-event.ts'
import { memberOf, numberIn, objectIn, parsed, textIn, type JsonObject } from '../json-value.ts'
import { failureInEvent } from './error.ts'
import { laterUsage, usageIn } from './usage.ts'

const finishReasons: Record<string, FinishReason> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** A tool call whose arguments are coming: whether any have. */
interface OpenCall {
  index: number
  argued: boolean
}

/** Reads the payloads of one answer. What has no neutral word (tools that ran at the provider, pings) says nothing. */
export function createEventReader(): (payload: JsonObject) => ModelEvent[] {
  let usage: JsonObject = {}
  let calls = 0
  let ended = false
  let another = false
  const open = new Map<number, OpenCall>()
  /** Letters of text so far, and before the open block; its sources may come before its words. */
  let letters = 0
  let begin = 0
  let cited: Citation[] = []

  const counted = (later: unknown): ModelEvent[] => {
    if (!objectIn(later)) return []
    usage = laterUsage(usage, later)
    const read = usageIn(usage)
    return read ? [{ type: 'usage', usage: read }] : []
  }

  function text(words: unknown): ModelEvent[] {
    const more = textIn(words)
    letters += more?.length ?? 0
    return more ? [{ type: 'text', text: more, choice: 0 }] : []
  }

  /** The sources of the block that ends are of all its words. */
  function sources(): ModelEvent[] {
    const at = letters > begin ? { at: { start: begin, end: letters } } : {}
    const told = cited.map((source) => ({ ...source, ...at }))
    cited = []
    begin = letters
    return told
  }

  function start(index: number, block: JsonObject): ModelEvent[] {
    switch (block.type) {
      case 'text':
        return text(block.text)
      case 'thinking':
        return thought(textIn(block.thinking) ?? '', textIn(block.signature))
      case 'redacted_thinking':
        return [{ type: 'reasoning', text: textIn(block.data) ?? '', redacted: true, choice: 0 }]
      case 'tool_use': {
        // Some servers send all arguments at once, right here.
        const input = objectIn(block.input) ?? {}
        const whole = Object.keys(input).length > 0 ? JSON.stringify(input) : ''
        const call = { index: calls++, argued: whole !== '' }
        open.set(index, call)
        const id = textIn(block.id) ?? ''
        const name = textIn(block.name) ?? ''
        return [{ type: 'tool_call', index: call.index, choice: 0, id, name, arguments: whole }]
      }
      default:
        return []
    }
  }

  function go(index: number, delta: JsonObject): ModelEvent[] {
    switch (delta.type) {
      case 'text_delta':
        return text(delta.text)
      case 'thinking_delta':
        return thought(textIn(delta.thinking) ?? '')
      case 'signature_delta':
        return thought('', textIn(delta.signature))
      case 'input_json_delta': {
        const call = open.get(index)
        const more = textIn(delta.partial_json)
        if (!call || more === undefined) return []
        call.argued = true
        return [{ type: 'tool_call', index: call.index, choice: 0, arguments: more }]
      }
      case 'citations_delta':
        cited.push(...citation(delta.citation))
        return []
      default:
        return []
    }
  }

  return (payload) => {
    const index = numberIn(payload.index) ?? 0
    // Behind its end a provider may tell more of an answer, but another answer is nobody's.
    another ||= ended && payload.type === 'message_start'
    if (another) return []
    switch (payload.type) {
      case 'message_start': {
        const message = objectIn(payload.message) ?? {}
        const { id, model } = message
        return [
          { type: 'start', id: textIn(id) ?? '', model: textIn(model) ?? '', created: 0 },
          ...counted(message.usage),
        ]
      }
      case 'content_block_start':
        return [...sources(), ...start(index, objectIn(payload.content_block) ?? {})]
      case 'content_block_delta':
        return go(index, objectIn(payload.delta) ?? {})
      case 'content_block_stop': {
        const call = open.get(index)
        open.delete(index)
        // No arguments are an empty object, which other formats spell out.
        if (!call || call.argued) return sources()
        return [{ type: 'tool_call', index: call.index, choice: 0, arguments: '{}' }]
      }
      case 'message_delta':
        return [...sources(), ...finish(objectIn(payload.delta) ?? {}), ...counted(payload.usage)]
      case 'message_stop':
        ended = true
        return [...counted(payload.usage), { type: 'end' }]
      case 'error': {
        const failure = failureInEvent(payload)
        return failure ? [...counted(payload.usage), { type: 'failure', failure }] : []
      }
      default:
        return counted(payload.usage)
    }
  }
}

const thought = (text: string, signature?: string): ModelEvent[] =>
  text || signature ? [{ type: 'reasoning', text, choice: 0, ...(signature ? { signature } : {}) }] : []

type Citation = Extract<ModelEvent, { type: 'citation' }>

/** A source on the web; places inside a document that the caller sent have no address. */
function citation(source: unknown): Citation[] {
  const url = textIn(memberOf(source, 'url'))
  const title = textIn(memberOf(source, 'title'))
  return url ? [{ type: 'citation', url, ...(title ? { title } : {}), choice: 0 }] : []
}

function finish(delta: JsonObject): ModelEvent[] {
  const said = textIn(delta.stop_reason)
  if (said === undefined) return []
  const reason = Object.hasOwn(finishReasons, said) ? finishReasons[said]! : 'stop'
  const stop_sequence = textIn(delta.stop_sequence)
  return [{ type: 'finish', reason, choice: 0, ...(stop_sequence ? { stop_sequence } : {}) }]
}

/**
 * Reads the frames of one stream.
 * @throws GatewayError upstream.unreadable when a frame's data is no JSON object
 */
export function createReader(): (frame: Frame) => ModelEvent[] {
  const read = createEventReader()
  return (frame) => {
    const data = frame.data.trim()
    // Some gateways end with OpenAI's mark as well.
    if (data === '' || data === '[DONE]') return []
    const payload = objectIn(parsed(data))
    if (!payload) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    return read(frame.event === 'error' ? { ...payload, type: 'error' } : payload)
  }
}
