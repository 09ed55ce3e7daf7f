// Fields of a Responses request with a less direct neutral equivalent: JSON formats, tools, encrypted reasoning.
import type { ReasoningPiece, ResponseFormat } from '../model-request.ts'
import { asList, getMember, asText, type JsonObject } from '../json/json-value.ts'

export const FORMAT_NAME = 'openai-responses'

/** The `include` value for encrypted reasoning, which must be sent back: requested if the model may reason. */
export const INCLUDE_ENCRYPTED_REASONING = 'reasoning.encrypted_content'

/** The `include` value for log probabilities, if the caller requests them. */
export const INCLUDE_LOGPROBS = 'message.output_text.logprobs'
/** The `include` value for the pages that a search found. */
export const INCLUDE_SEARCH_SOURCES = 'web_search_call.action.sources'

export const writeResponseFormat = ({ schema, ...rest }: ResponseFormat): JsonObject =>
  schema === undefined ? { type: 'json_object' } : { type: 'json_schema', ...rest, schema }

/** Prefix of another provider's redacted reasoning, which distinguishes it from a signature: base64 has no dot. */
export const REDACTED_REASONING_PREFIX = 'redacted.'

/** Reads the reasoning of an item. The parts of a summary are paragraphs. */
export function readReasoning(item: JsonObject): ReasoningPiece {
  const summary = asList(item.summary) ?? []
  const parts = (summary.length > 0 ? summary : (asList(item.content) ?? [])).map(
    (part) => asText(getMember(part, 'text')) ?? '',
  )
  const text = parts.join(summary.length > 0 ? '\n\n' : '')
  return openEncryptedReasoning(text, asText(item.encrypted_content))
}

/** Returns the signature in an item; undefined if it has none. */
export function findEncryptedReasoning(item: unknown): string | undefined {
  const sealed = asText(getMember(item, 'encrypted_content'))
  return sealed?.startsWith(REDACTED_REASONING_PREFIX) ? sealed.slice(REDACTED_REASONING_PREFIX.length) : sealed
}

/** Returns the signature in the last of the items that has one. */
export const findLastEncrypted = (items: readonly unknown[] = []): string | undefined =>
  findEncryptedReasoning(items.findLast((item) => findEncryptedReasoning(item) !== undefined))

export function openEncryptedReasoning(text: string, sealed: string | undefined): ReasoningPiece {
  if (sealed === undefined) return { text }
  if (sealed.startsWith(REDACTED_REASONING_PREFIX))
    return { text: sealed.slice(REDACTED_REASONING_PREFIX.length), redacted: true }
  return { text, signature: sealed }
}

/** Writes the members of a reasoning item: its text as a summary, its signature as encrypted content. */
export function writeReasoning({ text, signature, redacted }: ReasoningPiece): JsonObject {
  if (redacted) return { summary: [], encrypted_content: REDACTED_REASONING_PREFIX + text }
  return {
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(signature ? { encrypted_content: signature } : {}),
  }
}
