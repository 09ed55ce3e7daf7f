// A chat request, both ways: the caller's JSON to the neutral form, and the neutral form to JSON.
import { fail } from '../../errors.ts'
import type { ContentPart, Message, ModelRequest, ToolCall } from '../dialect.ts'
import { listIn, memberOf, numberIn, objectIn, textIn, type JsonObject } from '../json-value.ts'
import { checkedRequest, maxTokensIn } from './head.ts'
import { callFields } from './events.ts'

const encoder = new TextEncoder()

/** Fields that the neutral form has its own words for. */
const known = new Set(
  (
    'model stream stream_options messages tools functions tool_choice function_call max_tokens max_completion_tokens ' +
    'temperature top_p stop response_format reasoning_effort'
  ).split(' '),
)

const invalid = (reason: string): never => fail('request.invalid', { reason })

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array): ModelRequest {
  const request = checkedRequest(body)
  const stop = typeof request.stop === 'string' ? [request.stop] : listIn(request.stop)
  return withoutUndefined({
    model: request.model as string,
    stream: request.stream === true,
    messages: (request.messages as JsonObject[]).map(readMessage),
    tools: readTools(request),
    tool_choice: readToolChoice(request.tool_choice ?? request.function_call),
    max_tokens: maxTokensIn(request),
    temperature: numberIn(request.temperature),
    top_p: numberIn(request.top_p),
    stop: stop?.filter((text): text is string => typeof text === 'string'),
    response_format: request.response_format ?? undefined,
    reasoning_effort: textIn(request.reasoning_effort),
    extra: Object.fromEntries(Object.entries(request).filter(([key]) => !known.has(key))),
  })
}

/** The same object without members that are undefined. */
const withoutUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T

const roles: Record<string, Message['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

function readMessage(message: JsonObject): Message {
  const role = roles[textIn(message.role) ?? ''] ?? invalid(`unknown role ${String(message.role).slice(0, 40)}`)
  const legacy = objectIn(message.function_call)
  const calls = listIn(message.tool_calls)?.map((call) => readCall(objectIn(call) ?? {}))
  // A function's answer names the function, not the call: the name stands in for the call's id.
  const answers = textIn(message.tool_call_id) ?? (message.role === 'function' ? textIn(message.name) : undefined)
  return withoutUndefined({
    role,
    content: readContent(message.content),
    name: textIn(message.name),
    tool_calls: calls?.length ? calls : legacy && [readCall({ id: legacy.name, function: legacy })],
    tool_call_id: answers,
    reasoning: textIn(message.reasoning_content) ?? textIn(message.reasoning),
  })
}

function readCall(call: JsonObject): ToolCall {
  const called = objectIn(call.function) ?? {}
  return { id: textIn(call.id) ?? '', name: textIn(called.name) ?? '', arguments: textIn(called.arguments) ?? '' }
}

function readContent(content: unknown): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  return (listIn(content) ?? invalid('content must be a text or a list of parts')).map(readPart)
}

function readPart(part: unknown): ContentPart {
  const type = memberOf(part, 'type')
  const inner = memberOf(part, String(type))
  const member = (key: string) => textIn(memberOf(inner, key))
  switch (type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: textIn(inner) ?? '' }
    case 'image_url': {
      const url = textIn(inner) ?? member('url') ?? invalid('an image has no url')
      return withoutUndefined({ type: 'image', url, detail: member('detail') })
    }
    case 'input_audio':
      return {
        type: 'audio',
        data: member('data') ?? invalid('a piece of audio has no data'),
        format: member('format') ?? 'wav',
      }
    case 'file':
      return withoutUndefined({
        type: 'file',
        data: member('file_data'),
        file_id: member('file_id'),
        filename: member('filename'),
      })
    default:
      return invalid(`unknown content part ${String(type).slice(0, 40)}`)
  }
}

function readTools(request: JsonObject): ModelRequest['tools'] {
  const declared = listIn(request.tools)?.map((tool) => memberOf(tool, 'function')) ?? listIn(request.functions)
  return declared?.map((one) => {
    const name = textIn(memberOf(one, 'name')) ?? invalid('only function tools can be translated')
    const strict = memberOf(one, 'strict')
    return withoutUndefined({
      name,
      description: textIn(memberOf(one, 'description')),
      parameters: memberOf(one, 'parameters') ?? undefined,
      strict: typeof strict === 'boolean' ? strict : undefined,
    })
  })
}

function readToolChoice(choice: unknown): ModelRequest['tool_choice'] {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  const name = textIn(memberOf(memberOf(choice, 'function') ?? choice, 'name'))
  return name === undefined ? undefined : { name }
}

/** Families that take only the newer name of the limit (relay reference, section 12.6). */
const newerLimit = /^(o\d|gpt-([5-9]|\d\d))/

/** Usage is always asked for in streams. Undefined members vanish in JSON. */
export function writeRequest(request: ModelRequest): Uint8Array {
  const { extra, messages, tools, tool_choice, max_tokens, ...plain } = request
  return encoder.encode(
    JSON.stringify({
      ...extra,
      ...plain,
      messages: messages.map(writeMessage),
      tools: tools?.map((one) => ({ type: 'function', function: one })),
      tool_choice: typeof tool_choice === 'object' ? { type: 'function', function: tool_choice } : tool_choice,
      [newerLimit.test(request.model) ? 'max_completion_tokens' : 'max_tokens']: max_tokens,
      stream_options: request.stream ? { include_usage: true } : undefined,
    }),
  )
}

function writeMessage(message: Message): JsonObject {
  const { role, content, name, tool_calls, tool_call_id, reasoning } = message
  const [only] = content
  return {
    role,
    content:
      content.length === 1 && only?.type === 'text'
        ? only.text
        : content.length > 0
          ? content.map(writePart)
          : tool_calls?.length
            ? null
            : '',
    name,
    reasoning_content: reasoning,
    tool_calls: tool_calls?.map((call) => ({ ...callFields(call), id: call.id, type: 'function' })),
    tool_call_id,
  }
}

function writePart(part: ContentPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, detail: part.detail } }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
    case 'file':
      return { type: 'file', file: { file_data: part.data, file_id: part.file_id, filename: part.filename } }
  }
}
