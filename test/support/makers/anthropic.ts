// Anthropic: messages of blocks, thoughts that are signed.
import type { Json } from '../json.ts'
import type { TestReply } from '../upstream.ts'
import { halves, sse, unknownField, USAGE, type Heard, type HeardTurn, type Maker, type Said } from './maker.ts'

const KNOWN =
  'model messages max_tokens stream system tools tool_choice temperature top_p top_k stop_sequences metadata thinking ' +
  'output_config service_tier'

const SIGNED = 'signed-by-anthropic-'

const usage = {
  input_tokens: USAGE.prompt - USAGE.cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: USAGE.cached,
  output_tokens: USAGE.completion,
}

const textOf = (content: Json): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }: Json) => text).join('')
const blocksOf = (content: Json): Json[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)

function hearTurns(messages: Json[]): HeardTurn[] {
  const names = new Map<string, string>()
  return messages.flatMap(({ role, content }): HeardTurn[] => {
    const of = (type: string) => blocksOf(content).filter((block) => block.type === type)
    if (role === 'assistant') {
      for (const { id, name } of of('tool_use')) names.set(id, name)
      const thoughts = of('thinking').map(({ thinking, signature }) => ({ text: thinking, signature }))
      return [
        {
          role,
          text: textOf(of('text')),
          thoughts,
          calls: of('tool_use').map(({ name, input }) => ({ name, args: input })),
        },
      ]
    }
    const results = of('tool_result').map((one) => ({
      name: names.get(one.tool_use_id) ?? '',
      text: textOf(one.content),
    }))
    const images = of('image').map(({ source }) => ({ type: source.media_type, data: source.data }))
    const text = textOf(of('text'))
    return [
      ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
      ...(text || images.length > 0 ? [{ role: 'user' as const, text, images }] : []),
    ]
  })
}

function hear({ messages, system, tools = [], ...more }: Json): Heard {
  return {
    system: textOf(system ?? ''),
    turns: hearTurns(messages),
    tools: tools.map(({ name, description, input_schema }: Json) => ({ name, description, parameters: input_schema })),
    limit: more.max_tokens,
    thinks: more.thinking?.type === 'enabled' || more.thinking?.type === 'adaptive',
    schema: more.output_config?.format?.schema,
  }
}

function complaint(body: Json): string | undefined {
  const unknown = unknownField(body, KNOWN)
  if (unknown) return `${unknown}: Extra inputs are not permitted`
  if (!Number.isInteger(body.max_tokens)) return 'max_tokens: Field required'
  const thinks = body.thinking?.type === 'enabled'
  if (thinks && body.temperature !== undefined && body.temperature !== 1)
    return '`temperature` may only be set to 1 when thinking is enabled.'
  if (thinks && body.thinking.budget_tokens >= body.max_tokens)
    return '`max_tokens` must be greater than `thinking.budget_tokens`.'
  if (body.messages[0].role !== 'user') return 'messages: first message must use the "user" role'
  let open: string[] = []
  for (const { role, content } of body.messages) {
    const blocks = blocksOf(content)
    const answered = blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id] : []))
    if (open.some((id) => !answered.includes(id)))
      return '`tool_use` ids were found without `tool_result` blocks immediately after.'
    if (answered.some((id) => !open.includes(id))) return 'unexpected `tool_use_id` found in `tool_result` blocks.'
    open = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
    if (blocks.some(({ type, text }) => type === 'text' && text.trim() === ''))
      return 'text content blocks must contain non-whitespace text'
    if (open.some((id) => !/^[a-zA-Z0-9_-]+$/.test(id)))
      return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
    if (blocks.some(({ type, signature }) => type === 'thinking' && !String(signature).startsWith(SIGNED)))
      return 'Invalid `signature` in `thinking` block'
    if (role === 'assistant' && thinks && open.length > 0 && !/thinking/.test(blocks[0]?.type))
      return 'Expected `thinking` or `redacted_thinking`, but found `text`.'
  }
  return undefined
}

function blocksSaid({ thought, text, calls = [] }: Said): Json[] {
  return [
    ...(thought ? [{ type: 'thinking', thinking: thought, signature: SIGNED + thought.length }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map(({ name, args }, index) => ({ type: 'tool_use', id: `toolu_${index}`, name, input: args })),
  ]
}

function eventsOf(block: Json, index: number): Json[] {
  const delta = (more: object) => ({ type: 'content_block_delta', index, delta: more })
  const begin = (open: object) => ({ type: 'content_block_start', index, content_block: { ...block, ...open } })
  const end = { type: 'content_block_stop', index }
  if (block.type === 'thinking') {
    const thoughts = halves(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking }))
    const signed = delta({ type: 'signature_delta', signature: block.signature })
    return [begin({ thinking: '', signature: '' }), ...thoughts, signed, end]
  }
  if (block.type === 'text') {
    return [begin({ text: '' }), ...halves(block.text).map((text) => delta({ type: 'text_delta', text })), end]
  }
  const input = JSON.stringify(block.input)
  return [
    begin({ input: {} }),
    ...halves(input).map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
    end,
  ]
}

function say(said: Said, { stream, model }: Json): TestReply {
  const content = blocksSaid(said)
  const stop_reason = said.cut ? 'max_tokens' : said.calls?.length ? 'tool_use' : 'end_turn'
  const about = { id: 'msg_1', type: 'message', role: 'assistant', model: `${model}-20260101` }
  if (!stream) return { body: { ...about, content, stop_reason, stop_sequence: null, usage } }
  const opened = {
    ...about,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  }
  const events: Json[] = [
    { type: 'message_start', message: opened },
    { type: 'ping' },
    ...content.flatMap(eventsOf),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: USAGE.completion } },
    { type: 'message_stop' },
  ]
  return { chunks: events.map((event) => sse(event, event.type)) }
}

const error = (status: number, type: string, message: string): TestReply => ({
  status,
  body: { type: 'error', error: { type, message }, request_id: 'req_1' },
})

export const anthropicMaker: Maker = {
  name: 'Anthropic',
  type: 14,
  model: 'claude-sonnet-4-5',
  hear: ({ json }) => hear(json),
  complaint({ path, headers, json }) {
    if (path !== '/v1/messages') return `Not Found: ${path}`
    return headers['anthropic-version'] ? complaint(json) : 'anthropic-version: header is required'
  },
  say: (said, { json }) => say(said, json),
  fail(failing) {
    switch (failing) {
      case 'bad key':
        return error(401, 'authentication_error', 'invalid x-api-key')
      case 'forbidden':
        return error(403, 'permission_error', 'Your API key does not have permission to use this model.')
      case 'missing':
        return error(404, 'not_found_error', 'model: not found')
      case 'bad request':
        return error(400, 'invalid_request_error', 'Invalid value.')
      case 'too long':
        return error(400, 'invalid_request_error', 'prompt is too long: 500000 tokens > 200000 maximum')
      case 'limited':
        return {
          ...error(429, 'rate_limit_error', 'Number of request tokens has exceeded your rate limit.'),
          headers: { 'retry-after': '7' },
        }
      case 'broken':
        return error(500, 'api_error', 'Internal server error')
      case 'overloaded':
        return error(529, 'overloaded_error', 'Overloaded')
    }
  },
  failureEvent: sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
}
