// Converts a request from the neutral form to a Responses request, and lists the fields that are lost.
import type { ModelRequest, WrittenRequest } from '../model-request.ts'
import { asObject, type JsonObject } from '../json/json-value.ts'
import { canReason, findModelFamily } from '../reasoning/model-fit.ts'
import { FORMAT_NAME as OPENAI_CHAT } from '../openai-chat/tools.ts'
import { fitToolsAndFormat } from '../openai-chat/schema.ts'
import { toReasoningEffort } from '../reasoning/reasoning.ts'
import {
  INCLUDE_LOGPROBS,
  FORMAT_NAME,
  INCLUDE_ENCRYPTED_REASONING,
  INCLUDE_SEARCH_SOURCES,
  writeResponseFormat,
} from './extras.ts'
import { writeMessageItems } from './input.ts'
import { writeObject } from '../json/json-bytes.ts'

/** Neutral fields that this format does not support. */
const UNSUPPORTED = ['top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'stop', 'modalities'] as const

/** Fields that OpenAI's chat format also has, with the same meaning: its callers may be routed here. */
const SHARED = ['metadata', 'prompt_cache_key', 'prompt_cache_retention', 'verbosity'] as const

/**
 * Writes the request. The provider only stores answers for callers of this format: others send the whole
 * conversation.
 */
export function writeModelRequest(neutral: ModelRequest): WrittenRequest {
  const dropped = new Set<string>()
  const drop = (field: string) => void dropped.add(field)
  const request = fitToolsAndFormat(neutral, drop)
  const { dialect, extra, messages, tools, hosted_tools, tool_choice, response_format } = request
  const own = dialect === FORMAT_NAME
  const passed = own ? extra : dialect === OPENAI_CHAT ? pickShared(extra) : {}
  for (const field in extra) if (!(field in passed)) drop(field)
  for (const field of UNSUPPORTED) if (request[field] !== undefined) drop(field)
  if ((request.n ?? 1) > 1) drop('n')
  if (tools?.some(({ cache }) => cache)) drop('cache_control')
  const [first, ...others] = messages
  const instructions = first?.role === 'system' && !first.name ? onlyText(first.content) : undefined
  const budget = request.reasoning_budget
  const effort = request.reasoning_effort ?? (budget === undefined ? undefined : toReasoningEffort(budget))
  // A budget that leaves reasoning to the model has no equivalent here.
  if (effort === undefined && budget !== undefined) drop('reasoning_budget')
  const { verbosity, ...rest } = passed
  const format = response_format && writeResponseFormat(own ? response_format : { name: 'answer', ...response_format })
  const include = [
    ...(effort !== undefined || canReason(findModelFamily(request.model, FORMAT_NAME, request.requestedModel))
      ? [INCLUDE_ENCRYPTED_REASONING]
      : []),
    ...(request.logprobs ? [INCLUDE_LOGPROBS] : []),
    ...(!own && hosted_tools?.some(({ name }) => name === 'web_search') ? [INCLUDE_SEARCH_SOURCES] : []),
  ]
  const declared = [
    // In this format tools are strict by default; in others they are not.
    ...(tools ?? []).map(({ name, description, parameters, strict }) => ({
      type: 'function',
      name,
      description,
      parameters: parameters ?? (own ? undefined : { type: 'object', properties: {} }),
      strict: strict ?? (own ? undefined : false),
    })),
    ...(hosted_tools ?? []).flatMap((tool) => writeHosted(tool, own, drop)),
  ]
  const body = {
    ...rest,
    model: request.model,
    stream: request.stream,
    instructions,
    input: (instructions === undefined ? messages : others).flatMap((message) => writeMessageItems(message, drop)),
    tools: declared.length > 0 ? declared : undefined,
    tool_choice: typeof tool_choice === 'object' ? writeChosen(tool_choice) : tool_choice,
    parallel_tool_calls: request.parallel_tool_calls,
    max_output_tokens: request.max_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    top_logprobs: request.top_logprobs,
    user: request.user,
    service_tier: request.service_tier,
    text: format || verbosity !== undefined ? { format, verbosity } : undefined,
    reasoning: effort === undefined ? undefined : { effort },
    store: own && request.storesAnswer ? undefined : false,
    include: include.length > 0 ? include : undefined,
  }
  return { body: writeObject(body), dropped: [...dropped] }
}

const writeChosen = ({ name, hosted }: { name: string; hosted?: true }): JsonObject =>
  hosted ? { type: name } : { type: 'function', name }

const pickShared = (extra: JsonObject): JsonObject =>
  Object.fromEntries(SHARED.flatMap((field) => (field in extra ? [[field, extra[field]]] : [])))

const onlyText = (content: ModelRequest['messages'][number]['content']): string | undefined => {
  const [only] = content
  return content.length === 1 && only?.type === 'text' && !only.cache ? only.text : undefined
}

/** Writes a hosted tool. Options of other formats are not known here, except how and where to search. */
function writeHosted(
  { name, options }: { name: string; options?: unknown },
  own: boolean,
  drop: (field: string) => void,
): JsonObject[] {
  if (own) return [{ type: name, ...(options as object | undefined) }]
  if (name !== 'web_search') {
    drop(`tools.${name}`)
    return []
  }
  const { search_context_size, user_location, allowed_domains } = asObject(options) ?? {}
  return [{ type: name, search_context_size, user_location, filters: allowed_domains && { allowed_domains } }]
}
