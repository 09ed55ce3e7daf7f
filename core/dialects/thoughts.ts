// Writes the thoughts of earlier turns as each provider wants them: some refuse a request that has them, some refuse one
// without.
import type { ThoughtsWord } from './family-row.ts'
import { readElements, isListAt, isObjectAt, jsonBytes, scanMembers, parseValue, type Member } from './json-bytes.ts'
import { cutsAmong, spliceRanges, type Splice } from './json-cuts.ts'
import type { Message, ModelRequest, WrittenRequest } from './model-request.ts'

const LOST = 'reasoning_content'

/**
 * A translated request with the thoughts that are wanted of its turns, for OpenAI's Chat: an empty one stands for what is
 * not there any more.
 */
export function withThoughts(request: ModelRequest, word: ThoughtsWord): ModelRequest {
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

/** The members in which servers of OpenAI's Chat carry the thoughts of a message. */
const NAMES = new Set([LOST, 'reasoning', 'reasoning_details', 'reasoning_signature'])

/** The same in a Chat request's own bytes; a thought under another name gets the one that is wanted. */
export function withThoughtsSpliced(body: Uint8Array, word: ThoughtsWord): WrittenRequest {
  const splices: Splice[] = []
  let lost = false
  for (const { start, members } of word === 'takes' ? [] : assistantsIn(body)) {
    const said = (key: string) => members.findLast((one) => one.key === key)
    if (word === 'refuses') {
      const ranges = members.map(({ key_start, end }) => ({ start: key_start, end }))
      const cuts = cutsAmong(ranges, (index) => NAMES.has(members[index]!.key))
      lost ||= cuts.length > 0
      splices.push(...cuts)
      continue
    }
    const calls = said('tool_calls')
    if (!calls || !isListAt(body, calls.start) || readElements(body, calls.start).length === 0) continue
    const content = said(LOST)
    if (content && isText(body, content)) continue
    const other = said('reasoning')
    const put = other && isText(body, other) ? body.subarray(other.start, other.end) : jsonBytes('')
    // A message has members: that of its role is one.
    if (content) splices.push({ start: content.start, end: content.end, put })
    else splices.push({ start: start + 1, end: start + 1, put: jsonMember(LOST, put) })
  }
  return { body: spliceRanges(body, splices), dropped: lost ? [LOST] : [] }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const jsonMember = (name: string, value: Uint8Array): Uint8Array =>
  encoder.encode(`"${name}":${decoder.decode(value)},`)

const QUOTE = 0x22
const isText = (body: Uint8Array, { start }: Member): boolean => body[start] === QUOTE

/** The assistant's messages in a body's own bytes. */
function assistantsIn(body: Uint8Array): ReturnType<typeof scanMembers>[] {
  const list = scanMembers(body).members.findLast(({ key }) => key === 'messages')
  if (!list || !isListAt(body, list.start)) return []
  return readElements(body, list.start)
    .filter(({ start }) => isObjectAt(body, start))
    .map(({ start }) => scanMembers(body, start))
    .filter(({ members }) => members.some((one) => one.key === 'role' && parseValue(body, one) === 'assistant'))
}
