// The corners of a chat request that have a word in the neutral form: JSON formats, the built-in search, signatures.
import type { ModelRequest, ResponseFormat } from '../dialect.ts'
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

export function readHostedTools(request: JsonObject): ModelRequest['hosted_tools'] {
  const options = objectIn(request.web_search_options)
  if (!options) return undefined
  return [{ name: 'web_search', ...(Object.keys(options).length > 0 ? { options } : {}) }]
}

/** Where Google keeps the signature of a call's thought in this format. */
export const readSignature = (call: JsonObject): string | undefined =>
  textIn(memberOf(memberOf(call.extra_content, 'google'), 'thought_signature'))

export const writeSignature = (signature: string | undefined): JsonObject =>
  signature ? { extra_content: { google: { thought_signature: signature } } } : {}
