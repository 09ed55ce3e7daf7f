// Proofs of thought (signatures, sealed thoughts): a provider takes back its own and refuses all others. In another
// format than its provider's a proof begins with a mark of where it came from, so that it finds its way back there only.
import type { ModelEvent, ModelRequest, Reasoning } from './dialect.ts'

const MARK = 'weir'
/** Whole groups of base64, which is what some clients take every signature for. */
const LENGTH = 16

/** The mark of a provider's format. */
const markOf = (format: string): string =>
  (MARK + format.replaceAll(/[^a-z]/g, '')).slice(0, LENGTH).padEnd(LENGTH, 'x')

/** Does a proof say that it came from a provider of another format? */
export const isBorrowed = (proof: unknown): boolean => typeof proof === 'string' && proof.startsWith(MARK)

const marked = (proof: string, format: string): string => (isBorrowed(proof) ? proof : markOf(format) + proof)

/** A call's signature where a format has a place for those of thoughts alone. Only Google signs calls. */
export const markedCall = (signature: string): string => marked(signature, 'gemini-generate')

/** An event of a provider's answer, for a caller of another format. Calls need no mark. */
export function markedEvent(event: ModelEvent, format: string): ModelEvent {
  if (event.type !== 'reasoning') return event
  if (event.redacted) return { ...event, text: marked(event.text, format) }
  return event.signature ? { ...event, signature: marked(event.signature, format) } : event
}

/** The request with only those proofs that a provider of this format gave; the words of a thought stay. */
export function withOwnProofs(request: ModelRequest, format: string): ModelRequest {
  const mark = markOf(format)
  const own = request.dialect === format
  const proofOf = (proof: string): string | undefined => {
    if (proof.startsWith(mark)) return proof.slice(LENGTH)
    return own && !isBorrowed(proof) ? proof : undefined
  }
  const keep = ({ signature, ...thought }: Reasoning): Reasoning[] => {
    if (!thought.redacted) {
      const proof = signature && proofOf(signature)
      return proof || thought.text ? [{ ...thought, ...(proof ? { signature: proof } : {}) }] : []
    }
    const text = proofOf(thought.text)
    return text === undefined ? [] : [{ ...thought, text }]
  }
  const messages = request.messages.map((message) =>
    message.reasoning ? { ...message, reasoning: message.reasoning.flatMap(keep) } : message,
  )
  return { ...request, messages }
}
