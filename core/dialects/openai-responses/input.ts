// Converts the items of a Responses input to neutral messages, and back.
import { fail } from '../../errors.ts'
import type { ContentPart, Message, ToolCall } from '../model-request.ts'
import { asList, getMember, asObject, asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { flattenToolName } from '../requests/tools.ts'
import { getCallOutput, getCallArguments } from './client-tools.ts'
import { readReasoning, writeReasoning } from './extras.ts'

const invalid = (reason: string): never => fail('request.invalid', { param: 'input', reason })

/** Reads the input. `lost` collects the names of items without an equivalent. */
export function readInput(input: unknown, lost: Set<string>): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: readContent(input) }]
  const messages: Message[] = []
  /** The assistant's message that consecutive reasoning, text and calls belong to. */
  let turn: Message | undefined
  const own = (fresh: boolean): Message => {
    if (turn && !fresh) return turn
    turn = { role: 'assistant', content: [] }
    messages.push(turn)
    return turn
  }
  const items = (asList(input) ?? []).map((each) => asObject(each) ?? {})
  const callIds = mapCallIds(items)
  for (const item of items) {
    const type = asText(item.type) ?? 'message'
    const call = isHosted(item) ? undefined : readCall(item)
    const answer = isHosted(item) ? undefined : getCallOutput(item)
    if (type === 'message' && item.role === 'assistant') {
      const message = own(turn !== undefined && (turn.content.length > 0 || turn.tool_calls !== undefined))
      message.content = readContent(item.content)
    } else if (type === 'reasoning') {
      const message = own(turn !== undefined && (turn.content.length > 0 || turn.tool_calls !== undefined))
      message.reasoning ??= []
      message.reasoning.push(readReasoning(item))
    } else if (call) {
      const message = own(false)
      message.tool_calls ??= []
      message.tool_calls.push(call)
    } else if (answer || type === 'message') {
      turn = undefined
      messages.push(answer ? readAnswer(item, answer, callIds) : readOther(item))
    } else if (type !== 'additional_tools') {
      // A record of the provider's own work, which no other provider can read.
      lost.add(`input.${type.slice(0, 40)}`)
    }
  }
  return messages
}

/** The provider answers its own searches for tools, which have no id to answer to. */
const isHosted = ({ type, call_id }: JsonObject): boolean =>
  (type === 'tool_search_call' || type === 'tool_search_output') && !asText(call_id)

/** Maps item ids to call ids. Results of the older shell name the item of their call, not the call. */
const mapCallIds = (items: readonly JsonObject[]): Map<unknown, string> =>
  new Map(
    items.flatMap(({ type, id, call_id }) => (type === 'local_shell_call' && id ? [[id, asText(call_id) ?? '']] : [])),
  )

const roles: Record<string, Message['role']> = { system: 'system', developer: 'system', user: 'user' }

function readOther(item: JsonObject): Message {
  const role = roles[asText(item.role) ?? ''] ?? invalid('a message has no role')
  return { role, content: readContent(item.content) }
}

function readAnswer(
  { call_id, id }: JsonObject,
  { output, failed }: NonNullable<ReturnType<typeof getCallOutput>>,
  callIds: ReadonlyMap<unknown, string>,
): Message {
  const tool_call_id = asText(call_id) ?? callIds.get(id) ?? asText(id) ?? ''
  return { role: 'tool', content: readContent(output), tool_call_id, ...(failed ? { failed } : {}) }
}

function readCall(item: JsonObject): ToolCall | undefined {
  const json = getCallArguments(item)
  if (json === undefined) return undefined
  const name =
    asText(item.name) ?? (item.type === 'function_call' ? '' : (asText(item.type) ?? '').replace(/_call$/, ''))
  const id = asText(item.call_id) ?? asText(item.id) ?? ''
  return { id, name: flattenToolName(asText(item.namespace), name), arguments: json }
}

function readContent(content: unknown): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  return (asList(content) ?? invalid('content must be a text or a list of parts')).map(readPart)
}

function readPart(part: unknown): ContentPart {
  const member = (key: string) => asText(getMember(part, key))
  const type = member('type')
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: member('text') ?? '' }
    case 'refusal':
      return { type: 'text', text: member('refusal') ?? '' }
    case 'input_image': {
      const [url = '', file_id] = [member('image_url'), member('file_id')]
      if (url === '' && file_id === undefined) invalid('an image has no url')
      return omitUndefinedMembers({ type: 'image', url, detail: member('detail'), file_id })
    }
    case 'input_audio': {
      const sound = getMember(part, 'input_audio')
      const data = asText(getMember(sound, 'data')) ?? invalid('a piece of audio has no data')
      return { type: 'audio', data, format: asText(getMember(sound, 'format')) ?? 'wav' }
    }
    case 'input_file': {
      const data = member('file_data')
      const inline = data?.startsWith('data:') ? { url: data } : { data, url: member('file_url') }
      return omitUndefinedMembers({ type: 'file', ...inline, file_id: member('file_id'), filename: member('filename') })
    }
    default:
      return invalid('unknown content part')
  }
}

/** Writes a message as items and reports unsupported fields to `drop`. */
export function writeMessageItems(message: Message, drop: (field: string) => void): JsonObject[] {
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
      // The provider looks up reasoning without encrypted content among its stored items.
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
      return {
        type: 'input_image',
        image_url: part.url === '' ? undefined : part.url,
        detail: part.detail,
        file_id: part.file_id,
      }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
    case 'file': {
      const { url, data, media_type, file_id, filename } = part
      const inline = url?.startsWith('data:') ? url : data && media_type ? `data:${media_type};base64,${data}` : data
      return { type: 'input_file', file_data: inline, file_url: inline ? undefined : url, file_id, filename }
    }
  }
}
