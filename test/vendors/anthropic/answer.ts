// A scripted turn in Anthropic's format, whole and as a stream.
import type { Json } from '../../support/json.ts'
import type { TestReply } from '../../support/upstream.ts'
import type { Asked, Turn } from '../script.ts'
import { tokensOf } from '../tokens.ts'
import type { VendorUsage } from '../vendor.ts'
import type { Cached } from './cache.ts'
import { blocksOf } from './message-rules.ts'
import type { MessagesBody } from './shape.ts'

/** The conversation as a script sees it. Reminders that clients put beside the user's words are not the user's. */
export function readMessages({ model, messages, tools = [], output_config }: MessagesBody): Asked {
  const words = (content: Json): string =>
    blocksOf(content)
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n')
  const hasResult = (content: Json) => blocksOf(content).some(({ type }) => type === 'tool_result')
  const lastUser = messages.findLastIndex(({ role, content }) => role === 'user' && !hasResult(content))
  const results = messages.slice(lastUser + 1).flatMap(({ content }) => blocksOf(content))
  return {
    model,
    tools: tools.map((tool: Json) => ({ name: tool.name, schema: tool.input_schema })),
    said: words(messages[lastUser]?.content ?? ''),
    results: results.flatMap((block) => (block.type === 'tool_result' ? [words(block.content ?? '')] : [])),
    format: output_config?.format ? { schema: output_config.format.schema } : undefined,
  }
}

export function messageUsage({ thought = '', text = '', calls = [] }: Turn, cached: Cached): VendorUsage {
  const reasoning = tokensOf(thought)
  const completion = reasoning + tokensOf(text) + tokensOf(calls)
  return {
    prompt: cached.prompt,
    cache_read: cached.read,
    cache_write: cached.write_5m + cached.write_1h,
    completion,
    reasoning,
  }
}

/** @param sign gives a signature that the vendor knows again */
export function messageOf(
  body: MessagesBody,
  { thought, text, calls = [] }: Turn,
  usage: VendorUsage,
  cached: Cached,
  sign: () => string,
): Json {
  const thinks = body.thinking?.type === 'enabled' || body.thinking?.type === 'adaptive'
  const hidden = thinks && (body.thinking as Json).display === 'omitted'
  const content = [
    ...(thinks && thought !== undefined
      ? [{ type: 'thinking', thinking: hidden ? '' : thought, signature: sign() }]
      : []),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ name, args }) => ({ type: 'tool_use', id: nextId('toolu'), name, input: args })),
  ]
  return {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: usage.prompt - usage.cache_read - usage.cache_write,
      cache_creation_input_tokens: usage.cache_write,
      cache_read_input_tokens: usage.cache_read,
      cache_creation: { ephemeral_5m_input_tokens: cached.write_5m, ephemeral_1h_input_tokens: cached.write_1h },
      output_tokens: usage.completion,
      service_tier: 'standard',
    },
  }
}

let made = 0
const nextId = (prefix: string): string => `${prefix}_01${(++made).toString(36).padStart(22, 'A')}`

export function messageStream(message: Json): TestReply {
  const event = (type: string, more: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
  const { stop_reason, stop_sequence, usage, content } = message
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  const { cache_creation: _creation, service_tier: _tier, ...closing } = usage
  return {
    chunks: [
      event('message_start', { message: begun }),
      event('ping'),
      ...content.flatMap((block: Json, index: number) => [
        event('content_block_start', { index, content_block: empty(block) }),
        ...deltas(block).map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', { delta: { stop_reason, stop_sequence }, usage: closing }),
      event('message_stop'),
    ],
  }
}

function empty(block: Json): Json {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
}

const pieces = (text: string): string[] => text.match(/[\s\S]{1,24}/g) ?? []

function deltas(block: Json): object[] {
  if (block.type === 'text') return pieces(block.text).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'tool_use') {
    return ['', ...pieces(JSON.stringify(block.input))].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }))
  }
  return [
    ...pieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: block.signature },
  ]
}
