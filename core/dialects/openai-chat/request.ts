// A chat request as the caller wrote it, to the neutral form.
import { fail } from '../../errors.ts'
import { readCache } from '../cache-mark.ts'
import type { ContentPart, Message, ModelRequest } from '../model-request.ts'
import { listIn, memberOf, numberIn, objectIn, textIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import { checkedRequest, maxTokensIn } from './head.ts'
import { untakenOf } from '../shape.ts'
import { NAME, readHostedTools, readResponseFormat } from './extras.ts'
import { FIELDS } from './request-fields.ts'
import { readCall, readToolChoice, readTools } from './tools.ts'

const invalid = (reason: string): never => fail('request.invalid', { param: 'messages', reason })

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array): ModelRequest {
  const request = checkedRequest(body)
  const { extra, lost, kept } = untakenOf(request, FIELDS)
  const stop = typeof request.stop === 'string' ? [request.stop] : listIn(request.stop)
  return withoutUndefined({
    dialect: NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages: (request.messages as JsonObject[]).map(readMessage),
    ...readToolChoice(request.tool_choice ?? request.function_call, readTools(request)),
    hosted_tools: readHostedTools(request),
    parallel_tool_calls: flagIn(request.parallel_tool_calls),
    max_tokens: maxTokensIn(request),
    temperature: numberIn(request.temperature),
    top_p: numberIn(request.top_p),
    top_k: numberIn(request.top_k),
    seed: numberIn(request.seed),
    logprobs: request.logprobs === true ? true : undefined,
    top_logprobs: numberIn(request.top_logprobs),
    presence_penalty: numberIn(request.presence_penalty),
    frequency_penalty: numberIn(request.frequency_penalty),
    n: numberIn(request.n),
    user: textIn(request.user) ?? textIn(request.safety_identifier),
    service_tier: textIn(request.service_tier),
    stop: stop?.filter((text): text is string => typeof text === 'string'),
    response_format: readResponseFormat(request.response_format),
    reasoning_effort: textIn(request.reasoning_effort),
    modalities: listIn(request.modalities)?.filter((word): word is string => typeof word === 'string'),
    lost: lost.size > 0 ? [...lost] : undefined,
    kept: kept.length > 0 ? kept : undefined,
    extra,
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
  const role = roles[textIn(message.role) ?? ''] ?? invalid('a message has no role')
  const legacy = objectIn(message.function_call)
  const calls = listIn(message.tool_calls)?.map((call) => readCall(objectIn(call) ?? {}))
  // A function's answer names the function, not the call: the name stands in for the call's id.
  const answers = textIn(message.tool_call_id) ?? (message.role === 'function' ? textIn(message.name) : undefined)
  return withoutUndefined({
    role,
    content: markedLast([...readContent(message.content), ...readBeside(message)], message),
    name: textIn(message.name),
    tool_calls: calls?.length ? calls : legacy && [readCall({ id: legacy.name, function: legacy })],
    tool_call_id: answers,
    reasoning: readReasoning(message),
  })
}

/** Many clients mark the prompt for Claude's cache, at its parts or at a whole message. */
function markedLast(content: ContentPart[], message: JsonObject): ContentPart[] {
  const last = content.at(-1)
  return last && message.cache_control ? content.with(content.length - 1, { ...last, ...readCache(message) }) : content
}

/** What an assistant's message says in places of its own: that it refuses, or what its sound says. */
const readBeside = ({ refusal, audio }: JsonObject): ContentPart[] =>
  [textIn(refusal), textIn(memberOf(audio, 'transcript'))].flatMap((text) => (text ? [{ type: 'text', text }] : []))

function readReasoning(message: JsonObject): Message['reasoning'] {
  const text = textIn(message.reasoning_content) ?? textIn(message.reasoning)
  const signature = textIn(message.reasoning_signature)
  if (text === undefined && signature === undefined) return undefined
  return [withoutUndefined({ text: text ?? '', signature })]
}

function readContent(content: unknown): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  return (listIn(content) ?? invalid('content must be a text or a list of parts')).map((part) => ({
    ...readPart(part),
    ...readCache(objectIn(part) ?? {}),
  }))
}

function readPart(part: unknown): ContentPart {
  const type = memberOf(part, 'type')
  const inner = typeof type === 'string' ? memberOf(part, type) : undefined
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
      return invalid('unknown content part')
  }
}
