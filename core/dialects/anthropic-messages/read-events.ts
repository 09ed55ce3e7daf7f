// The events of one answer in this format, as they come in a stream or stand in a whole message, to neutral events.
import { fail } from '../../errors.ts'
import type { FinishReason, Frame, ModelEvent } from '../dialect.ts'
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
  const open = new Map<number, OpenCall>()

  const counted = (later: unknown): ModelEvent[] => {
    usage = laterUsage(usage, later)
    const read = usageIn(usage)
    return read ? [{ type: 'usage', usage: read }] : []
  }

  function begin(index: number, block: JsonObject): ModelEvent[] {
    switch (block.type) {
      case 'text':
        return textIn(block.text) ? [{ type: 'text', text: String(block.text), choice: 0 }] : []
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
        return textIn(delta.text) ? [{ type: 'text', text: String(delta.text), choice: 0 }] : []
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
        return citation(delta.citation)
      default:
        return []
    }
  }

  return (payload) => {
    const index = numberIn(payload.index) ?? 0
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
        return begin(index, objectIn(payload.content_block) ?? {})
      case 'content_block_delta':
        return go(index, objectIn(payload.delta) ?? {})
      case 'content_block_stop': {
        const call = open.get(index)
        open.delete(index)
        // No arguments are an empty object, which other formats spell out.
        return call && !call.argued ? [{ type: 'tool_call', index: call.index, choice: 0, arguments: '{}' }] : []
      }
      case 'message_delta':
        return [...finish(objectIn(payload.delta) ?? {}), ...counted(payload.usage)]
      case 'message_stop':
        return [{ type: 'end' }]
      case 'error': {
        const failure = failureInEvent(payload)
        return failure ? [{ type: 'failure', failure }] : []
      }
      default:
        return []
    }
  }
}

const thought = (text: string, signature?: string): ModelEvent[] =>
  text || signature ? [{ type: 'reasoning', text, choice: 0, ...(signature ? { signature } : {}) }] : []

/** A source on the web; places inside a document that the caller sent have no address. */
function citation(source: unknown): ModelEvent[] {
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
