// A chat request as the caller wrote it, to the neutral form.
import { fail } from '../../errors.ts'
import type { ContentPart, Message, ModelRequest, Tool, ToolCall } from '../dialect.ts'
import { listIn, memberOf, numberIn, objectIn, textIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import { checkedRequest, maxTokensIn } from './head.ts'
import { NAME, readHostedTools, readResponseFormat, readSignature } from './extras.ts'

/** Fields that the neutral form has its own words for. */
const known = new Set(
  (
    'model stream stream_options messages tools functions tool_choice function_call max_tokens max_completion_tokens ' +
    'temperature top_p top_k stop seed presence_penalty frequency_penalty n user service_tier parallel_tool_calls ' +
    'response_format reasoning_effort web_search_options modalities'
  ).split(' '),
)

const invalid = (reason: string): never => fail('request.invalid', { reason })

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array): ModelRequest {
  const request = checkedRequest(body)
  const stop = typeof request.stop === 'string' ? [request.stop] : listIn(request.stop)
  return withoutUndefined({
    dialect: NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages: (request.messages as JsonObject[]).map(readMessage),
    tools: readTools(request),
    hosted_tools: readHostedTools(request),
    tool_choice: readToolChoice(request.tool_choice ?? request.function_call),
    parallel_tool_calls: flagIn(request.parallel_tool_calls),
    max_tokens: maxTokensIn(request),
    temperature: numberIn(request.temperature),
    top_p: numberIn(request.top_p),
    top_k: numberIn(request.top_k),
    seed: numberIn(request.seed),
    presence_penalty: numberIn(request.presence_penalty),
    frequency_penalty: numberIn(request.frequency_penalty),
    n: numberIn(request.n),
    user: textIn(request.user),
    service_tier: textIn(request.service_tier),
    stop: stop?.filter((text): text is string => typeof text === 'string'),
    response_format: readResponseFormat(request.response_format),
    reasoning_effort: textIn(request.reasoning_effort),
    modalities: listIn(request.modalities)?.filter((word): word is string => typeof word === 'string'),
    extra: Object.fromEntries(Object.entries(request).filter(([key]) => !known.has(key))),
  })
}

const flagIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

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
    reasoning: readReasoning(message),
  })
}

function readReasoning(message: JsonObject): Message['reasoning'] {
  const text = textIn(message.reasoning_content) ?? textIn(message.reasoning)
  const signature = textIn(message.reasoning_signature)
  if (text === undefined && signature === undefined) return undefined
  return [withoutUndefined({ text: text ?? '', signature })]
}

function readCall(call: JsonObject): ToolCall {
  const called = objectIn(call.function) ?? {}
  return withoutUndefined({
    id: textIn(call.id) ?? '',
    name: textIn(called.name) ?? '',
    arguments: textIn(called.arguments) ?? '',
    signature: readSignature(call),
  })
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

function readTools(request: JsonObject): Tool[] | undefined {
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
