// Rewrites a request of this format so that it has only the reasoning signatures that Google accepts. Everything else
// is unchanged.
import type { ConvertSignature, WrittenRequest } from '../model-request.ts'
import { changeTopMember } from '../json/json-bytes.ts'
import { asList, asObject, type JsonObject } from '../json/json-value.ts'
import { getEitherSpelling } from './fields.ts'
import { SIGNATURE_PLACEHOLDER, findPartSignature } from './signature.ts'
import { signsToolCalls } from './write-contents.ts'

export function convertReasoningSignatures(body: Uint8Array, proofOf: ConvertSignature, model: string): WrittenRequest {
  const lost = new Set<string>()
  const proven = (proof: string): string | undefined => {
    const own = proofOf(proof)
    if (own === undefined) lost.add('reasoning_signature')
    return own
  }
  const changed = changeTopMember(body, 'contents', (contents) =>
    Array.isArray(contents)
      ? contents.flatMap((turn) => filterTurn(asObject(turn) ?? {}, proven, signsToolCalls(model)))
      : contents,
  )
  return { body: changed, dropped: [...lost] }
}

function filterTurn(turn: JsonObject, proofOf: ConvertSignature, signing: boolean): JsonObject[] {
  const all = asList(turn.parts)
  if (!all) return [turn]
  let first = true
  const parts = all.flatMap((each) => {
    const part = asObject(each) ?? {}
    const own = filterPart(part, proofOf)
    if (getEitherSpelling(part, 'functionCall') === undefined) return own
    // The first call of a turn is refused without a signature: a placeholder replaces one that is not Google's.
    const needsPlaceholder = signing && first
    first = false
    return own.map((call) =>
      needsPlaceholder && !call.thoughtSignature ? { ...call, thoughtSignature: SIGNATURE_PLACEHOLDER } : call,
    )
  })
  return parts.length > 0 || all.length === 0 ? [{ ...turn, parts }] : []
}

/**
 * Returns a part without a foreign signature; nothing if it had no other content, or was reasoning of another vendor.
 */
function filterPart(part: JsonObject, proofOf: ConvertSignature): JsonObject[] {
  const { thoughtSignature, thought_signature, ...rest } = part
  if ((thoughtSignature ?? thought_signature) === undefined) return [part]
  const proof = findPartSignature(part)
  if (proof === undefined) return [{ ...rest, thoughtSignature: SIGNATURE_PLACEHOLDER }]
  const signature = proofOf(proof)
  if (signature !== undefined) return [{ ...rest, thoughtSignature: signature }]
  const isThought = rest.thought === true || (rest.text === '' && Object.keys(rest).length === 1)
  return isThought ? [] : [rest]
}
