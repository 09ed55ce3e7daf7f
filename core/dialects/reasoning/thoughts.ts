// Writes the reasoning of earlier turns as each provider requires it: some refuse a request with reasoning, some one
// without.
import type { ReasoningRule } from './family-row.ts'
import type { JsonMember, ByteSplice } from '../json/json-bytes.ts'
import {
  readElements,
  isListAt,
  isObjectAt,
  toJsonBytes,
  scanObjectMembers,
  parseJsonRange,
  findCuts,
  applyByteSplices,
} from '../json/json-bytes.ts'
import type { Message, ModelRequest, WrittenRequest } from '../model-request.ts'

const LOST = 'reasoning_content'

/**
 * Returns a translated request with the reasoning that OpenAI-like servers require in its turns: an empty one replaces
 * what is missing.
 */
export function fitReasoning(request: ModelRequest, word: ReasoningRule): ModelRequest {
  if (word === 'takes') return request
  let lost = false
  const messages = request.messages.map((message): Message => {
    if (message.role !== 'assistant') return message
    const { reasoning, ...rest } = message
    if (word === 'refuses') {
      if (reasoning?.length) lost = true
      return reasoning ? rest : message
    }
    const readable = reasoning?.some(({ redacted }) => !redacted) ?? false
    return readable || !message.tool_calls?.length
      ? message
      : { ...message, reasoning: [...(reasoning ?? []), { text: '' }] }
  })
  return { ...request, messages, ...(lost ? { lost: [...(request.lost ?? []), LOST] } : {}) }
}

/** The members with a message's reasoning on servers of OpenAI's chat format. */
const NAMES = new Set([LOST, 'reasoning', 'reasoning_details', 'reasoning_signature'])

/** Does the same in a chat request's own bytes; reasoning under another name is renamed. */
export function fitReasoningBytes(body: Uint8Array, word: ReasoningRule): WrittenRequest {
  const splices: ByteSplice[] = []
  let lost = false
  for (const { start, members } of word === 'takes' ? [] : listAssistantMessages(body)) {
    const findMember = (key: string) => members.findLast((one) => one.key === key)
    if (word === 'refuses') {
      const ranges = members.map(({ key_start, end }) => ({ start: key_start, end }))
      const cuts = findCuts(ranges, (index) => NAMES.has(members[index]!.key))
      lost ||= cuts.length > 0
      splices.push(...cuts)
      continue
    }
    const calls = findMember('tool_calls')
    if (!calls || !isListAt(body, calls.start) || readElements(body, calls.start).length === 0) continue
    const content = findMember(LOST)
    if (content && isText(body, content)) continue
    const other = findMember('reasoning')
    const put = other && isText(body, other) ? body.subarray(other.start, other.end) : toJsonBytes('')
    // A message has at least its role, so a comma is always needed.
    if (content) splices.push({ start: content.start, end: content.end, put })
    else splices.push({ start: start + 1, end: start + 1, put: jsonMember(LOST, put) })
  }
  return { body: applyByteSplices(body, splices), dropped: lost ? [LOST] : [] }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const jsonMember = (name: string, value: Uint8Array): Uint8Array =>
  encoder.encode(`"${name}":${decoder.decode(value)},`)

const QUOTE = 0x22
const isText = (body: Uint8Array, { start }: JsonMember): boolean => body[start] === QUOTE

/** Returns the assistant's messages in a body's bytes. */
function listAssistantMessages(body: Uint8Array): ReturnType<typeof scanObjectMembers>[] {
  const list = scanObjectMembers(body).members.findLast(({ key }) => key === 'messages')
  if (!list || !isListAt(body, list.start)) return []
  return readElements(body, list.start)
    .filter(({ start }) => isObjectAt(body, start))
    .map(({ start }) => scanObjectMembers(body, start))
    .filter(({ members }) => members.some((one) => one.key === 'role' && parseJsonRange(body, one) === 'assistant'))
}
