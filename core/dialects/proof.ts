// Reasoning signatures (and encrypted reasoning): a provider accepts its own and refuses all others. In another format
// than its provider's, a signature starts with a mark of its origin, so that it is only returned there.
import type { CallFailure } from './call-failure.ts'
import type { ModelRequest, ProofOf, Reasoning } from './model-request.ts'
import type { ModelEvent } from './model-event.ts'
import type { ReaderEvent } from './tool-calls/assembler.ts'

const MARK = 'weir'
/** This mark is followed by the tag of the account. */
const MARK_WITH_TAG = 'weia'
/** Length of the mark, in whole groups of base64, as some clients require. */
const LENGTH = 16
export const TAG_LENGTH = 8

/** Returns the mark of a provider's format. */
const buildMark = (format: string, mark: string = MARK): string =>
  (mark + format.replaceAll(/[^a-z]/g, '')).slice(0, LENGTH).padEnd(LENGTH, 'x')

/** Does a signature have the mark of a provider of another format? */
export const isForeignSignature = (proof: unknown): boolean =>
  typeof proof === 'string' && (proof.startsWith(MARK) || proof.startsWith(MARK_WITH_TAG))

const marked = (proof: string, format: string, tag = ''): string =>
  isForeignSignature(proof) ? proof : buildMark(format, tag === '' ? MARK : MARK_WITH_TAG) + tag + proof

/** Parses the account tag of a marked signature. */
export const parseAccountTag = (proof: string): string | undefined =>
  proof.startsWith(MARK_WITH_TAG) ? proof.slice(LENGTH, LENGTH + TAG_LENGTH) : undefined

/** Returns a signature as its provider wrote it. */
export const stripMark = (proof: string): string =>
  isForeignSignature(proof) ? proof.slice(parseAccountTag(proof) === undefined ? LENGTH : LENGTH + TAG_LENGTH) : proof

/** Marks a call's signature for a format that only supports those of reasoning. Only Google signs calls. */
export const markCallSignature = (signature: string): string => marked(signature, 'gemini-generate')

/** Returns the signature in an event; undefined if it has none. */
export function findSignature(event: ReaderEvent): string | undefined {
  if (event.type === 'reasoning' && event.redacted) return event.text
  return event.type === 'reasoning' || event.type === 'text' || event.type === 'tool_call' ? event.signature : undefined
}

/**
 * Marks the signature in an event of a provider's answer for a caller of another format; `tag` identifies the account.
 * Calls need no mark.
 */
export function tagEventSignature(event: ModelEvent, format: string, tag?: string): ModelEvent {
  if (event.type !== 'reasoning' && event.type !== 'text') return event
  if (event.type === 'reasoning' && event.redacted) return { ...event, text: marked(event.text, format, tag) }
  return event.signature ? { ...event, signature: marked(event.signature, format, tag) } : event
}

/** Returns a function that keeps the provider's own signatures, as it wrote them, and drops all others. */
export function keepOwnSignature(format: string): ProofOf {
  const marks = listMarks(format)
  return (proof) => {
    if (marks.some((mark) => proof.startsWith(mark))) return stripMark(proof)
    return isForeignSignature(proof) ? undefined : proof
  }
}

export const noProof: ProofOf = () => undefined

const listMarks = (format: string): string[] => [buildMark(format), buildMark(format, MARK_WITH_TAG)]

/**
 * Keeps only the signatures in a request of another format that a provider of this one made. The text of reasoning
 * stays; reasoning without text is lost with its signature.
 */
export function keepOwnSignatures(request: ModelRequest, format: string): ModelRequest {
  const own = keepOwnSignature(format)
  return withProofs(request, (proof) => (isForeignSignature(proof) ? own(proof) : undefined))
}

/** Removes all signatures from the request; the text of reasoning stays. */
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

/** Messages of providers that refuse a signature: OpenAI and Azure, Anthropic at every cloud, and two of Google's. */
const REFUSALS =
  /encrypted[ _]content\b.{0,200}\bcould not be (?:verified|decrypted|parsed)|invalid [`'"]?signature[`'"]? in [`'"]?(?:redacted_)?thinking|thought[_ ]signature is not valid|(?:corrupted|invalid) thought[_ ]signature/is

/** Was a request refused because another account made its signature? */
export const isSignatureRefused = ({ source, code, message }: CallFailure): boolean =>
  source === 'upstream' && (code === 'invalid_encrypted_content' || REFUSALS.test(message))
