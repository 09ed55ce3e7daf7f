// Reasoning signatures (and encrypted reasoning): a provider accepts its own and refuses all others. In another format
// than its provider's, a signature starts with a mark of its origin, so that it is only returned there.
import type { CallFailure } from '../answers/call-failure.ts'
import type { ModelEvent, OutputTokenLogprobs } from '../answers/model-event.ts'
import type { ModelRequest, ConvertSignature, ReasoningPiece } from '../model-request.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'

const MARK = 'weir'
/** This mark is followed by the tag of the account. */
const MARK_WITH_TAG = 'weia'
/** Length of the mark, in whole groups of base64, as some clients require. */
const LENGTH = 16
export const ACCOUNT_TAG_LENGTH = 8

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
  proof.startsWith(MARK_WITH_TAG) ? proof.slice(LENGTH, LENGTH + ACCOUNT_TAG_LENGTH) : undefined

/** Returns a signature as its provider wrote it. */
export const stripAccountTag = (proof: string): string =>
  isForeignSignature(proof)
    ? proof.slice(parseAccountTag(proof) === undefined ? LENGTH : LENGTH + ACCOUNT_TAG_LENGTH)
    : proof

/** Marks a call's signature for a format that only supports those of reasoning. Only Google signs calls. */
export const markCallSignature = (signature: string): string => marked(signature, 'gemini-generate')

/** Returns the signature in an event; undefined if it has none. */
export function findSignature(event: UnassembledEvent): string | undefined {
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
export function keepOwnSignature(format: string): ConvertSignature {
  const marks = listMarks(format)
  return (proof) => {
    if (marks.some((mark) => proof.startsWith(mark))) return stripAccountTag(proof)
    return isForeignSignature(proof) ? undefined : proof
  }
}

export const dropEverySignature: ConvertSignature = () => undefined

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

function withProofs(request: ModelRequest, proofOf: ConvertSignature): ModelRequest {
  const lost = new Set(request.lost)
  const keep = ({ signature, ...thought }: ReasoningPiece): ReasoningPiece[] => {
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

// Moves reasoning signatures for formats that only support those of reasoning: before the content that they belong to.
// A signature after all output would become a separate block there, and clients take the last block for the answer.

type SignedReasoning = Extract<ModelEvent, { type: 'reasoning' }>

const toSignatureEvent = (signature: string): SignedReasoning => ({ type: 'reasoning', text: '', choice: 0, signature })

const isWordless = ({ text, signature, redacted }: SignedReasoning): boolean =>
  text === '' && Boolean(signature) && !redacted

/**
 * Returns a function that reorders the signatures of one streaming answer: those of texts become reasoning. A signature
 * in the middle of a text does not split it: it goes before the next call or reasoning, and is dropped if none follows.
 * Only the first of several answers is reordered: these formats have no other.
 */
export function createProofOrder(): (event: ModelEvent) => ModelEvent[] {
  let last: 'nothing' | 'thought' | 'text' | 'call' = 'nothing'
  /** Reasoning without text, kept until the content that follows it. */
  let held: SignedReasoning[] = []
  let closing: SignedReasoning | undefined
  const early: OutputTokenLogprobs[] = []

  function release(): SignedReasoning[] {
    const released = held
    held = []
    return released
  }

  function releaseAll(): SignedReasoning[] {
    const released = closing ? [closing, ...release()] : release()
    closing = undefined
    return released
  }

  function text({ signature, ...plain }: Extract<ModelEvent, { type: 'text' }>): ModelEvent[] {
    const ready: ModelEvent[] = []
    if (signature && last === 'text') closing = toSignatureEvent(signature)
    else if (signature && last === 'thought') ready.push(toSignatureEvent(signature))
    else if (signature) held.push(toSignatureEvent(signature))
    if (plain.text === '') {
      // Tokens without a character belong to the text before them, or at the start to the text after them.
      if (plain.logprobs && last === 'text') return [...ready, plain]
      early.push(...(plain.logprobs ?? []))
      return ready
    }
    last = 'text'
    if (early.length > 0) plain.logprobs = [...early.splice(0), ...(plain.logprobs ?? [])]
    return [...ready, ...release(), plain]
  }

  return (event) => {
    if ('choice' in event && event.choice !== 0) return [event]
    switch (event.type) {
      case 'text':
        return text(event)
      case 'refusal':
      case 'image':
      case 'audio':
        last = 'text'
        return [...release(), event]
      case 'reasoning':
        if (isWordless(event) && (last === 'text' || last === 'call')) {
          held.push(event)
          return []
        }
        last = 'thought'
        return [...releaseAll(), event]
      case 'tool_call':
        last = 'call'
        return event.name === undefined ? [event] : [...releaseAll(), event]
      default:
        return [event]
    }
  }
}

const RUNS = new Set<ModelEvent['type']>(['text', 'refusal', 'image', 'audio'])
const BREAKS = new Set<ModelEvent['type']>(['reasoning', 'tool_call'])

/** Returns the events of a whole answer, with the signature of a text before the first of its pieces. */
export function withProofsFirst(events: readonly ModelEvent[]): ModelEvent[] {
  const ordered: ModelEvent[] = []
  /** Index of the first event of the current text; -1 if there is none. */
  let begin = -1
  for (const event of events) {
    if ('choice' in event && event.choice !== 0) ordered.push(event)
    else if (event.type === 'text' && event.signature && begin >= 0) {
      const { signature, ...plain } = event
      ordered.splice(begin++, 0, { type: 'text', text: '', choice: 0, signature })
      ordered.push(plain)
    } else {
      if (BREAKS.has(event.type)) begin = -1
      else if (RUNS.has(event.type) && begin < 0) begin = ordered.length
      ordered.push(event)
    }
  }
  return ordered
}
