// Converts neutral messages to turns of blocks: neighbors of one role form one turn, and tool results go into the
// user's turn.
import { writeCache, type ContentPart, type Message, type ReasoningPiece } from '../model-request.ts'
import { asObject, parseJson, type JsonObject } from '../json/json-value.ts'
import { placeSystemTurns, CONVERTED_SYSTEM_MESSAGES } from '../requests/system-turns.ts'
import type { ReportLostField } from './tools.ts'

export interface WrittenTurn {
  role: 'user' | 'assistant' | 'system'
  content: JsonObject[]
}

/** Placeholder where this format requires text and the caller sent none. */
const NO_WORDS = '...'

/**
 * Writes the system prompt and the turns.
 * @param own the request was read from this format, so file ids are this provider's
 * @param takesTurns the model accepts system messages inside a conversation
 */
export function writeMessageTurns(
  given: readonly Message[],
  own: boolean,
  takesTurns: boolean,
  drop: ReportLostField,
): { system?: string | JsonObject[]; messages: WrittenTurn[] } {
  const system: JsonObject[] = []
  const turns: WrittenTurn[] = []
  const { messages, isConverted } = placeSystemTurns(given, takesTurns)
  if (isConverted) drop(CONVERTED_SYSTEM_MESSAGES)
  for (const message of messages) {
    if (message.name !== undefined && message.role !== 'tool') drop('messages.name')
    const blocks = message.content.flatMap((part) => writePart(part, own, drop))
    if (message.role === 'system') {
      const texts = blocks.filter(({ type }) => type === 'text')
      for (const { type } of blocks) if (type !== 'text') drop(`system.${String(type)}`)
      if (turns.length === 0) system.push(...texts)
      else if (texts.length > 0) turns.push({ role: 'system', content: texts })
      continue
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = writeContent(message, blocks, drop)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  const nonEmpty = turns.filter(({ role, content }) => content.length > 0 || role === 'user')
  for (const { content } of nonEmpty) if (content.length === 0) content.push(wordless())
  if (nonEmpty[0]?.role !== 'user') nonEmpty.unshift({ role: 'user', content: [wordless()] })
  return { ...(system.length > 0 ? { system: asText(system) } : {}), messages: nonEmpty }
}

const wordless = (): JsonObject => ({ type: 'text', text: NO_WORDS })

/** A single plain text needs no blocks. */
function asText(blocks: JsonObject[]): string | JsonObject[] {
  const [only] = blocks
  return blocks.length === 1 && only?.type === 'text' && !only.cache_control ? String(only.text) : blocks
}

function writeContent(message: Message, blocks: JsonObject[], drop: ReportLostField): JsonObject[] {
  if (message.role === 'tool') return [writeResult(message, blocks)]
  const calls = (message.tool_calls ?? []).map(({ id, name, arguments: text }) => {
    const input = asObject(parseJson(text === '' ? '{}' : text))
    if (!input) drop('tool_calls.arguments')
    return { type: 'tool_use', id: toSafeId(id), name, input: input ?? {} }
  })
  return [...(message.reasoning ?? []).flatMap((piece) => writeThought(piece, drop)), ...blocks, ...calls]
}

/** Only reasoning that this provider signed or encrypted is sent back; it refuses any other. */
function writeThought({ text, signature, redacted }: ReasoningPiece, drop: ReportLostField): JsonObject[] {
  if (redacted) return [{ type: 'redacted_thinking', data: text }]
  if (signature) return [{ type: 'thinking', thinking: text, signature }]
  drop('reasoning_content')
  return []
}

function writeResult({ tool_call_id = '', failed }: Message, blocks: JsonObject[]): JsonObject {
  const cache_control = blocks.at(-1)?.cache_control
  const content = blocks.map((block, index) =>
    index === blocks.length - 1
      ? Object.fromEntries(Object.entries(block).filter(([key]) => key !== 'cache_control'))
      : block,
  )
  return {
    type: 'tool_result',
    tool_use_id: toSafeId(tool_call_id),
    ...(content.length > 0 ? { content: asText(content) } : {}),
    ...(failed ? { is_error: true } : {}),
    ...(cache_control ? { cache_control } : {}),
  }
}

/** Other providers' ids may have characters that are refused here. A call and its result change alike. */
export const toSafeId = (id: string): string => (id === '' ? 'call_0' : id.replaceAll(/[^a-zA-Z0-9_-]/g, '_'))

function writePart(part: ContentPart, own: boolean, drop: ReportLostField): JsonObject[] {
  const cache = writeCache(part.cache)
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...cache }]
    case 'image':
      if (part.detail !== undefined && part.detail !== 'auto') drop('image_url.detail')
      return [{ type: 'image', source: writeSource(part.url, 'image/png'), ...cache }]
    case 'audio':
      drop('input_audio')
      return []
    case 'file':
      return writeFile(part, own, drop).map((block) => ({ ...block, ...cache }))
  }
}

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,/

/** Returns a source with the bytes or with their URL. */
function writeSource(url: string, type: string): JsonObject {
  const data = DATA_URL.exec(url.slice(0, 200))
  return data ? { type: 'base64', media_type: data[1] || type, data: url.slice(data[0].length) } : { type: 'url', url }
}

type FilePart = Extract<ContentPart, { type: 'file' }>

function writeFile(
  { url, data, file_id, filename, media_type }: FilePart,
  own: boolean,
  drop: ReportLostField,
): JsonObject[] {
  const title = filename === undefined ? {} : { title: filename }
  const inline = url ?? (data?.startsWith('data:') ? data : data && `data:${media_type ?? PDF};base64,${data}`)
  if (inline === undefined) {
    if (own && file_id) return [{ type: 'document', source: { type: 'file', file_id }, ...title }]
    drop('file.file_id')
    return []
  }
  const source = writeSource(inline, media_type ?? PDF)
  if (source.type === 'url' || source.media_type === PDF) return [{ type: 'document', source, ...title }]
  const type = String(source.media_type)
  if (type.startsWith('image/')) return [{ type: 'image', source }]
  const text =
    type.startsWith('text/') || type === 'application/json' ? decodeBase64Text(String(source.data)) : undefined
  if (text === undefined) {
    drop(`file.${type}`)
    return []
  }
  return [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }]
}

const PDF = 'application/pdf'
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes base64 text; undefined if it is not text. */
function decodeBase64Text(base64: string): string | undefined {
  try {
    return decoder.decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)))
  } catch {
    return undefined
  }
}
