// Fields of a chat request with a less direct neutral equivalent: JSON formats, the built-in search, signatures.
import type { ModelRequest, ResponseFormat } from '../model-request.ts'
import { getMember, asObject, asText, type JsonObject } from '../json-value.ts'

export const NAME = 'openai-chat'

/** Reads the response format. `text` is the default, so it is none. */
export function readResponseFormat(format: unknown): ResponseFormat | undefined {
  const type = getMember(format, 'type')
  if (type === 'json_object') return {}
  if (type !== 'json_schema') return undefined
  const { name, description, schema, strict } = asObject(getMember(format, 'json_schema')) ?? {}
  return {
    schema: schema ?? {},
    ...(asText(name) === undefined ? {} : { name: asText(name) }),
    ...(asText(description) === undefined ? {} : { description: asText(description) }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

export const writeResponseFormat = ({ schema, ...rest }: ResponseFormat): JsonObject =>
  schema === undefined ? { type: 'json_object' } : { type: 'json_schema', json_schema: { ...rest, schema } }

/** Reads the built-in search. The neutral location is flat, as in most formats; here it is one level down. */
export function readHostedTools(request: JsonObject): ModelRequest['hosted_tools'] {
  const { user_location: place, ...options } = asObject(request.web_search_options) ?? {}
  if (!asObject(request.web_search_options)) return undefined
  const approximate = asObject(getMember(place, 'approximate'))
  const flat = approximate ? { ...options, user_location: { type: 'approximate', ...approximate } } : options
  return [{ name: 'web_search', ...(Object.keys(flat).length > 0 ? { options: flat } : {}) }]
}

/** Writes the options that this format supports. */
export function writeSearch(options: unknown): JsonObject {
  const { search_context_size, user_location } = asObject(options) ?? {}
  const { type = 'approximate', ...approximate } = asObject(user_location) ?? {}
  return { search_context_size, user_location: user_location ? { type, approximate } : undefined }
}

/** Reads the signature of the reasoning before a call, where Google puts it in this format. */
export const readSignature = (call: JsonObject): string | undefined =>
  asText(getMember(getMember(call.extra_content, 'google'), 'thought_signature'))

export const writeSignature = (signature: string | undefined): JsonObject =>
  signature ? { extra_content: { google: { thought_signature: signature } } } : {}
