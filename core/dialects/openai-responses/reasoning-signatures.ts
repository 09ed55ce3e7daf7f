// Rewrites a request of this format so that it has only the reasoning signatures that its provider accepts. Everything
// else is unchanged.
import type { ConvertSignature, WrittenRequest } from '../model-request.ts'
import { changeTopMember } from '../json/json-bytes.ts'
import { asList, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { REDACTED_REASONING_PREFIX } from './extras.ts'
import { findItemAnswer } from './stored-answer.ts'

/** Types of items that are complete without an id: the provider looks up items with ids in its storage. */
const NEEDS_NO_ID = new Set<unknown>([undefined, 'message', 'reasoning', 'function_call', 'custom_tool_call'])

export function convertReasoningSignatures(body: Uint8Array, proofOf: ConvertSignature): WrittenRequest {
  const lost = new Set<string>()
  const changed = changeTopMember(body, 'input', (input) =>
    Array.isArray(input)
      ? input.flatMap((item) => filterItem(asObject(item) ?? {}, proofOf, (field) => void lost.add(field)))
      : input,
  )
  return { body: changed, dropped: [...lost] }
}

function filterItem(
  { id, ...item }: JsonObject,
  proofOf: ConvertSignature,
  lose: (field: string) => void,
): JsonObject[] {
  const keepsNoId = NEEDS_NO_ID.has(item.type) || findItemAnswer(asText(id) ?? '') !== undefined
  const named = keepsNoId || id === undefined ? item : { id, ...item }
  if (item.type !== 'reasoning') return [named]
  const sealed = asText(item.encrypted_content)
  const proof = sealed === undefined || sealed.startsWith(REDACTED_REASONING_PREFIX) ? undefined : proofOf(sealed)
  // The provider looks up reasoning without encrypted content among its stored items.
  if (proof === undefined)
    lose(sealed === undefined || asList(item.summary)?.length ? 'reasoning_content' : 'reasoning_signature')
  return proof === undefined ? [] : [{ ...item, summary: asList(item.summary) ?? [], encrypted_content: proof }]
}
