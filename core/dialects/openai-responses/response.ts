// The response object around the items of an answer, with every member that its format requires: members that the request does
// not set have OpenAI's defaults.
import type { RequestHead } from '../requests/head.ts'
import { asList, asObject, type JsonObject } from '../json/json-value.ts'

/** OpenAI's defaults of the members that a request may set. */
export const RESPONSE_DEFAULTS: Readonly<JsonObject> = {
  completed_at: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  frequency_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  background: false,
}

/** Returns the members of every answer to a request before its first item. */
export const buildResponseMembers = ({ repeated = {} }: Pick<RequestHead, 'repeated'>): JsonObject => ({
  ...RESPONSE_DEFAULTS,
  ...repeated,
  ...('reasoning' in repeated ? { reasoning: { effort: null, summary: null, ...asObject(repeated.reasoning) } } : {}),
  ...('text' in repeated ? { text: textWith(asObject(repeated.text)) } : {}),
  ...('tools' in repeated ? { tools: (asList(repeated.tools) ?? []).map(toolWith) } : {}),
})

/** Returns a JSON format with all of its members. */
function textWith({ format, ...text }: JsonObject = {}): JsonObject {
  const own = asObject(format)
  if (own?.type !== 'json_schema') return { ...text, format: own ?? { type: 'text' } }
  return { ...text, format: { ...own, description: own.description ?? null, strict: own.strict ?? false } }
}

/** Returns a function with all of its members; it is strict unless the request sets `strict`. */
function toolWith(tool: unknown): unknown {
  const own = asObject(tool)
  if (own?.type !== 'function') return tool
  return {
    ...own,
    description: own.description ?? null,
    parameters: own.parameters ?? null,
    strict: own.strict ?? true,
  }
}
