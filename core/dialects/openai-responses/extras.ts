// The corners of a Responses request that have a word in the neutral form: JSON formats, tools, sealed thoughts.
import type { Reasoning, ResponseFormat } from '../model-request.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json-value.ts'

export const NAME = 'openai-responses'

/** What the answer must say for reasoning to be sent back: asked for where the model may think. */
export const SEALED = 'reasoning.encrypted_content'

/** What is said of the answer's tokens, where the caller wants to know. */
export const LOGPROBS = 'message.output_text.logprobs'
/** The pages that a search found. */
export const SOURCES = 'web_search_call.action.sources'

/** Prose is no format, so `text` is none. */
export function readFormat(format: unknown): ResponseFormat | undefined {
  const type = getMember(format, 'type')
  if (type === 'json_object') return {}
  if (type !== 'json_schema') return undefined
  const { name, description, schema, strict } = asObject(format) ?? {}
  return {
    schema: schema ?? {},
    ...(asText(name) === undefined ? {} : { name: asText(name) }),
    ...(asText(description) === undefined ? {} : { description: asText(description) }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

export const writeFormat = ({ schema, ...rest }: ResponseFormat): JsonObject =>
  schema === undefined ? { type: 'json_object' } : { type: 'json_schema', ...rest, schema }

/** Another provider's redacted thought, told from a signature: no base64 has a dot. */
export const REDACTED = 'redacted.'

/** A reasoning item's thought. Summaries come in parts, which are paragraphs. */
export function readReasoning(item: JsonObject): Reasoning {
  const summary = asList(item.summary) ?? []
  const parts = (summary.length > 0 ? summary : (asList(item.content) ?? [])).map(
    (part) => asText(getMember(part, 'text')) ?? '',
  )
  const text = parts.join(summary.length > 0 ? '\n\n' : '')
  return openEncryptedReasoning(text, asText(item.encrypted_content))
}

/** The proof in an item, if it holds one. */
export function findEncryptedReasoning(item: unknown): string | undefined {
  const sealed = asText(getMember(item, 'encrypted_content'))
  return sealed?.startsWith(REDACTED) ? sealed.slice(REDACTED.length) : sealed
}

/** The proof in the last of the items that holds one. */
export function lastSealed(items: readonly unknown[] = []): string | undefined {
  for (let at = items.length - 1; at >= 0; at--) {
    const sealed = findEncryptedReasoning(items[at])
    if (sealed !== undefined) return sealed
  }
  return undefined
}

export function openEncryptedReasoning(text: string, sealed: string | undefined): Reasoning {
  if (sealed === undefined) return { text }
  if (sealed.startsWith(REDACTED)) return { text: sealed.slice(REDACTED.length), redacted: true }
  return { text, signature: sealed }
}

/** A thought's members in an item: its words as a summary, its proof sealed. */
export function writeReasoning({ text, signature, redacted }: Reasoning): JsonObject {
  if (redacted) return { summary: [], encrypted_content: REDACTED + text }
  return {
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(signature ? { encrypted_content: signature } : {}),
  }
}
