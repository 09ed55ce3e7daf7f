// Proofs of thought (signatures, sealed thoughts): a provider takes back its own and refuses all others. In another
// format than its provider's a proof begins with a mark of where it came from, so that it finds its way back there only.
import type { CallFailure } from './call-failure.ts'
import type { ModelRequest, ProofOf, Reasoning } from './model-request.ts'
import type { ModelEvent } from './model-event.ts'
import type { HeardEvent } from './tool-calls/assembler.ts'

const MARK = 'weir'
/** Behind this mark stands whose account it came from, too. */
const MARK_WITH_TAG = 'weia'
/** Whole groups of base64, which is what some clients take every signature for. */
const LENGTH = 16
export const TAG_LENGTH = 8

/** The mark of a provider's format. */
const markOf = (format: string, mark: string = MARK): string =>
  (mark + format.replaceAll(/[^a-z]/g, '')).slice(0, LENGTH).padEnd(LENGTH, 'x')

/** Does a proof say that it came from a provider of another format? */
export const isBorrowed = (proof: unknown): boolean =>
  typeof proof === 'string' && (proof.startsWith(MARK) || proof.startsWith(MARK_WITH_TAG))

const marked = (proof: string, format: string, tag = ''): string =>
  isBorrowed(proof) ? proof : markOf(format, tag === '' ? MARK : MARK_WITH_TAG) + tag + proof

/** The tag of the account that made a marked proof. */
export const parseAccountTag = (proof: string): string | undefined =>
  proof.startsWith(MARK_WITH_TAG) ? proof.slice(LENGTH, LENGTH + TAG_LENGTH) : undefined

/** A proof as its provider wrote it. */
export const proofText = (proof: string): string =>
  isBorrowed(proof) ? proof.slice(parseAccountTag(proof) === undefined ? LENGTH : LENGTH + TAG_LENGTH) : proof

/** A call's signature where a format has a place for those of thoughts alone. Only Google signs calls. */
export const markedCall = (signature: string): string => marked(signature, 'gemini-generate')

/** The proof in an event, if it holds one. */
export function findSignature(event: HeardEvent): string | undefined {
  if (event.type === 'reasoning' && event.redacted) return event.text
  return event.type === 'reasoning' || event.type === 'text' || event.type === 'tool_call' ? event.signature : undefined
}

/** An event of a provider's answer, for a caller of another format; `tag` is of the account. Calls need no mark. */
export function tagEventSignature(event: ModelEvent, format: string, tag?: string): ModelEvent {
  if (event.type !== 'reasoning' && event.type !== 'text') return event
  if (event.type === 'reasoning' && event.redacted) return { ...event, text: marked(event.text, format, tag) }
  return event.signature ? { ...event, signature: marked(event.signature, format, tag) } : event
}

/** In a provider's own format: its own as it wrote them, and none of others. */
export function keepOwnSignature(format: string): ProofOf {
  const marks = marksOf(format)
  return (proof) => {
    if (marks.some((mark) => proof.startsWith(mark))) return proofText(proof)
    return isBorrowed(proof) ? undefined : proof
  }
}

export const noProof: ProofOf = () => undefined

const marksOf = (format: string): string[] => [markOf(format), markOf(format, MARK_WITH_TAG)]

/**
 * A request of another format with only those proofs that a provider of this one gave; the words of a thought stay. A thought without
 * words is lost with its proof.
 */
export function keepOwnSignatures(request: ModelRequest, format: string): ModelRequest {
  const own = keepOwnSignature(format)
  return withProofs(request, (proof) => (isBorrowed(proof) ? own(proof) : undefined))
}

/** The request without any proof; the words of a thought stay. */
export function dropSignatures(request: ModelRequest): ModelRequest {
  const { messages, ...rest } = withProofs(request, () => undefined)
  const unsigned = messages.map(({ tool_calls, ...message }) =>
    tool_calls ? { ...message, tool_calls: tool_calls.map((call) => ({ ...call, signature: undefined })) } : message,
  )
  return { ...rest, messages: unsigned }
}

function withProofs(request: ModelRequest, proofOf: ProofOf): ModelRequest {
  const lost = new Set(request.lost)
  const keep = ({ signature, ...thought }: Reasoning): Reasoning[] => {
    if (!thought.redacted) {
      const proof = signature && proofOf(signature)
      if (proof || thought.text) return [{ ...thought, ...(proof ? { signature: proof } : {}) }]
      if (signature) lost.add('reasoning_signature')
      return []
    }
    const text = proofOf(thought.text)
    if (text === undefined) lost.add('redacted_thinking')
    return text === undefined ? [] : [{ ...thought, text }]
  }
  const messages = request.messages.map((message) =>
    message.reasoning ? { ...message, reasoning: message.reasoning.flatMap(keep) } : message,
  )
  return { ...request, messages, ...(lost.size > 0 ? { lost: [...lost] } : {}) }
}

/** How providers say that a proof is none of theirs: OpenAI and Azure, Anthropic at every cloud, Google twice. */
const REFUSALS =
  /encrypted[ _]content\b.{0,200}\bcould not be (?:verified|decrypted|parsed)|invalid [`'"]?signature[`'"]? in [`'"]?(?:redacted_)?thinking|thought[_ ]signature is not valid|(?:corrupted|invalid) thought[_ ]signature/is

/** Was a request refused for a proof that another account made? */
export const isSignatureRefused = ({ source, code, message }: CallFailure): boolean =>
  source === 'upstream' && (code === 'invalid_encrypted_content' || REFUSALS.test(message))
