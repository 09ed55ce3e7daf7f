// Changes the caller's own bytes for a provider of the same format.
import type { RequestBytes } from '../../ports/upstream.ts'
import type { ModelNameSuffixes, ConvertSignature, WrittenRequest } from '../model-request.ts'
import { toJsonBytes, readTopMember, readTopMembers, changeTopMembers } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, asFiniteNumber, asObject, asText, getMember, parseJsonBytes } from '../json/json-value.ts'
import { patchBody, type RequestChange, prependPrompt, type SystemPrompt } from '../requests/patch.ts'
import { buildThinkingFields, getDefaultTokenLimit, usesReasoningEffort } from './thinking.ts'
import { isForeignSearch } from './usage.ts'
import { toSafeId } from './write-blocks.ts'

/**
 * Like `patchBody`. Also sets the fields that the model name implies where the caller sets none, and the limit, which
 * this format requires.
 * @throws GatewayError request.unreadable if the bytes are not an object
 */
export const patchRequestBody = (body: Uint8Array, change: RequestChange): RequestBytes =>
  patchBody(body, change, (_, changes) => {
    if (change.system && !changes.has('system')) say(body, changes, change.system)
    if (!change.implied) return
    const set = (fields: JsonObject) => {
      for (const [key, value] of Object.entries(fields)) {
        if (!changes.has(key)) changes.set(key, value === null ? null : toJsonBytes(value))
      }
    }
    set(impliedFields(body, change, change.implied))
  })

/** Prepends the operator's system prompt to the caller's. */
function say(body: Uint8Array, changes: Map<string, Uint8Array | null>, { text, always }: SystemPrompt): void {
  const own = readTopMember(body, 'system')
  const parts = asList(own)
  const hasSystem = parts ? parts.length > 0 : asText(own) !== undefined
  if (hasSystem && !always) return
  const block = { type: 'text', text: hasSystem ? prependPrompt(text, '') : text }
  changes.set('system', toJsonBytes(parts ? [block, ...parts] : hasSystem ? prependPrompt(text, String(own)) : text))
}

function impliedFields(body: Uint8Array, { model, head }: RequestChange, implied: ModelNameSuffixes): JsonObject {
  const callerFields = readTopMembers(body, ['max_tokens', 'thinking', 'output_config'])
  const given = asFiniteNumber(callerFields.max_tokens)
  const limit = given ?? implied.max_tokens ?? getDefaultTokenLimit(model, head.prompt_estimate)
  const filled = given === undefined ? { max_tokens: limit } : {}
  const thinks = implied.reasoning_effort !== undefined || implied.reasoning_budget !== undefined
  if (!thinks || callerFields.thinking !== undefined) return filled
  const fields = buildThinkingFields(model, implied, limit)
  if (!fields) return filled
  return {
    ...filled,
    ...(fields.max_tokens === limit ? {} : { max_tokens: fields.max_tokens }),
    thinking: fields.thinking,
    ...(fields.effort ? { output_config: { ...asObject(callerFields.output_config), effort: fields.effort } } : {}),
    // A model that thinks takes no sampling parameters.
    temperature: null,
    top_p: null,
    top_k: null,
  }
}

// Rewrites a request of this format so that it has only the reasoning signatures that its provider accepts. Everything
// else is unchanged.

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
