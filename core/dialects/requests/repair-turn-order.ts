// Puts the conversation of a request that stays in its format into the order that the format requires.
import type { Dialect } from '../dialect.ts'
import { asList, getMember, asObject, parseJsonBytes } from '../json/json-value.ts'
import type { ModelPatch } from '../reasoning/model-fit.ts'
import type { RequestPlace } from '../model-request.ts'
import { orderRequestMessages } from './turn-order.ts'

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
