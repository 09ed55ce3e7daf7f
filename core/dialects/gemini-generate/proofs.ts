// Rewrites a request of this format so that it has only the reasoning signatures that Google accepts. Everything else
// is unchanged.
import type { ProofOf, WrittenRequest } from '../model-request.ts'
import { withMember } from '../json-bytes.ts'
import { asList, asObject, type JsonObject } from '../json-value.ts'
import { eitherField } from './fields.ts'
import { NO_SIGNATURE, findPartSignature } from './signature.ts'
import { signs } from './write-contents.ts'

export function withProofs(body: Uint8Array, proofOf: ProofOf, model: string): WrittenRequest {
  const lost = new Set<string>()
  const proven = (proof: string): string | undefined => {
    const own = proofOf(proof)
    if (own === undefined) lost.add('reasoning_signature')
    return own
  }
  const changed = withMember(body, 'contents', (contents) =>
    Array.isArray(contents)
      ? contents.flatMap((turn) => filterTurn(asObject(turn) ?? {}, proven, signs(model)))
      : contents,
  )
  return { body: changed, dropped: [...lost] }
}

function filterTurn(turn: JsonObject, proofOf: ProofOf, signing: boolean): JsonObject[] {
  const all = asList(turn.parts)
  if (!all) return [turn]
  let first = true
  const parts = all.flatMap((each) => {
    const part = asObject(each) ?? {}
    const own = filterPart(part, proofOf)
    if (eitherField(part, 'functionCall') === undefined) return own
    // The first call of a turn is refused without a signature: a placeholder replaces one that is not Google's.
    const needsPlaceholder = signing && first
    first = false
    return own.map((call) =>
      needsPlaceholder && !call.thoughtSignature ? { ...call, thoughtSignature: NO_SIGNATURE } : call,
    )
  })
  return parts.length > 0 || all.length === 0 ? [{ ...turn, parts }] : []
}

/**
 * Returns a part without a foreign signature; nothing if it had no other content, or was reasoning of another vendor.
 */
function filterPart(part: JsonObject, proofOf: ProofOf): JsonObject[] {
  const { thoughtSignature, thought_signature, ...rest } = part
  if ((thoughtSignature ?? thought_signature) === undefined) return [part]
  const proof = findPartSignature(part)
  if (proof === undefined) return [{ ...rest, thoughtSignature: NO_SIGNATURE }]
  const signature = proofOf(proof)
  if (signature !== undefined) return [{ ...rest, thoughtSignature: signature }]
  const isThought = rest.thought === true || (rest.text === '' && Object.keys(rest).length === 1)
  return isThought ? [] : [rest]
}
