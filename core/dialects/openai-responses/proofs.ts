// A request of this format with the proofs alone that its provider takes, and all else as it came.
import type { ProofOf, WrittenRequest } from '../model-request.ts'
import { withMember } from '../json-bytes.ts'
import { asList, asObject, asText, type JsonObject } from '../json-value.ts'
import { REDACTED } from './extras.ts'
import { answerOfItem } from './kept.ts'

/** Items that stand for themselves: the provider looks for those with ids among what it keeps. */
const NEEDS_NO_ID = new Set<unknown>([undefined, 'message', 'reasoning', 'function_call', 'custom_tool_call'])

export function withProofs(body: Uint8Array, proofOf: ProofOf): WrittenRequest {
  const lost = new Set<string>()
  const changed = withMember(body, 'input', (input) =>
    Array.isArray(input)
      ? input.flatMap((item) => itemOf(asObject(item) ?? {}, proofOf, (field) => void lost.add(field)))
      : input,
  )
  return { body: changed, dropped: [...lost] }
}

function itemOf({ id, ...item }: JsonObject, proofOf: ProofOf, lose: (field: string) => void): JsonObject[] {
  const ours = NEEDS_NO_ID.has(item.type) || answerOfItem(asText(id) ?? '') !== undefined
  const named = ours || id === undefined ? item : { id, ...item }
  if (item.type !== 'reasoning') return [named]
  const sealed = asText(item.encrypted_content)
  const proof = sealed === undefined || sealed.startsWith(REDACTED) ? undefined : proofOf(sealed)
  // A thought that is not sealed is looked for among those that the provider has kept.
  if (proof === undefined)
    lose(sealed === undefined || asList(item.summary)?.length ? 'reasoning_content' : 'reasoning_signature')
  return proof === undefined ? [] : [{ ...item, summary: asList(item.summary) ?? [], encrypted_content: proof }]
}
