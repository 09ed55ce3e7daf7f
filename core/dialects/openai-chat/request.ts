// Converts a chat request, as the caller wrote it, to the neutral form.
import { fail } from '../../errors.ts'
import { readCache, type ContentPart, type Message, type ModelRequest } from '../model-request.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, asText, omitUndefinedMembers } from '../json/json-value.ts'
import { parseValidRequest, parseMaxTokens } from './head.ts'
import type { FieldCheck } from '../requests/shape.ts'
import {
  findUnsupportedFields,
  byType,
  each,
  flagField,
  storedByVendor,
  members,
  number,
  object,
  acceptAny,
  textField,
  textOr,
  refuseUnknownType,
  acceptDefaults,
  oneOf,
} from '../requests/shape.ts'
import {
  FORMAT_NAME,
  readToolCall,
  readHostedTools,
  readResponseFormat,
  readToolChoice,
  readToolDeclarations,
} from './tools.ts'

// Declares the fields of this format's requests and how the reader handles each of them.

/** Google's files have their own names and may be referenced in this format. */
const file_id: FieldCheck = (id, ...place) => (asText(id)?.startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = storedByVendor('a file at OpenAI', 'openai-responses')
const atGoogle = storedByVendor('a file at Google', 'gemini-generate')

const file = members({ file_data: textField, filename: textField, file_id })

/** Cache breakpoints of OpenAI and OpenRouter. */
const cached = { cache_control: acceptAny, prompt_cache_breakpoint: acceptAny }

const image = members({ url: textField, detail: textField })

/** The parts of a message's content by their type. */
const PARTS = {
  text: members({ type: acceptAny, text: textField, ...cached }),
  refusal: members({ type: acceptAny, refusal: textField }),
  image_url: members({
    type: acceptAny,
    image_url: (value, ...place) => typeof value === 'string' || image(value, ...place),
    ...cached,
  }),
  input_audio: members({ type: acceptAny, input_audio: members({ data: textField, format: textField }), ...cached }),
  file: members({ type: acceptAny, file, ...cached }),
}
const content = textOr(each(byType(PARTS, '', '', refuseUnknownType)))

/** A spoken answer has a transcript, or is stored at OpenAI only. */
const audio: FieldCheck = (value, ...place) =>
  asText(getMember(value, 'transcript')) === undefined && sound(value, ...place)
const sound = storedByVendor('an answer in sound at OpenAI')

const called = members({ name: textField, arguments: textField, input: textField })
const message = members({
  role: oneOf('system', 'developer', 'user', 'assistant', 'tool', 'function'),
  content,
  name: textField,
  tool_calls: each(
    members({
      id: textField,
      type: textField,
      index: acceptAny,
      function: called,
      custom: called,
      extra_content: acceptAny,
    }),
  ),
  tool_call_id: textField,
  function_call: called,
  refusal: textField,
  audio,
  reasoning_content: textField,
  reasoning: textField,
  reasoning_signature: textField,
  // Annotations of an earlier answer are not part of its text.
  annotations: acceptAny,
})

const tool = members({
  type: textField,
  cache_control: acceptAny,
  function: members({ name: textField, description: textField, parameters: object, strict: flagField }),
  custom: members({ name: textField, description: textField, format: object }),
})

const REQUEST_FIELDS = {
  model: acceptAny,
  stream: acceptAny,
  stream_options: members({ include_usage: flagField }),
  messages: each(message),
  tools: each(tool),
  functions: each(members({ name: textField, description: textField, parameters: object })),
  tool_choice: acceptAny,
  function_call: acceptAny,
  max_tokens: acceptAny,
  max_completion_tokens: acceptAny,
  temperature: number,
  top_p: number,
  top_k: number,
  stop: each(textField),
  seed: number,
  presence_penalty: number,
  frequency_penalty: number,
  n: number,
  user: textField,
  safety_identifier: textField,
  service_tier: textField,
  parallel_tool_calls: flagField,
  response_format: object,
  reasoning_effort: textField,
  web_search_options: object,
  modalities: each(textField),
  store: acceptDefaults(false),
  logprobs: flagField,
  top_logprobs: number,
}

const invalid = (reason: string): never => fail('request.invalid', { param: 'messages', reason })

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readModelRequest(body: Uint8Array): ModelRequest {
  const request = parseValidRequest(body)
  const { extra, lost, vendorData } = findUnsupportedFields(request, REQUEST_FIELDS)
  const stop = typeof request.stop === 'string' ? [request.stop] : asList(request.stop)
  return omitUndefinedMembers({
    dialect: FORMAT_NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages: (request.messages as JsonObject[]).map(readMessage),
    ...readToolChoice(request.tool_choice ?? request.function_call, readToolDeclarations(request)),
    hosted_tools: readHostedTools(request),
    parallel_tool_calls: asFlag(request.parallel_tool_calls),
    max_tokens: parseMaxTokens(request),
    temperature: asFiniteNumber(request.temperature),
    top_p: asFiniteNumber(request.top_p),
    top_k: asFiniteNumber(request.top_k),
    seed: asFiniteNumber(request.seed),
    logprobs: request.logprobs === true ? true : undefined,
    top_logprobs: asFiniteNumber(request.top_logprobs),
    presence_penalty: asFiniteNumber(request.presence_penalty),
    frequency_penalty: asFiniteNumber(request.frequency_penalty),
    n: asFiniteNumber(request.n),
    user: asText(request.user) ?? asText(request.safety_identifier),
    service_tier: asText(request.service_tier),
    stop: stop?.filter((text): text is string => typeof text === 'string'),
    response_format: readResponseFormat(request.response_format),
    reasoning_effort: asText(request.reasoning_effort),
    modalities: asList(request.modalities)?.filter((word): word is string => typeof word === 'string'),
    lost: lost.size > 0 ? [...lost] : undefined,
    vendorData: vendorData.length > 0 ? vendorData : undefined,
    extra,
  })
}

const asFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

const roles: Record<string, Message['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

function readMessage(message: JsonObject): Message {
  const role = roles[asText(message.role) ?? ''] ?? invalid('a message has no role')
  const legacy = asObject(message.function_call)
  const calls = asList(message.tool_calls)?.map((call) => readToolCall(asObject(call) ?? {}))
  // A function's result names the function, not the call: the name replaces the call's id.
  const answers = asText(message.tool_call_id) ?? (message.role === 'function' ? asText(message.name) : undefined)
  return omitUndefinedMembers({
    role,
    content: markedLast([...readContent(message.content), ...readSeparateParts(message)], message),
    name: asText(message.name),
    tool_calls: calls?.length ? calls : legacy && [readToolCall({ id: legacy.name, function: legacy })],
    tool_call_id: answers,
    reasoning: readReasoning(message),
  })
}

/**
 * Adds a cache breakpoint of the message to its last part. Many clients mark the prompt for Claude's cache, at its
 * parts or at a whole message.
 */
function markedLast(content: ContentPart[], message: JsonObject): ContentPart[] {
  const last = content.at(-1)
  return last && message.cache_control ? content.with(content.length - 1, { ...last, ...readCache(message) }) : content
}

/**
 * Reads the parts of an assistant's message that are outside its content: a refusal, or the transcript of its audio.
 */
const readSeparateParts = ({ refusal, audio }: JsonObject): ContentPart[] =>
  [asText(refusal), asText(getMember(audio, 'transcript'))].flatMap((text) => (text ? [{ type: 'text', text }] : []))

function readReasoning(message: JsonObject): Message['reasoning'] {
  const text = asText(message.reasoning_content) ?? asText(message.reasoning)
  const signature = asText(message.reasoning_signature)
  if (text === undefined && signature === undefined) return undefined
  return [omitUndefinedMembers({ text: text ?? '', signature })]
}

function readContent(content: unknown): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  return (asList(content) ?? invalid('content must be a text or a list of parts')).map((part) => ({
    ...readPart(part),
    ...readCache(asObject(part) ?? {}),
  }))
}

function readPart(part: unknown): ContentPart {
  const type = getMember(part, 'type')
  const inner = typeof type === 'string' ? getMember(part, type) : undefined
  const member = (key: string) => asText(getMember(inner, key))
  switch (type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: asText(inner) ?? '' }
    case 'image_url': {
      const url = asText(inner) ?? member('url') ?? invalid('an image has no url')
      return omitUndefinedMembers({ type: 'image', url, detail: member('detail') })
    }
    case 'input_audio':
      return {
        type: 'audio',
        data: member('data') ?? invalid('a piece of audio has no data'),
        format: member('format') ?? 'wav',
      }
    case 'file':
      return omitUndefinedMembers({
        type: 'file',
        data: member('file_data'),
        file_id: member('file_id'),
        filename: member('filename'),
      })
    default:
      return invalid('unknown content part')
  }
}
