// The response object around the items of an answer, with every member that its format requires: what the request does
// not say has OpenAI's defaults.
import type { RequestHead } from '../head.ts'
import { listIn, objectIn, type JsonObject } from '../json-value.ts'

/** What is true of an answer whose request says nothing of it. */
export const DEFAULTS: Readonly<JsonObject> = {
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

/** The members of every answer to a request, as they stand before anything is said. */
export const membersFor = ({ repeated = {} }: Pick<RequestHead, 'repeated'>): JsonObject => ({
  ...DEFAULTS,
  ...repeated,
  ...('reasoning' in repeated ? { reasoning: { effort: null, summary: null, ...objectIn(repeated.reasoning) } } : {}),
  ...('text' in repeated ? { text: textWith(objectIn(repeated.text)) } : {}),
  ...('tools' in repeated ? { tools: (listIn(repeated.tools) ?? []).map(toolWith) } : {}),
})

/** A format of JSON is told with all of its words. */
function textWith({ format, ...text }: JsonObject = {}): JsonObject {
  const own = objectIn(format)
  if (own?.type !== 'json_schema') return { ...text, format: own ?? { type: 'text' } }
  return { ...text, format: { ...own, description: own.description ?? null, strict: own.strict ?? false } }
}

/** A function is told with all of its words; it keeps to its schema where the request does not say otherwise. */
function toolWith(tool: unknown): unknown {
  const own = objectIn(tool)
  if (own?.type !== 'function') return tool
  return {
    ...own,
    description: own.description ?? null,
    parameters: own.parameters ?? null,
    strict: own.strict ?? true,
  }
}
