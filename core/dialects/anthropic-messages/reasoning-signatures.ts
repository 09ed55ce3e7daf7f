// Rewrites a request of this format so that it has only the reasoning signatures that its provider accepts. Everything
// else is unchanged.
import type { ConvertSignature, WrittenRequest } from '../model-request.ts'
import { changeTopMembers, toJsonBytes } from '../json/json-bytes.ts'
import { asList, getMember, asObject, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import { isForeignSearch } from './usage.ts'
import { usesReasoningEffort } from './thinking.ts'
import { toSafeId } from './write-blocks.ts'

type ReportLost = (field: string) => void

/** Drops reasoning of other vendors and rewrites ids that Claude would refuse. */
export function convertReasoningSignatures(body: Uint8Array, proofOf: ConvertSignature, model: string): WrittenRequest {
  const lost = new Set<string>()
  const request = asObject(parseJsonBytes(body)) ?? {}
  const messages = (asList(request.messages) ?? []).flatMap((message) =>
    filterMessage(asObject(message) ?? {}, proofOf, (field) => void lost.add(field)),
  )
  const changes = new Map<string, Uint8Array | null>([['messages', toJsonBytes(messages)]])
  // Older models cannot continue thinking between tool calls if the reasoning before them is missing.
  const thinks = getMember(request.thinking, 'type') === 'enabled' && !usesReasoningEffort(model)
  if (thinks && answersUnproven(messages)) {
    changes.set('thinking', null)
    lost.add('thinking')
  }
  return { body: changeTopMembers(body, changes), dropped: [...lost] }
}

function filterMessage(message: JsonObject, proofOf: ConvertSignature, lose: ReportLost): JsonObject[] {
  const blocks = asList(message.content)
  if (!blocks) return [message]
  const content = blocks.flatMap((block) => filterBlock(asObject(block) ?? {}, proofOf, lose))
  // An empty turn is refused.
  return content.length > 0 || blocks.length === 0 ? [{ ...message, content }] : []
}

function filterBlock(block: JsonObject, proofOf: ConvertSignature, lose: ReportLost): JsonObject[] {
  switch (block.type) {
    case 'thinking': {
      const signature = convertSignature(block.signature, proofOf)
      if (signature === undefined) lose(block.signature ? 'reasoning_signature' : 'reasoning_content')
      return signature === undefined ? [] : [{ ...block, signature }]
    }
    case 'redacted_thinking': {
      const data = convertSignature(block.data, proofOf)
      if (data === undefined) lose('redacted_thinking')
      return data === undefined ? [] : [{ ...block, data }]
    }
    case 'tool_use':
      return [{ ...block, id: toSafeId(asText(block.id) ?? '') }]
    case 'tool_result':
      return [{ ...block, tool_use_id: toSafeId(asText(block.tool_use_id) ?? '') }]
    case 'server_tool_use':
    case 'web_search_tool_result':
      if (!isForeignSearch(block)) return [block]
      lose('web_search_tool_result')
      return []
    default:
      return [block]
  }
}

const convertSignature = (proof: unknown, proofOf: ConvertSignature): string | undefined =>
  typeof proof === 'string' && proof !== '' ? proofOf(proof) : undefined

const listBlockTypes = (message: JsonObject | undefined): unknown[] =>
  (asList(message?.content) ?? []).map((block) => getMember(block, 'type'))

/** Does the last message answer tool calls that no reasoning preceded? */
function answersUnproven(messages: readonly JsonObject[]): boolean {
  const calling = messages.findLast(({ role }) => role === 'assistant')
  const thought = listBlockTypes(calling).some((type) => type === 'thinking' || type === 'redacted_thinking')
  return listBlockTypes(messages.at(-1)).includes('tool_result') && !thought
}
