// The usage of a Responses answer, with the calls of hosted tools, which are counted from its items.
import type { Usage } from '../answers/usage.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { buildKnownUsage } from '../passing.ts'
import { parseUsage, writeUsageObject as writeChatUsage } from '../openai-chat/usage.ts'
import { findServedTier } from '../requests/service-tier.ts'

/** Items of tools that are charged by the call, and the tools' names in the tool prices. */
const TOOLS: Record<string, string> = {
  file_search_call: 'file_search',
  code_interpreter_call: 'code_interpreter',
  x_search_call: 'x_search',
}

/** Returns the disjoint counters of a response object; undefined if it reports none. */
export function parseAnswerUsage(response: JsonObject): Usage | undefined {
  const calls = countToolCalls(response)
  const usage = parseUsage(response.usage) ?? (calls && buildKnownUsage({}))
  return (
    usage && { ...usage, ...findServedTier(response.service_tier, usage.service_tier), ...(calls ? { calls } : {}) }
  )
}

function countToolCalls({ output, tools }: JsonObject): Record<string, number> | undefined {
  const calls: Record<string, number> = {}
  const containers = new Set<string>()
  for (const item of asList(output) ?? []) {
    const type = asText(getMember(item, 'type')) ?? ''
    const tool =
      type === 'web_search_call'
        ? getSearchToolName(item, tools)
        : type === 'image_generation_call'
          ? getImageToolName(item)
          : Object.hasOwn(TOOLS, type)
            ? TOOLS[type]
            : undefined
    // A container is charged once, however often code runs in it.
    const container = type === 'code_interpreter_call' ? asText(getMember(item, 'container_id')) : undefined
    if (container !== undefined && containers.size === containers.add(container).size) continue
    if (tool) calls[tool] = (calls[tool] ?? 0) + 1
  }
  return Object.keys(calls).length > 0 ? calls : undefined
}

/** Returns the tool name of an image. Quality and size determine its price if both are reported. */
function getImageToolName(item: unknown): string {
  const quality = asText(getMember(item, 'quality'))
  const size = asText(getMember(item, 'size'))
  return quality && size ? `image_generation/${quality}/${size}` : 'image_generation'
}

/** Returns the tool name of a search. Opening a result, and searching in it, are free. */
function getSearchToolName(item: unknown, tools: unknown): string | undefined {
  const action = asText(getMember(getMember(item, 'action'), 'type')) ?? 'search'
  if (action !== 'search') return undefined
  const older = asList(tools)?.some((tool) => asText(getMember(tool, 'type'))?.startsWith('web_search_preview'))
  return older ? 'web_search_preview' : 'web_search'
}

/** Writes a usage object in this format's spelling. */
export function writeUsageObject(usage: Usage): JsonObject {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details, ...rest } =
    writeChatUsage(usage)
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cache_write_tokens: 0, ...asObject(prompt_tokens_details) },
    output_tokens: completion_tokens,
    output_tokens_details: asObject(completion_tokens_details),
    ...rest,
  }
}
