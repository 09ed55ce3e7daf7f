// Converts the blocks of a message's content, as the caller wrote them, to neutral messages.
import { fail } from '../../errors.ts'
import { readCache } from '../cache-mark.ts'
import type { ContentPart, Message, ReasoningPiece, ToolCall } from '../model-request.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import type { ReportLostField } from './tools.ts'

/** The content of one message's blocks. `results` become separate messages in other formats. */
interface Content {
  parts: ContentPart[]
  calls: ToolCall[]
  reasoning: ReasoningPiece[]
  results: Message[]
}

/** Returns the message, preceded by the messages that answer tool calls. */
export function readMessageTurns(message: JsonObject, lose: ReportLostField): Message[] {
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
export function readSystem(system: unknown, lose: ReportLostField): Message[] {
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
