// Answers that Weir keeps in their provider's stead: what is kept of one, and how a later request goes on with it.
import { fail } from '../../errors.ts'
import { changeMembers, jsonBytes, readMember } from '../json-bytes.ts'
import { createFrameParser } from '../frames.ts'
import { asList, getMember, asObject, parsed, parsedBytes, asText, type JsonObject } from '../json-value.ts'
import { continuedItems } from './trigger.ts'

/** An answer with all that led to it: each stands for itself, whatever becomes of those before it. */
export interface KeptAnswer {
  /** The conversation before the answer, every item with an id. */
  input: JsonObject[]
  /** The response object as its caller saw it. */
  response: JsonObject
}

/** Letters and digits of an id that we give. */
const ID_LENGTH = 32

/** A new id for an answer; `text` gives so many letters and digits that nobody can guess. */
export const freshId = (text: (length: number) => string): string => `resp_${text(ID_LENGTH)}`

const OWN_ITEM = new RegExp(String.raw`^[a-z]+_(resp_[0-9A-Za-z]{${ID_LENGTH}})_i?\d+$`)

/** The answer with which an item is kept: the ids of items that we made tell. Undefined of other ids. */
export const answerOfItem = (itemId: string): string | undefined => OWN_ITEM.exec(itemId)?.[1]

/** How ids of items begin, by their type. */
const PREFIXES: Record<string, string> = { message: 'msg', reasoning: 'rs', function_call: 'fc' }

/** What is kept of an answer: `end` is its body, or the last of its stream. Undefined where it did not come to its end. */
export function keptAnswer(request: Uint8Array, end: Uint8Array, streamed: boolean): KeptAnswer | undefined {
  const whole = readAnswer(request, end, streamed)
  const id = asText(whole?.response.id) ?? ''
  return whole && { ...whole, input: whole.input.map((item, place) => named(item, id, place)) }
}

/** An answer with the items of its request, unchanged. Undefined if the answer is not complete. */
export function readAnswer(request: Uint8Array, end: Uint8Array, streamed: boolean): KeptAnswer | undefined {
  const response = asObject(streamed ? lastResponse(end) : parsedBytes(end))
  return response && asText(response.id) !== undefined ? { input: readItems(request), response } : undefined
}

function lastResponse(end: Uint8Array): unknown {
  const frames = createFrameParser()
  const [last] = [...frames.push(end), ...frames.end()].slice(-1)
  return getMember(parsed(last?.data ?? ''), 'response')
}

const named = (item: JsonObject, answer: string, place: number): JsonObject => {
  const type = asText(item.type) ?? 'message'
  return asText(item.id) ? { ...item, type } : { id: `${PREFIXES[type] ?? 'item'}_${answer}_i${place}`, ...item, type }
}

/** The items of a request's input; a text is a message of the user's. */
export function readItems(request: Uint8Array): JsonObject[] {
  const input = readMember(request, 'input')
  if (typeof input !== 'string') return (asList(input) ?? []).map((item) => asObject(item) ?? {})
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
}

/** The ids of kept items that a request's input stands on. */
export const findItemReferences = (request: Uint8Array): string[] =>
  readItems(request).flatMap((item) => (isReference(item) ? [asText(item.id) ?? ''] : []))

export const isReference = ({ type }: JsonObject): boolean => type === 'item_reference'

/**
 * The request with the kept conversation before its own input, and with items in place of what refers to them.
 * @param continues the answer before the kept conversation, where its provider keeps it
 * @throws GatewayError response.no_call
 */
export function continueConversation(
  request: Uint8Array,
  previous: KeptAnswer | undefined,
  items: Map<string, JsonObject>,
  continues?: string,
) {
  const own = readItems(request).map((item) => (isReference(item) && items.get(String(item.id))) || item)
  const all = previous ? [...continuedItems(previous.input), ...outputOf(previous), ...own] : own
  if (previous && continues === undefined) refuseResultsWithoutCall(all)
  const before = continues === undefined ? null : jsonBytes(continues)
  return changeMembers(
    request,
    new Map([['input', jsonBytes(all)], ...(previous ? [['previous_response_id', before] as const] : [])]),
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

const outputOf = ({ response }: KeptAnswer): JsonObject[] =>
  (asList(response.output) ?? []).map((item) => asObject(item) ?? {})

/** An item of a kept answer or of the conversation before it. */
export const itemOf = (kept: KeptAnswer, id: string): JsonObject | undefined =>
  [...kept.input, ...outputOf(kept)].find((item) => item.id === id)

const LIMIT = 20
const MOST = 100

/** One page of what led to an answer: the newest first, unless asked otherwise. Undefined where `after` is none of it. */
export function inputPage({ input }: KeptAnswer, query: URLSearchParams): JsonObject | undefined {
  const all = query.get('order') === 'asc' ? input : input.toReversed()
  const after = query.get('after')
  const before = after ? all.findIndex(({ id }) => id === after) : -1
  if (after && before < 0) return undefined
  const limit = Math.min(MOST, Math.max(1, Math.trunc(Number(query.get('limit') ?? LIMIT)) || LIMIT))
  const data = all.slice(before + 1, before + 1 + limit).map(shown)
  const has_more = before + 1 + limit < all.length
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more }
}

/** As the list tells items: texts in parts, and done. */
function shown(item: JsonObject): JsonObject {
  if (item.type !== 'message') return item
  const type = item.role === 'assistant' ? 'output_text' : 'input_text'
  const content = typeof item.content === 'string' ? [{ type, text: item.content }] : item.content
  return { status: 'completed', ...item, content }
}
