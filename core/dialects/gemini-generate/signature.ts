// Reasoning signatures. Google's clients treat them as bytes and encode them in base64 again, so they must survive
// that: the signature of another provider, which is any text, is encoded.
import { isForeignSignature } from '../reasoning/reasoning-signature.ts'
import { asText } from '../json/json-value.ts'
import { getEitherSpelling } from './fields.ts'

/**
 * The placeholder that Google's guide to thought signatures prescribes for a call whose signature is missing (made by
 * another model, or lost): the third generation refuses a request without one.
 */
export const SIGNATURE_PLACEHOLDER = 'skip_thought_signature_validator'

const packed = (text: string): string => Buffer.from(text).toString('base64')
/** Decodes either alphabet, with or without padding. */
const unpacked = (base64: string): string => Buffer.from(base64, 'base64').toString()

/**
 * Prefix of encoded signatures: whole base64 groups, so that it does not depend on the rest. Long signatures are
 * decoded only if they have it.
 */
const PACKED = packed('wei')
/** Google's guide has two placeholders. */
const STAND_INS = new Set(
  [SIGNATURE_PLACEHOLDER, 'context_engineering_is_the_way_to_go'].flatMap((words) => [
    words,
    packed(words),
    packed(words).replace(/=+$/, ''),
  ]),
)

/** Returns the signature in a part; undefined for a placeholder. */
export function findPartSignature(part: unknown): string | undefined {
  const signature = asText(getEitherSpelling(part, 'thoughtSignature'))
  if (signature === undefined || STAND_INS.has(signature)) return undefined
  if (!signature.startsWith(PACKED)) return signature
  const proof = unpacked(signature)
  return isForeignSignature(proof) ? proof : signature
}

/**
 * Does a part have a signature that must not go to Google unchanged: another vendor's, or a placeholder in our
 * encoding?
 */
export function hasForeignSignature(part: unknown): boolean {
  const signature = asText(getEitherSpelling(part, 'thoughtSignature'))
  if (signature === undefined) return false
  return (
    isForeignSignature(findPartSignature(part)) || (STAND_INS.has(signature) && signature !== SIGNATURE_PLACEHOLDER)
  )
}

/** Encodes a signature for one of Google's clients. */
export const encodeSignature = (signature: string): string =>
  signature === SIGNATURE_PLACEHOLDER || isForeignSignature(signature) ? packed(signature) : signature
