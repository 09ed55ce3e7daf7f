// Signatures of thoughts. Google's clients take them for bytes and spell them anew in base64, so what stands here must survive
// that: a proof of another provider, which is any text, is packed.
import { isBorrowed } from '../proof.ts'
import { asText } from '../json-value.ts'
import { eitherField } from './fields.ts'

/**
 * What Google's guide to thought signatures has callers send for a call whose signature they do not have (of another
 * model, or lost on the way): without one the third generation refuses the request.
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator'

const packed = (text: string): string => Buffer.from(text).toString('base64')
/** Either alphabet, with or without its end. */
const unpacked = (base64: string): string => Buffer.from(base64, 'base64').toString()

/** Whole groups, so that they are the same whatever follows. Long signatures are unpacked only where it is worth it. */
const PACKED = packed('wei')
/** Google's guide has two. */
const STAND_INS = new Set(
  [NO_SIGNATURE, 'context_engineering_is_the_way_to_go'].flatMap((words) => [
    words,
    packed(words),
    packed(words).replace(/=+$/, ''),
  ]),
)

/** The signature in a part; a stand-in is none. */
export function signatureIn(part: unknown): string | undefined {
  const signature = asText(eitherField(part, 'thoughtSignature'))
  if (signature === undefined || STAND_INS.has(signature)) return undefined
  if (!signature.startsWith(PACKED)) return signature
  const proof = unpacked(signature)
  return isBorrowed(proof) ? proof : signature
}

/** Does a part hold what is not to go to Google as it is: somebody else's proof, or a stand-in in our spelling? */
export function isForeign(part: unknown): boolean {
  const signature = asText(eitherField(part, 'thoughtSignature'))
  if (signature === undefined) return false
  return isBorrowed(signatureIn(part)) || (STAND_INS.has(signature) && signature !== NO_SIGNATURE)
}

/** A signature for one of Google's clients. */
export const writtenSignature = (signature: string): string =>
  signature === NO_SIGNATURE || isBorrowed(signature) ? packed(signature) : signature
