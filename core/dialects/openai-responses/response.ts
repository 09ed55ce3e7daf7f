// The response object around the items of an answer, with every member that its format requires: members that the request does
// not set have OpenAI's defaults.
import type { RequestHead } from '../requests/head.ts'
import { asList, asObject, type JsonObject, getMember } from '../json/json-value.ts'
import type { DeferredAnswer } from '../answers/deferred-answer.ts'

/** OpenAI's defaults of the members that a request may set. */
const RESPONSE_DEFAULTS: Readonly<JsonObject> = {
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

// A background response in its public form: https://platform.openai.com/docs/guides/background

/** The known facts about a response that is not complete yet, or never will be. */
interface PendingResponse {
  id: string
  model: string
  /** Epoch seconds. */
  created_at: number
  status: 'queued' | 'in_progress' | 'failed' | 'cancelled'
  metadata: JsonObject
  /** Message of its failure. */
  error?: string
}

/** Builds an incomplete response with the members that clients read of every answer. */
export const buildPendingResponse = ({ error, ...known }: PendingResponse): JsonObject => ({
  ...RESPONSE_DEFAULTS,
  object: 'response',
  background: true,
  ...known,
  ...(error === undefined ? {} : { error: { code: 'server_error', message: error } }),
  output: [],
  store: true,
  usage: null,
})

/** Returns a whole answer under the id that its caller received. */
export const toBackgroundResponse = (response: JsonObject, id: string): JsonObject => ({
  ...response,
  id,
  background: true,
  store: true,
})

/**
 * Background responses at a provider that supports them: polled until they are complete, and cancelled if the client
 * has gone.
 */
export const deferredResponses: DeferredAnswer = {
  members: { background: true },
  getPending(answer) {
    const { id, status } = asObject(answer) ?? {}
    return status === 'queued' || status === 'in_progress'
      ? { behind: `/${encodeURIComponent(String(id))}` }
      : undefined
  },
  cancel: (answer) => `/${encodeURIComponent(String(getMember(answer, 'id')))}/cancel`,
}

export const isDeferred = ({ background }: JsonObject): boolean => background === true
