// Answers that Weir stores instead of their provider: the stored data of one, and how a later request continues it.
import { fail } from '../../errors.ts'
import { changeTopMembers, toJsonBytes, readTopMember } from '../json/json-bytes.ts'
import { createFrameParser } from '../answers/frames.ts'
import { asList, getMember, asObject, parseJson, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'

/** An answer with its whole conversation: it does not depend on the stored answers before it. */
export interface StoredConversation {
  /** The conversation before the answer, every item with an id. */
  input: JsonObject[]
  /** The response object as its caller saw it. */
  response: JsonObject
}

/** Length of the random part of our ids, in letters and digits. */
const ID_LENGTH = 32

/** Creates an id for an answer; `text` returns this many unguessable letters and digits. */
export const createAnswerId = (text: (length: number) => string): string => `resp_${text(ID_LENGTH)}`

const OWN_ITEM = new RegExp(String.raw`^[a-z]+_(resp_[0-9A-Za-z]{${ID_LENGTH}})_i?\d+$`)

/** Returns the id of the answer that an item is stored with: our item ids include it. undefined for other ids. */
export const findItemAnswer = (itemId: string): string | undefined => OWN_ITEM.exec(itemId)?.[1]

/** Prefixes of item ids, by type. */
const PREFIXES: Record<string, string> = { message: 'msg', reasoning: 'rs', function_call: 'fc' }

/**
 * Returns the stored form of an answer: `end` is its body, or the last bytes of its stream. undefined if it is not
 * complete.
 */
export function buildStoredAnswer(
  request: Uint8Array,
  end: Uint8Array,
  streamed: boolean,
): StoredConversation | undefined {
  const whole = readStoredAnswer(request, end, streamed)
  const id = asText(whole?.response.id) ?? ''
  return whole && { ...whole, input: whole.input.map((item, place) => named(item, id, place)) }
}

/** Returns an answer with the items of its request, unchanged; undefined if the answer is not complete. */
export function readStoredAnswer(
  request: Uint8Array,
  end: Uint8Array,
  streamed: boolean,
): StoredConversation | undefined {
  const response = asObject(streamed ? lastResponse(end) : parseJsonBytes(end))
  return response && asText(response.id) !== undefined ? { input: readConversationItems(request), response } : undefined
}

function lastResponse(end: Uint8Array): unknown {
  const frames = createFrameParser()
  const [last] = [...frames.push(end), ...frames.end()].slice(-1)
  return getMember(parseJson(last?.data ?? ''), 'response')
}

const named = (item: JsonObject, answer: string, place: number): JsonObject => {
  const type = asText(item.type) ?? 'message'
  return asText(item.id) ? { ...item, type } : { id: `${PREFIXES[type] ?? 'item'}_${answer}_i${place}`, ...item, type }
}

/** Returns the items of a request's input; a text is a user message. */
export function readConversationItems(request: Uint8Array): JsonObject[] {
  const input = readTopMember(request, 'input')
  if (typeof input !== 'string') return (asList(input) ?? []).map((item) => asObject(item) ?? {})
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
}

/** Returns the ids of stored items that a request's input refers to. */
export const findItemReferences = (request: Uint8Array): string[] =>
  readConversationItems(request).flatMap((item) => (isReference(item) ? [asText(item.id) ?? ''] : []))

export const isReference = ({ type }: JsonObject): boolean => type === 'item_reference'

/**
 * Prepends the stored conversation to the request's input, and replaces references by their items.
 * @param continues id of the answer before the stored conversation, if its provider stores it
 * @throws GatewayError response.no_call
 */
export function prependStoredConversation(
  request: Uint8Array,
  previous: StoredConversation | undefined,
  items: Map<string, JsonObject>,
  continues?: string,
) {
  const own = readConversationItems(request).map((item) => (isReference(item) && items.get(String(item.id))) || item)
  const all = previous ? [...listContinuedItems(previous.input), ...listOutput(previous), ...own] : own
  if (previous && continues === undefined) refuseResultsWithoutCall(all)
  const before = continues === undefined ? null : toJsonBytes(continues)
  return changeTopMembers(
    request,
    new Map([['input', toJsonBytes(all)], ...(previous ? [['previous_response_id', before] as const] : [])]),
  )
}

/** @throws GatewayError response.no_call for the result of a call that the whole conversation does not contain */
function refuseResultsWithoutCall(items: readonly JsonObject[]): void {
  const isResult = ({ type }: JsonObject) => asText(type)?.endsWith('_output') === true
  const calls = new Set(items.flatMap((item) => (isResult(item) ? [] : [item.call_id, item.id])))
  for (const item of items) {
    const id = asText(item.call_id)
    if (id !== undefined && isResult(item) && !calls.has(id)) fail('response.no_call', { id })
  }
}

const listOutput = ({ response }: StoredConversation): JsonObject[] =>
  (asList(response.output) ?? []).map((item) => asObject(item) ?? {})

/** Finds an item of a stored answer or of the conversation before it. */
export const findStoredItem = (stored: StoredConversation, id: string): JsonObject | undefined =>
  [...stored.input, ...listOutput(stored)].find((item) => item.id === id)

const LIMIT = 20
const MOST = 100

/**
 * Returns one page of the input items of an answer: the newest first, unless requested otherwise. undefined if `after`
 * is not among them.
 */
export function buildInputPage({ input }: StoredConversation, query: URLSearchParams): JsonObject | undefined {
  const all = query.get('order') === 'asc' ? input : input.toReversed()
  const after = query.get('after')
  const before = after ? all.findIndex(({ id }) => id === after) : -1
  if (after && before < 0) return undefined
  const limit = Math.min(MOST, Math.max(1, Math.trunc(Number(query.get('limit') ?? LIMIT)) || LIMIT))
  const data = all.slice(before + 1, before + 1 + limit).map(shown)
  const has_more = before + 1 + limit < all.length
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more }
}

/** Converts an item to its public form: texts as parts, with a status. */
function shown(item: JsonObject): JsonObject {
  if (item.type !== 'message') return item
  const type = item.role === 'assistant' ? 'output_text' : 'input_text'
  const content = typeof item.content === 'string' ? [{ type, text: item.content }] : item.content
  return { status: 'completed', ...item, content }
}

// The item `compaction_trigger` at the end of a conversation: it requests a summary of the conversation before it.

const isTrigger = ({ type }: JsonObject): boolean => type === 'compaction_trigger'

/** Is the answer to be the conversation, summed up? */
export const endsInCompactionTrigger = (items: readonly JsonObject[]): boolean =>
  items.length > 0 && isTrigger(items.at(-1)!)

/** The operator's words and tools that an item declares are never summed up. */
export const isSystem = ({ type, role }: JsonObject): boolean => {
  const kind = asText(type) ?? 'message'
  return kind === 'additional_tools' || (kind === 'message' && (role === 'system' || role === 'developer'))
}

/** The items that go on behind the answer: if that is a summary of all of them, the words of the system alone. */
const listContinuedItems = (items: JsonObject[]): JsonObject[] =>
  endsInCompactionTrigger(items) ? items.filter(isSystem) : items
