// A scripted turn in OpenAI's chat format, whole and as a stream.
import type { Json } from '../../support/json.ts'
import type { TestReply } from '../../support/upstream.ts'
import type { Asked, Turn } from '../script.ts'
import { tokensOf } from '../tokens.ts'
import type { VendorUsage } from '../vendor.ts'
import type { ChatBody } from './chat-shape.ts'
import { nextId } from './ids.ts'

/** The conversation as a script sees it. */
export function readChat({ model, messages, tools = [], response_format: format }: ChatBody): Asked {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  return {
    model,
    tools: tools.map((tool) =>
      tool.type === 'function'
        ? { name: tool.function.name, schema: tool.function.parameters }
        : { name: tool.custom.name, schema: undefined },
    ),
    said: textOf(messages[lastUser]?.content),
    results: messages
      .slice(lastUser + 1)
      .flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : [])),
    format:
      format && format.type !== 'text'
        ? { schema: 'json_schema' in format ? format.json_schema.schema : undefined }
        : undefined,
  }
}

export const textOf = (content: Json): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }: Json) => text ?? '').join('\n')

export function chatUsage(
  body: ChatBody,
  { thought = '', text = '', calls = [] }: Turn,
  cache_read: number,
): VendorUsage {
  const reasoning = tokensOf(thought)
  const prompt = Math.max(cache_read, tokensOf(body.messages) + tokensOf(body.tools ?? ''))
  return { prompt, cache_read, cache_write: 0, completion: reasoning + tokensOf(text) + tokensOf(calls), reasoning }
}

const said = ({ prompt, cache_read, completion, reasoning }: VendorUsage) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cache_read, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: reasoning,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

/** @param field where the vendor writes thoughts; OpenAI's own chat shows none */
export function chatReply(
  body: ChatBody,
  { thought, text, calls = [] }: Turn,
  usage: VendorUsage,
  field?: string,
): TestReply {
  const thoughts = field && thought !== undefined ? { [field]: thought } : {}
  const custom = new Set((body.tools ?? []).flatMap((tool) => (tool.type === 'custom' ? [tool.custom.name] : [])))
  const tool_calls = calls.map(({ name, args, input }) =>
    custom.has(name)
      ? { id: nextId('call'), type: 'custom', custom: { name, input: input ?? JSON.stringify(args) } }
      : { id: nextId('call'), type: 'function', function: { name, arguments: JSON.stringify(args) } },
  )
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
  const head = { id: nextId('chatcmpl'), created: 1_780_000_000, model: body.model, service_tier: 'default' }
  if (!body.stream) {
    const message = {
      role: 'assistant',
      content: text ?? null,
      ...thoughts,
      refusal: null,
      annotations: [],
      ...(calls.length > 0 ? { tool_calls } : {}),
    }
    const choices = Array.from({ length: body.n ?? 1 }, (_, index) => ({
      index,
      message,
      logprobs: null,
      finish_reason,
    }))
    return { body: { ...head, object: 'chat.completion', choices, usage: said(usage), system_fingerprint: null } }
  }
  const counted = body.stream_options?.include_usage
  const chunk = (delta: object, reason: string | null = null) =>
    frame({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      ...(counted ? { usage: null } : {}),
    })
  const frame = (more: object) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...more })}\n\n`
  return {
    chunks: [
      chunk({ role: 'assistant', content: text === undefined ? null : '', refusal: null }),
      ...(field ? pieces(thoughts[field]).map((piece) => chunk({ [field]: piece })) : []),
      ...pieces(text).map((content) => chunk({ content })),
      ...tool_calls.flatMap((call, index) => callDeltas(call, index).map((delta) => chunk({ tool_calls: [delta] }))),
      chunk({}, finish_reason),
      ...(counted ? [frame({ choices: [], usage: said(usage) })] : []),
      'data: [DONE]\n\n',
    ],
  }
}

/** A text in the pieces in which it is streamed. */
export const pieces = (text = ''): string[] => text.match(/[\s\S]{1,24}/g) ?? []

function callDeltas(call: Json, index: number): object[] {
  if (call.type === 'custom') return [{ index, ...call }]
  const { name, arguments: args } = call.function
  return [
    { index, id: call.id, type: 'function', function: { name, arguments: '' } },
    ...pieces(args).map((piece) => ({ index, function: { arguments: piece } })),
  ]
}
