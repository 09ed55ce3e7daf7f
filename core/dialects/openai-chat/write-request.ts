// Converts a request from the neutral form to a chat request, and lists the fields that are lost.
import { writeCache, type ContentPart, type Message, type ModelRequest, type WrittenRequest } from '../model-request.ts'
import type { JsonObject } from '../json/json-value.ts'
import { findModelFamily } from '../reasoning/model-fit.ts'
import { writeCallFields, FORMAT_NAME, writeResponseFormat, writeSearch } from './tools.ts'
import { toReasoningEffort } from '../reasoning/reasoning.ts'
import { placeSystemFirst, CONVERTED_SYSTEM_MESSAGES, type PlacedSystem } from '../requests/system-turns.ts'
import { fitToolsAndFormat } from './schema.ts'
import { writeObject } from '../json/json-bytes.ts'

/** Writes the request. Streams always request usage. Undefined members vanish in JSON. */
export function writeModelRequest(neutral: ModelRequest): WrittenRequest {
  const dropped = new Set<string>()
  const drop = (field: string) => void dropped.add(field)
  const request = fitToolsAndFormat(neutral, drop)
  const {
    dialect,
    requestedModel,
    extra,
    messages,
    tools,
    hosted_tools,
    tool_choice,
    max_tokens,
    response_format,
    top_k,
    reasoning_budget,
    reasoning_effort,
    // Answers are stored by Weir, or not at all. The other two describe the request and are no fields of the format.
    storesAnswer: _storesAnswer,
    system_first: _systemFirst,
    vendorData: _vendorData,
    ...plain
  } = request
  const own = dialect === FORMAT_NAME
  if (!own) Object.keys(extra).forEach(drop)
  // OpenAI does not support top_k, and refuses it.
  if (top_k !== undefined && !own) drop('top_k')
  for (const { name } of hosted_tools ?? []) if (name !== 'web_search') drop(`tools.${name}`)
  const search = hosted_tools?.find(({ name }) => name === 'web_search')
  const effort = reasoning_effort ?? (reasoning_budget === undefined ? undefined : toReasoningEffort(reasoning_budget))
  // A budget that leaves reasoning to the model has no equivalent here.
  if (effort === undefined && reasoning_budget !== undefined) drop('reasoning_budget')
  const family = findModelFamily(request.model, FORMAT_NAME, requestedModel)
  const placed: PlacedSystem = family.system === 'first' ? placeSystemFirst(messages) : { messages, isConverted: false }
  if (placed.isConverted) drop(CONVERTED_SYSTEM_MESSAGES)
  const body = {
    ...(own ? extra : {}),
    ...plain,
    top_k: own ? top_k : undefined,
    reasoning_effort: effort,
    messages: writeTurns(placed.messages, own, drop),
    tools: tools?.map(({ name, description, parameters, strict, cache }) => ({
      type: 'function',
      function: { name, description, parameters, strict },
      ...(own ? writeCache(cache) : {}),
    })),
    web_search_options: search && writeSearch(search.options),
    tool_choice: own || tools?.length ? writeToolChoice(tool_choice) : undefined,
    // A schema must have a name here, which callers of this format have set.
    response_format:
      response_format && writeResponseFormat(own ? response_format : { name: 'answer', ...response_format }),
    [family.limit ?? 'max_tokens']: max_tokens,
    stream_options: request.stream ? { include_usage: true } : undefined,
  }
  if (!own && tools?.some(({ cache }) => cache)) drop('cache_control')
  return { body: writeObject(body), dropped: [...dropped] }
}

/** Writes the tool choice. The provider's own search is not a tool that could be chosen here. */
function writeToolChoice(choice: ModelRequest['tool_choice']): unknown {
  if (typeof choice !== 'object') return choice
  return choice.hosted ? undefined : { type: 'function', function: { name: choice.name } }
}

type Drop = (field: string) => void

/**
 * Writes the turns. Tool results must be text here: other content follows in a user message after the last of the
 * results.
 */
function writeTurns(messages: readonly Message[], own: boolean, drop: Drop): JsonObject[] {
  const written: JsonObject[] = []
  let shown: ContentPart[] = []
  for (const [index, message] of messages.entries()) {
    if (own || message.role !== 'tool') {
      written.push(writeMessage(message, own, drop))
      continue
    }
    const isText = ({ type }: ContentPart) => type === 'text'
    written.push(writeMessage({ ...message, content: message.content.filter(isText) }, own, drop))
    shown.push(...message.content.filter((part) => !isText(part)))
    if (shown.length === 0 || messages[index + 1]?.role === 'tool') continue
    written.push(writeMessage({ role: 'user', content: shown }, own, drop))
    shown = []
  }
  return written
}

function writeMessage(message: Message, own: boolean, drop: Drop): JsonObject {
  const { role, content, name, tool_calls, tool_call_id, reasoning, failed } = message
  if (failed) drop('tool_result.is_error')
  if (reasoning?.some(({ redacted }) => redacted)) drop('redacted_thinking')
  if (!own && content.some(({ cache }) => cache)) drop('cache_control')
  const thought = reasoning?.filter(({ redacted }) => !redacted)
  const parts = content.flatMap((part) => {
    const written = writePart(part, drop)
    return written ? [own ? { ...written, ...writeCache(part.cache) } : written] : []
  })
  return {
    role,
    content: toPlainText(message, own) ?? (parts.length > 0 ? parts : getEmptyContent(tool_calls)),
    name,
    ...(thought?.length ? writeReasoning(thought) : {}),
    tool_calls: tool_calls?.map((call) => ({ ...writeCallFields(call), id: call.id, type: 'function' })),
    tool_call_id,
  }
}

/**
 * Returns the content as one string if it is text. Several texts are joined, since many servers take lists from users
 * only.
 */
function toPlainText({ role, content }: Message, own: boolean): string | undefined {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length !== content.length || texts.length === 0) return undefined
  if (own && content.some(({ cache }) => cache)) return undefined
  if (texts.length > 1 && (own || role === 'user')) return undefined
  return texts.join(role === 'assistant' ? '' : '\n')
}

const getEmptyContent = (calls: Message['tool_calls']): string | null => (calls?.length ? null : '')

const writeReasoning = (pieces: NonNullable<Message['reasoning']>): JsonObject => ({
  reasoning_content: pieces.map(({ text }) => text).join(''),
  // With several pieces of reasoning, their signatures could not be distinguished.
  reasoning_signature: pieces.length === 1 ? pieces[0]?.signature : undefined,
})

function writePart(part: ContentPart, drop: Drop): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, detail: part.detail } }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
    case 'file': {
      const inline = part.url?.startsWith('data:') ? part.url : part.data
      if (inline === undefined && part.file_id === undefined && part.url !== undefined) {
        drop('file.url')
        return undefined
      }
      return { type: 'file', file: { file_data: inline, file_id: part.file_id, filename: part.filename } }
    }
  }
}
