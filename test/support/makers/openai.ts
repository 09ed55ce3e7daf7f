// OpenAI: chat completions here, responses beside.
import type { Json } from '../json.ts'
import {
  halves,
  imageOf,
  sse,
  unknownField,
  USAGE,
  type Heard,
  type HeardTurn,
  type Maker,
  type Said,
} from './maker.ts'
import { complaintOfResponses, hearResponses, sayResponses } from './openai-responses.ts'
import type { ReceivedRequest, TestReply } from '../upstream.ts'

const KNOWN =
  'model messages stream stream_options tools tool_choice parallel_tool_calls max_completion_tokens temperature top_p n ' +
  'stop seed presence_penalty frequency_penalty user response_format reasoning_effort service_tier store metadata ' +
  'logprobs top_logprobs logit_bias modalities prediction verbosity web_search_options prompt_cache_key safety_identifier'

const usage = {
  prompt_tokens: USAGE.prompt,
  completion_tokens: USAGE.completion,
  total_tokens: USAGE.prompt + USAGE.completion,
  prompt_tokens_details: { cached_tokens: USAGE.cached },
  completion_tokens_details: { reasoning_tokens: USAGE.reasoning },
}

const textOf = (content: Json): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }: Json) => text).join('')

function hearTurns(messages: Json[]): HeardTurn[] {
  const names = new Map<string, string>()
  const turns: HeardTurn[] = []
  for (const { role, content, tool_calls = [], tool_call_id } of messages) {
    if (role === 'user') {
      const images = (Array.isArray(content) ? content : []).flatMap(({ image_url }: Json) =>
        image_url ? [imageOf(image_url.url)] : [],
      )
      turns.push({ role, text: textOf(content), images })
    } else if (role === 'assistant') {
      const calls = tool_calls.map(({ id, function: { name, arguments: args } }: Json) => {
        names.set(id, name)
        return { name, args: JSON.parse(args) }
      })
      // The real one has no word for thoughts, and reads none.
      turns.push({ role, text: textOf(content), thoughts: [], calls })
    } else if (role === 'tool') {
      const result = { name: names.get(tool_call_id) ?? '', text: textOf(content) }
      const last = turns.at(-1)
      if (last?.role === 'tool') last.results.push(result)
      else turns.push({ role, results: [result] })
    }
  }
  return turns
}

function hearChat({ messages, tools = [], ...more }: Json): Heard {
  const system = messages.filter(({ role }: Json) => role === 'system' || role === 'developer')
  return {
    system: system.map(({ content }: Json) => textOf(content)).join('\n'),
    turns: hearTurns(messages),
    tools: tools.map(({ function: { name, description, parameters } }: Json) => ({ name, description, parameters })),
    limit: more.max_completion_tokens,
    thinks: more.reasoning_effort !== undefined && more.reasoning_effort !== 'none',
    schema: more.response_format?.json_schema?.schema,
  }
}

function complaintOfChat(body: Json): string | undefined {
  if (body.max_tokens !== undefined) return "Unsupported parameter: 'max_tokens' is not supported with this model."
  const unknown = unknownField(body, KNOWN)
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`
  if (body.stream_options && !body.stream)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
  let open = new Set<string>()
  for (const message of body.messages) {
    const odd = unknownField(
      message,
      'role content name tool_calls tool_call_id refusal audio annotations parsed reasoning_content',
    )
    if (odd) return `Unrecognized message field: ${odd}`
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
    } else if (open.size > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.`
    else open = new Set((message.tool_calls ?? []).map(({ id }: Json) => id))
    if (
      message.role !== 'user' &&
      Array.isArray(message.content) &&
      message.content.some(({ type }: Json) => type === 'image_url')
    )
      return `Image URLs are only allowed for messages with role 'user'`
  }
  return strictComplaint(body.response_format?.json_schema)
}

/** A strict schema lists all properties as required, and no others are allowed. */
export function strictComplaint(format: Json): string | undefined {
  if (!format) return undefined
  if (!format.name) return "Missing required parameter: 'response_format.json_schema.name'."
  if (!format.strict) return undefined
  const { properties = {}, required = [], additionalProperties } = format.schema
  if (additionalProperties !== false)
    return "Invalid schema: 'additionalProperties' is required to be supplied and to be false."
  return Object.keys(properties).every((name) => required.includes(name))
    ? undefined
    : "Invalid schema: 'required' must list every key."
}

const callOf = ({ name, args }: NonNullable<Said['calls']>[number], index: number) => ({
  id: `call_${index}_of_openai`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

function sayChat({ thought, text, calls = [], cut }: Said, { stream, stream_options, model }: Json): TestReply {
  const finish_reason = cut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
  const about = { id: 'chatcmpl-1', created: 1_790_000_000, model: `${model}-2026-01-01` }
  if (!stream) {
    const message = {
      role: 'assistant',
      content: text ?? null,
      refusal: null,
      ...(thought ? { reasoning_content: thought } : {}),
      ...(calls.length > 0 ? { tool_calls: calls.map(callOf) } : {}),
    }
    const choices = [{ index: 0, message, logprobs: null, finish_reason }]
    return { body: { ...about, object: 'chat.completion', choices, usage } }
  }
  const chunk = (choices: object[], more: object = {}) =>
    sse({ ...about, object: 'chat.completion.chunk', choices, ...more })
  const delta = (said: object, reason: string | null = null) =>
    chunk([{ index: 0, delta: said, finish_reason: reason }])
  const called = calls
    .map(callOf)
    .flatMap(({ function: { name, arguments: args }, ...call }, index) => [
      delta({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }),
      ...halves(args).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
    ])
  return {
    chunks: [
      delta({ role: 'assistant', content: '', refusal: null }),
      ...(thought ? halves(thought).map((part) => delta({ reasoning_content: part })) : []),
      ...(text ? halves(text).map((content) => delta({ content })) : []),
      ...called,
      delta({}, finish_reason),
      ...(stream_options?.include_usage ? [chunk([], { usage })] : []),
      sse('[DONE]'),
    ],
  }
}

const error = (status: number, type: string, code: string | null, message: string): TestReply => ({
  status,
  body: { error: { message, type, param: null, code } },
})

const isResponses = ({ path }: ReceivedRequest) => path === '/v1/responses'

export const openaiMaker: Maker = {
  name: 'OpenAI',
  type: 1,
  model: 'gpt-5-mini',
  hear: (request) => (isResponses(request) ? hearResponses(request.json) : hearChat(request.json)),
  complaint(request) {
    if (isResponses(request)) return complaintOfResponses(request.json)
    if (request.path !== '/v1/chat/completions') return `Invalid URL (POST ${request.path})`
    return complaintOfChat(request.json)
  },
  say: (said, request) => (isResponses(request) ? sayResponses(said, request.json) : sayChat(said, request.json)),
  fail(failing) {
    switch (failing) {
      case 'bad key':
        return error(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.')
      case 'forbidden':
        return error(403, 'invalid_request_error', 'model_not_available', 'Your organization may not use this model.')
      case 'missing':
        return error(
          404,
          'invalid_request_error',
          'model_not_found',
          'The model does not exist or you do not have access to it.',
        )
      case 'bad request':
        return error(400, 'invalid_request_error', null, 'Invalid value.')
      case 'too long':
        return error(
          400,
          'invalid_request_error',
          'context_length_exceeded',
          "This model's maximum context length is 400000 tokens. However, your messages resulted in 500000 tokens. Please reduce the length of the messages.",
        )
      case 'limited':
        return {
          ...error(429, 'tokens', 'rate_limit_exceeded', 'Rate limit reached.'),
          headers: { 'retry-after': '7' },
        }
      case 'broken':
        return error(500, 'server_error', null, 'The server had an error while processing your request.')
      case 'overloaded':
        return error(503, 'service_unavailable_error', 'server_overloaded', 'The engine is currently overloaded.')
    }
  },
  failureEvent: sse({ error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } }),
}
