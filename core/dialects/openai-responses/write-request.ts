// A Responses request from the neutral form, and what it loses on the way.
import type { ModelRequest, WrittenRequest } from '../dialect.ts'
import { objectIn, type JsonObject } from '../json-value.ts'
import { newerLimit } from '../openai-chat/write-request.ts'
import { effortOf } from '../reasoning.ts'
import { NAME, SEALED, writeFormat } from './extras.ts'
import { writeItems } from './input.ts'

const encoder = new TextEncoder()

/** What this format has no word for. */
const UNSAID = ['top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'stop', 'modalities'] as const

/** Nothing is kept at the provider: callers of other formats send all they want to be known. */
export function writeRequest(request: ModelRequest): WrittenRequest {
  const { dialect, extra, messages, tools, hosted_tools, tool_choice, response_format } = request
  const own = dialect === NAME
  const dropped = new Set<string>(own ? [] : Object.keys(extra))
  const drop = (field: string) => void dropped.add(field)
  for (const field of UNSAID) if (request[field] !== undefined) drop(field)
  if ((request.n ?? 1) > 1) drop('n')
  if (tools?.some(({ cache }) => cache)) drop('cache_control')
  const [first, ...others] = messages
  const instructions = first?.role === 'system' && !first.name ? onlyText(first.content) : undefined
  const budget = request.reasoning_budget
  const effort = request.reasoning_effort ?? (budget === undefined ? undefined : effortOf(budget))
  const { verbosity, ...rest } = own ? extra : {}
  const format = response_format && writeFormat(own ? response_format : { name: 'answer', ...response_format })
  const declared = [
    // Here a tool is strict where it does not say; elsewhere it is not.
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
    input: (instructions === undefined ? messages : others).flatMap((message) => writeItems(message, drop)),
    tools: declared.length > 0 ? declared : undefined,
    tool_choice: typeof tool_choice === 'object' ? { type: 'function', ...tool_choice } : tool_choice,
    parallel_tool_calls: request.parallel_tool_calls,
    max_output_tokens: request.max_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    user: request.user,
    service_tier: request.service_tier,
    text: format || verbosity !== undefined ? { format, verbosity } : undefined,
    reasoning: effort === undefined ? undefined : { effort },
    store: false,
    include: effort !== undefined || newerLimit.test(request.model) ? [SEALED] : undefined,
  }
  return { body: encoder.encode(JSON.stringify(body)), dropped: [...dropped] }
}

const onlyText = (content: ModelRequest['messages'][number]['content']): string | undefined => {
  const [only] = content
  return content.length === 1 && only?.type === 'text' && !only.cache ? only.text : undefined
}

/** Other formats' options are not known here, but for where and how to search. */
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
  const { search_context_size, user_location, allowed_domains } = objectIn(options) ?? {}
  return [{ type: name, search_context_size, user_location, filters: allowed_domains && { allowed_domains } }]
}
