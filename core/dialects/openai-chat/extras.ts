// The corners of a chat request that have a word in the neutral form: JSON formats, the built-in search, signatures.
import type { ModelRequest, ResponseFormat } from '../model-request.ts'
import { memberOf, objectIn, textIn, type JsonObject } from '../json-value.ts'

export const NAME = 'openai-chat'

/** Prose is no format, so `text` is none. */
export function readResponseFormat(format: unknown): ResponseFormat | undefined {
  const type = memberOf(format, 'type')
  if (type === 'json_object') return {}
  if (type !== 'json_schema') return undefined
  const { name, description, schema, strict } = objectIn(memberOf(format, 'json_schema')) ?? {}
  return {
    schema: schema ?? {},
    ...(textIn(name) === undefined ? {} : { name: textIn(name) }),
    ...(textIn(description) === undefined ? {} : { description: textIn(description) }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

export const writeResponseFormat = ({ schema, ...rest }: ResponseFormat): JsonObject =>
  schema === undefined ? { type: 'json_object' } : { type: 'json_schema', json_schema: { ...rest, schema } }

/** The neutral place of a search lies flat in its options, as in most formats; here it is one level down. */
export function readHostedTools(request: JsonObject): ModelRequest['hosted_tools'] {
  const { user_location: place, ...options } = objectIn(request.web_search_options) ?? {}
  if (!objectIn(request.web_search_options)) return undefined
  const approximate = objectIn(memberOf(place, 'approximate'))
  const flat = approximate ? { ...options, user_location: { type: 'approximate', ...approximate } } : options
  return [{ name: 'web_search', ...(Object.keys(flat).length > 0 ? { options: flat } : {}) }]
}

/** The options that this format knows. */
export function writeSearch(options: unknown): JsonObject {
  const { search_context_size, user_location } = objectIn(options) ?? {}
  const { type = 'approximate', ...approximate } = objectIn(user_location) ?? {}
  return { search_context_size, user_location: user_location ? { type, approximate } : undefined }
}

/** Where Google keeps the signature of a call's thought in this format. */
export const readSignature = (call: JsonObject): string | undefined =>
  textIn(memberOf(memberOf(call.extra_content, 'google'), 'thought_signature'))

export const writeSignature = (signature: string | undefined): JsonObject =>
  signature ? { extra_content: { google: { thought_signature: signature } } } : {}
