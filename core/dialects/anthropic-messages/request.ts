// Converts a message request, as the caller wrote it, to the neutral form.
import type { ModelRequest, ResponseFormat, ContentPart, Message, ReasoningPiece, ToolCall } from '../model-request.ts'
import { readCache } from '../model-request.ts'
import { asList, getMember, asFiniteNumber, asObject, asText, type JsonObject } from '../json/json-value.ts'
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
  acceptDefaults,
  oneOf,
} from '../requests/shape.ts'
import { parseValidRequest } from './head.ts'
import { readToolDeclarations, type ReportLostField } from './tools.ts'
import { fail } from '../../errors.ts'

// Declares the fields of this format's requests and how the reader handles each of them.

const cache_control = acceptAny
/** Blocks of built-in tools name their caller; the model itself is the default. */
const caller: FieldCheck = members({ type: acceptDefaults('direct') })

const file = members({ file_id: storedByVendor('a file at Anthropic'), type: acceptAny })
const image = members({
  type: acceptAny,
  source: byType({ file }, '', 'image.source.'),
  cache_control,
})
const document = members({
  type: acceptAny,
  source: byType({ file, content: members({ type: acceptAny, content: blocks }) }, '', 'document.source.'),
  title: textField,
  context: textField,
  citations: acceptAny,
  cache_control,
})

/** The summary of a compacted conversation, as text or encrypted. */
const compaction: FieldCheck = (block, ...place) =>
  asText(getMember(block, 'content')) === undefined && sealed(block, ...place)
const sealed = storedByVendor('a conversation that Anthropic has sealed')

/** The blocks of a message by type. A block of an unknown type is reported by its type. */
const BLOCKS = {
  text: members({ type: acceptAny, text: textField, citations: acceptAny, cache_control }),
  image,
  document,
  search_result: acceptAny,
  thinking: members({ type: acceptAny, thinking: textField, signature: textField }),
  redacted_thinking: members({ type: acceptAny, data: textField }),
  tool_use: members({ type: acceptAny, id: textField, name: textField, input: object, caller, cache_control }),
  tool_result: members({
    type: acceptAny,
    tool_use_id: textField,
    content: blocks,
    is_error: flagField,
    cache_control,
  }),
  tool_reference: acceptAny,
  compaction,
  container_upload: members({ type: acceptAny, file_id: storedByVendor('a file at Anthropic'), cache_control }),
}

/** Blocks may be nested. */
function blocks(...[value, name, untaken, spell]: Parameters<FieldCheck>): void {
  textOr(each(byType(BLOCKS)))(value, name, untaken, spell)
}

const TOOLS = {
  custom: members({ name: textField, description: textField, input_schema: object, strict: flagField }, acceptAny),
  mcp_toolset: storedByVendor('servers that Anthropic asks for their tools'),
}

const REQUEST_FIELDS = {
  model: acceptAny,
  stream: acceptAny,
  max_tokens: acceptAny,
  system: blocks,
  messages: each(members({ role: oneOf('user', 'assistant', 'system'), content: blocks })),
  temperature: number,
  top_p: number,
  top_k: number,
  stop_sequences: each(textField),
  metadata: members({ user_id: textField }),
  service_tier: textField,
  thinking: members({ type: textField, budget_tokens: number, display: acceptDefaults('summarized') }),
  output_config: members({ effort: textField, format: members({ type: textField, schema: object }) }),
  output_format: members({ type: textField, schema: object }),
  tools: each(byType(TOOLS, 'custom', 'tools.', members({ type: textField, name: textField }, acceptAny))),
  tool_choice: members({ type: textField, name: textField, disable_parallel_tool_use: flagField }),
  thread: storedByVendor('a conversation at Anthropic'),
  container: storedByVendor('a container at Anthropic'),
  mcp_servers: storedByVendor('servers that Anthropic asks for their tools'),
}

// Converts the blocks of a message's content, as the caller wrote them, to neutral messages.

/** The content of one message's blocks. `results` become separate messages in other formats. */
interface Content {
  parts: ContentPart[]
  calls: ToolCall[]
  reasoning: ReasoningPiece[]
  results: Message[]
}

/** Returns the message, preceded by the messages that answer tool calls. */
function readMessageTurns(message: JsonObject, lose: ReportLostField): Message[] {
  const { role } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    return fail('request.invalid', { param: 'messages', reason: 'a message has no role' })
  }
  const { parts, calls, reasoning, results } = readContent(message.content, lose)
  // A turn that only answers tools is not a message of the user.
  if (results.length > 0 && parts.length === 0) return results
  const own: Message = {
    role,
    content: parts,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(reasoning.length > 0 ? { reasoning } : {}),
  }
  return [...results, own]
}

/** The system prompt: a text or blocks. */
function readSystem(system: unknown, lose: ReportLostField): Message[] {
  const { parts } = readContent(system, lose)
  return parts.length > 0 ? [{ role: 'system', content: parts }] : []
}

function readContent(content: unknown, lose: ReportLostField): Content {
  const read: Content = { parts: [], calls: [], reasoning: [], results: [] }
  if (typeof content === 'string') {
    if (content !== '') read.parts.push({ type: 'text', text: content })
    return read
  }
  if (content === undefined || content === null) return read
  const blocks = asList(content)
  if (!blocks) fail('request.invalid', { param: 'messages', reason: 'content must be a text or a list of blocks' })
  for (const block of blocks) readBlock(asObject(block) ?? {}, read, lose)
  return read
}

function readBlock(block: JsonObject, into: Content, lose: ReportLostField): void {
  switch (block.type) {
    case 'text':
      if (asList(block.citations)?.length) lose('citations')
      if (asText(block.text)) into.parts.push({ type: 'text', text: String(block.text), ...readCache(block) })
      return
    case 'image':
      into.parts.push(...readImage(block, lose))
      return
    case 'document':
      into.parts.push(...readDocument(block, lose))
      return
    case 'search_result':
      lose('search_result.source')
      into.parts.push(...readContent(block.content, lose).parts)
      return
    case 'thinking':
      into.reasoning.push({
        text: asText(block.thinking) ?? '',
        ...(asText(block.signature) ? { signature: String(block.signature) } : {}),
      })
      return
    case 'redacted_thinking':
      into.reasoning.push({ text: asText(block.data) ?? '', redacted: true })
      return
    case 'tool_use':
      if (block.cache_control) lose('cache_control')
      into.calls.push({
        id: asText(block.id) ?? '',
        name: asText(block.name) ?? '',
        arguments: JSON.stringify(block.input ?? {}),
      })
      return
    case 'tool_result':
      into.results.push(readResult(block, lose))
      return
    case 'tool_reference':
      // All tools are there from the start, whether they were searched for or not.
      into.parts.push({ type: 'text', text: `Loaded: ${asText(block.tool_name) ?? ''}` })
      return
    case 'compaction':
      if (asText(block.content)) into.parts.push({ type: 'text', text: String(block.content), ...readCache(block) })
      return
    default:
      // Tools that ran at the provider and uploads to its containers are useless to any other provider.
      lose((asText(block.type) ?? '').slice(0, 60))
  }
}

function readResult(block: JsonObject, lose: ReportLostField): Message {
  const { parts } = readContent(block.content, lose)
  const last = parts.at(-1)
  if (last) Object.assign(last, readCache(block))
  return {
    role: 'tool',
    content: parts,
    tool_call_id: asText(block.tool_use_id) ?? '',
    ...(block.is_error === true ? { failed: true } : {}),
  }
}

const dataUrl = (source: unknown, type: string): string =>
  `data:${asText(getMember(source, 'media_type')) ?? type};base64,${asText(getMember(source, 'data')) ?? ''}`

function readImage(block: JsonObject, lose: ReportLostField): ContentPart[] {
  const { source } = block
  const url = getMember(source, 'type') === 'base64' ? dataUrl(source, 'image/png') : asText(getMember(source, 'url'))
  if (url === undefined) {
    lose('image.file_id')
    return []
  }
  return [{ type: 'image', url, ...readCache(block) }]
}

function readDocument(block: JsonObject, lose: ReportLostField): ContentPart[] {
  const { source, title } = block
  if (getMember(block.citations, 'enabled') === true) lose('document.citations')
  if (asText(block.context)) lose('document.context')
  const more = { ...(asText(title) ? { filename: String(title) } : {}), ...readCache(block) }
  switch (getMember(source, 'type')) {
    case 'base64':
      return [{ type: 'file', url: dataUrl(source, 'application/pdf'), ...more }]
    case 'url':
      return [{ type: 'file', url: asText(getMember(source, 'url')) ?? '', ...more }]
    case 'file':
      return [{ type: 'file', file_id: asText(getMember(source, 'file_id')) ?? '', ...more }]
    case 'text':
      // Every model reads a text as it is.
      return [{ type: 'text', text: asText(getMember(source, 'data')) ?? '', ...readCache(block) }]
    default:
      return readContent(getMember(source, 'content'), lose).parts
  }
}

export const FORMAT_NAME = 'anthropic-messages'

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readModelRequest(body: Uint8Array): ModelRequest {
  const request = parseValidRequest(body)
  const { extra, lost, vendorData } = findUnsupportedFields(request, REQUEST_FIELDS)
  const lose: ReportLostField = (field) => void lost.add(field)
  const stop = asList(request.stop_sequences)?.filter((text): text is string => typeof text === 'string')
  const read = {
    dialect: FORMAT_NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages: [
      ...readSystem(request.system, lose),
      ...(request.messages as JsonObject[]).flatMap((message) => readMessageTurns(message, lose)),
    ],
    ...readToolDeclarations(request, lose),
    max_tokens: asFiniteNumber(request.max_tokens),
    temperature: asFiniteNumber(request.temperature),
    top_p: asFiniteNumber(request.top_p),
    top_k: asFiniteNumber(request.top_k),
    stop: stop?.length ? stop : undefined,
    user: asText(getMember(request.metadata, 'user_id')),
    service_tier: request.service_tier === 'standard_only' ? 'default' : asText(request.service_tier),
    response_format: readFormat(getMember(request.output_config, 'format') ?? request.output_format),
    ...readThinking(request),
    extra,
    vendorData: vendorData.length > 0 ? vendorData : undefined,
  }
  return {
    ...(Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as typeof read),
    ...(lost.size > 0 ? { lost: [...lost] } : {}),
  } as ModelRequest
}

function readFormat(format: unknown): ResponseFormat | undefined {
  return getMember(format, 'type') === 'json_schema' ? { schema: getMember(format, 'schema') ?? {} } : undefined
}

function readThinking(request: JsonObject): Pick<ModelRequest, 'reasoning_budget' | 'reasoning_effort'> {
  const thinking = asObject(request.thinking)
  if (thinking?.type === 'disabled' || thinking?.type === 'between_tools') return { reasoning_budget: 0 }
  const effort = asText(getMember(request.output_config, 'effort'))
  if (effort !== undefined) return { reasoning_effort: effort }
  if (thinking?.type === 'adaptive') return { reasoning_budget: -1 }
  const budget = asFiniteNumber(thinking?.budget_tokens)
  return thinking?.type === 'enabled' && budget !== undefined ? { reasoning_budget: budget } : {}
}
