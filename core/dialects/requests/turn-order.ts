// Orders the messages of a conversation as the target format requires. Callers send calls and their results in other
// orders, with reasoning or text between the calls of one turn, or results after the next message.
import type { Message, ModelRequest, RequestPlace, ToolCall } from '../model-request.ts'
import type { Dialect } from '../dialect.ts'
import { asList, asObject, getMember, parseJsonBytes } from '../json/json-value.ts'
import type { ModelPatch } from '../reasoning/model-fit.ts'

/** The rules of one format. All formats require a single result per call, directly after it. */
interface TurnRules {
  /** `one message`: consecutive calls of the model are one message. `one turn`: neighbors of one side are one turn. */
  calls: 'one message' | 'one turn'
}

/**
 * OpenAI: every call is answered before the next message. Anthropic and Google: sides alternate, and results come
 * first.
 */
const RULES: Readonly<Record<string, TurnRules>> = {
  'openai-chat': { calls: 'one message' },
  'openai-responses': { calls: 'one turn' },
  'anthropic-messages': { calls: 'one turn' },
  'gemini-generate': { calls: 'one turn' },
}

/** Formats of a single provider resemble chat. */
const USUAL: TurnRules = { calls: 'one message' }

/** The text that replaces a missing result. No format accepts a call without one. */
const UNANSWERED = 'This call was not answered.'

/** Returns the request with its messages in the order that a format requires; the same object if they are already. */
export function orderRequestMessages(request: ModelRequest, format: string): ModelRequest {
  const { messages } = request
  if (!messages.some(({ role, tool_calls }) => role === 'tool' || tool_calls?.length)) return request
  const ordered = orderedTurns(messages, RULES[format] ?? USUAL)
  const same = ordered.length === messages.length && ordered.every((message, at) => message === messages[at])
  return same ? request : { ...request, messages: ordered }
}

function orderedTurns(messages: readonly Message[], rules: TurnRules): Message[] {
  const { answers, others } = matchAnswers(messages)
  const ordered: Message[] = []
  /** Consecutive messages of the model. */
  let turn: Message[] = []

  function close(): void {
    const calls = turn.flatMap(({ tool_calls = [] }) => tool_calls)
    const joined = rules.calls === 'one message' && calls.length > 0
    ordered.push(
      ...(joined ? [joinedMessage(turn)] : turn),
      ...calls.map((call) => answers.get(call) ?? unanswered(call)),
    )
    turn = []
  }

  for (const message of messages) {
    if (message.role === 'assistant') {
      turn.push(message)
      continue
    }
    close()
    if (message.role !== 'tool') ordered.push(message)
    else if (others.has(message)) ordered.push(asWords(message))
  }
  close()
  return ordered
}

const unanswered = ({ id, name }: ToolCall): Message => ({
  role: 'tool',
  tool_call_id: id,
  name,
  content: [{ type: 'text', text: UNANSWERED }],
})

/** Turns a result without a call into user text. */
const asWords = ({ content }: Message): Message => ({ role: 'user', content })

function joinedMessage(turn: readonly Message[]): Message {
  const [only] = turn
  if (only && turn.length === 1) return only
  const reasoning = turn.flatMap((message) => message.reasoning ?? [])
  return {
    role: 'assistant',
    ...(only?.name === undefined ? {} : { name: only.name }),
    content: turn.flatMap(({ content }) => content),
    tool_calls: turn.flatMap(({ tool_calls = [] }) => tool_calls),
    ...(reasoning.length > 0 ? { reasoning } : {}),
  }
}

/** A call that waits for its result, and its message. */
interface Waiting {
  call: ToolCall
  from: Message
}

/**
 * Matches results with calls, and collects results without a call. A result belongs to the latest turn with an open
 * call of its id: some clients count their calls from 0 in every turn.
 */
function matchAnswers(messages: readonly Message[]): { answers: Map<ToolCall, Message>; others: Set<Message> } {
  const answers = new Map<ToolCall, Message>()
  const others = new Set<Message>()
  const waiting: Waiting[] = []
  const answered = new Map<string, ToolCall>()

  function answer(at: number, message: Message): void {
    const [found] = waiting.splice(at, 1)
    if (!found) return
    const { call } = found
    answers.set(call, message.tool_call_id === call.id ? message : { ...message, tool_call_id: call.id })
    answered.set(call.id, call)
  }

  for (const message of messages) {
    for (const call of message.tool_calls ?? []) waiting.push({ call, from: message })
    if (message.role !== 'tool') continue
    const id = message.tool_call_id
    const latest = waiting.findLast(({ call }) => !id || call.id === id)
    const again = latest ? undefined : answered.get(id ?? '')
    const first = again && answers.get(again)
    if (latest)
      answer(
        waiting.findIndex(({ call, from }) => from === latest.from && (!id || call.id === id)),
        message,
      )
    else if (again && first) answers.set(again, { ...first, content: [...first.content, ...message.content] })
    else others.add(message)
  }
  // Some clients send a result before its call.
  for (const message of [...others]) {
    const at = waiting.findIndex(({ call }) => call.id === message.tool_call_id)
    if (at < 0) continue
    others.delete(message)
    answer(at, message)
  }
  return { answers, others }
}

// Puts the conversation of a request that stays in its format into the order that the format requires.

/** The member of a request with its conversation. Responses accepts its items in any order. */
const MEMBERS: Readonly<Record<string, string>> = {
  'openai-chat': 'messages',
  'anthropic-messages': 'messages',
  'gemini-generate': 'contents',
}

/** Returns the changes to a request in this format; none if its order is right. */
export function repairTurnOrder(body: Uint8Array, dialect: Dialect, place: RequestPlace | undefined): ModelPatch {
  const member = MEMBERS[dialect.name]
  if (member === undefined) return { override: {}, lost: [] }
  const request = dialect.readModelRequest(body, place)
  const ordered = orderRequestMessages(request, dialect.name)
  const conversation = getMember(parseJsonBytes(body), member)
  if (ordered === request && (dialect.name === 'openai-chat' || takesTurns(conversation)))
    return { override: {}, lost: [] }
  const written = dialect.writeModelRequest(ordered)
  const { [member]: turns } = asObject(parseJsonBytes(written.body)) ?? {}
  return { override: { [member]: turns }, lost: [...(request.lost ?? []), ...written.dropped] }
}

/** Do the roles alternate, with tool results before text? */
function takesTurns(messages: unknown): boolean {
  const list = asList(messages) ?? []
  return list.every((message, at) => {
    const types = (asList(getMember(message, 'content')) ?? []).map((block) => getMember(block, 'type'))
    const words = types.findIndex((type) => type !== 'tool_result')
    const inOrder = words < 0 || !types.includes('tool_result', words)
    return inOrder && getMember(message, 'role') !== getMember(list[at - 1], 'role')
  })
}
