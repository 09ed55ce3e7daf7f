// The items of a Responses input and the messages of the neutral form, both ways.
import { fail } from '../../errors.ts'
import type { ContentPart, Message, ToolCall } from '../dialect.ts'
import { listIn, memberOf, objectIn, textIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import { readReasoning, writeReasoning } from './extras.ts'

const invalid = (reason: string): never => fail('request.invalid', { reason })

/** What a provider did by itself: its own record, which no other provider reads. */
const HOSTED =
  /^(web_search|file_search|code_interpreter|image_generation|mcp|tool_search)_(call|list_tools|output|approval_\w+)$/

/** `lost` gathers what has no word. */
export function readInput(input: unknown, lost: Set<string>): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: readContent(input) }]
  const messages: Message[] = []
  /** The assistant's message that thoughts, words and calls behind one another belong to. */
  let turn: Message | undefined
  const own = (fresh: boolean): Message => {
    if (turn && !fresh) return turn
    turn = { role: 'assistant', content: [] }
    messages.push(turn)
    return turn
  }
  for (const each of listIn(input) ?? []) {
    const item = objectIn(each) ?? {}
    const type = textIn(item.type) ?? 'message'
    if (type === 'message' && item.role === 'assistant') {
      const message = own(turn !== undefined && (turn.content.length > 0 || turn.tool_calls !== undefined))
      message.content = readContent(item.content)
    } else if (type === 'reasoning') {
      const message = own(turn !== undefined && (turn.content.length > 0 || turn.tool_calls !== undefined))
      message.reasoning = [...(message.reasoning ?? []), readReasoning(item)]
    } else if (type === 'function_call') {
      const message = own(false)
      message.tool_calls = [...(message.tool_calls ?? []), readCall(item)]
    } else if (HOSTED.test(type)) {
      lost.add(`input.${type}`)
    } else {
      turn = undefined
      messages.push(readOther(item, type))
    }
  }
  return messages
}

const roles: Record<string, Message['role']> = { system: 'system', developer: 'system', user: 'user' }

function readOther(item: JsonObject, type: string): Message {
  if (type === 'message') {
    const role = roles[textIn(item.role) ?? ''] ?? invalid(`unknown role ${String(item.role).slice(0, 40)}`)
    return { role, content: readContent(item.content) }
  }
  if (type === 'function_call_output') {
    return { role: 'tool', content: readContent(item.output), tool_call_id: textIn(item.call_id) ?? '' }
  }
  return fail('request.untranslatable', { reason: `input of type ${type.slice(0, 40)}` })
}

const readCall = (item: JsonObject): ToolCall => ({
  id: textIn(item.call_id) ?? '',
  name: textIn(item.name) ?? '',
  arguments: textIn(item.arguments) ?? '',
})

function readContent(content: unknown): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  return (listIn(content) ?? invalid('content must be a text or a list of parts')).map(readPart)
}

function readPart(part: unknown): ContentPart {
  const member = (key: string) => textIn(memberOf(part, key))
  const type = member('type')
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: member('text') ?? '' }
    case 'refusal':
      return { type: 'text', text: member('refusal') ?? '' }
    case 'input_image': {
      const url = member('image_url')
      if (!url) return fail('request.untranslatable', { reason: 'an image that only OpenAI keeps' })
      return withoutUndefined({ type: 'image', url, detail: member('detail') })
    }
    case 'input_audio': {
      const sound = memberOf(part, 'input_audio')
      const data = textIn(memberOf(sound, 'data')) ?? invalid('a piece of audio has no data')
      return { type: 'audio', data, format: textIn(memberOf(sound, 'format')) ?? 'wav' }
    }
    case 'input_file': {
      const data = member('file_data')
      const inline = data?.startsWith('data:') ? { url: data } : { data, url: member('file_url') }
      return withoutUndefined({ type: 'file', ...inline, file_id: member('file_id'), filename: member('filename') })
    }
    default:
      return invalid(`unknown content part ${String(type).slice(0, 40)}`)
  }
}

/** `drop` is told what has no word. */
export function writeItems(message: Message, drop: (field: string) => void): JsonObject[] {
  const { role, content, name, tool_calls, tool_call_id, reasoning, failed } = message
  if (name) drop('messages.name')
  if (failed) drop('tool_result.is_error')
  if (content.some(({ cache }) => cache)) drop('cache_control')
  if (role === 'tool') {
    return [{ type: 'function_call_output', call_id: tool_call_id ?? '', output: writeContent(content, 'input_text') }]
  }
  const parts = writeContent(content, role === 'assistant' ? 'output_text' : 'input_text')
  return [
    ...(reasoning ?? []).flatMap((thought) => {
      // A thought that is not sealed is looked for among those that the provider has kept.
      if (thought.signature) return [{ type: 'reasoning', ...writeReasoning(thought) }]
      drop('reasoning_content')
      return []
    }),
    ...(parts.length > 0 || role !== 'assistant' ? [{ type: 'message', role, content: parts }] : []),
    ...(tool_calls ?? []).map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    })),
  ]
}

function writeContent(content: ContentPart[], textType: 'input_text' | 'output_text'): string | JsonObject[] {
  const [only] = content
  if (content.length === 1 && only?.type === 'text') return only.text
  return content.map((part) => writePart(part, textType))
}

function writePart(part: ContentPart, textType: string): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: textType, text: part.text }
    case 'image':
      return { type: 'input_image', image_url: part.url, detail: part.detail }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
    case 'file': {
      const { url, data, media_type, file_id, filename } = part
      const inline = url?.startsWith('data:') ? url : data && media_type ? `data:${media_type};base64,${data}` : data
      return { type: 'input_file', file_data: inline, file_url: inline ? undefined : url, file_id, filename }
    }
  }
}
