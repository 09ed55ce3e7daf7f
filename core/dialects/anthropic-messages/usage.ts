// Usage objects of Anthropic's format, both ways. Its counters are disjoint already (billing reference, section 4.0).
import type { Usage } from '../dialect.ts'
import { listIn, memberOf, objectIn, textIn, type JsonObject } from '../json-value.ts'
import { count, serviceTier } from '../openai-chat/usage.ts'

/** Counters by the tools that the provider runs, as the tool prices name them. */
const TOOLS = { web_search: 'web_search_requests', web_fetch: 'web_fetch_requests' } as const

/** Counters from a usage object; undefined when it is none, or counts nothing. */
export function usageIn(value: unknown): Usage | undefined {
  const usage = objectIn(value)
  if (!usage) return undefined
  // The model may have been asked several times for one answer; only then the sums stand in no other field.
  const turns = listIn(usage.iterations)
  const sum = (key: string) =>
    turns?.length ? turns.reduce<number>((all, turn) => all + count(memberOf(turn, key)), 0) : count(usage[key])
  const input = sum('input_tokens')
  const cache_read = sum('cache_read_input_tokens')
  const output = sum('output_tokens')
  const lasting = count(memberOf(usage.cache_creation, 'ephemeral_1h_input_tokens'))
  const short = count(memberOf(usage.cache_creation, 'ephemeral_5m_input_tokens'))
  const writes = sum('cache_creation_input_tokens') || lasting + short
  if (input + cache_read + writes + output === 0) return undefined
  const cache_write_1h = Math.min(lasting, writes)
  const calls = callsIn(usage.server_tool_use)
  const tier = usage.speed === 'fast' ? 'fast' : usage.service_tier
  return {
    input,
    cache_read,
    cache_write: writes - cache_write_1h,
    cache_write_1h,
    output,
    reasoning: Math.min(count(memberOf(usage.output_tokens_details, 'thinking_tokens')), output),
    ...(calls ? { calls } : {}),
    ...serviceTier(tier),
    source: 'reported',
  }
}

function callsIn(value: unknown): Usage['calls'] {
  const calls = Object.entries(TOOLS).flatMap(([tool, key]) => {
    const n = count(memberOf(value, key))
    return n > 0 ? [[tool, n] as const] : []
  })
  return calls.length > 0 ? Object.fromEntries(calls) : undefined
}

const OF_PROMPT = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']

/**
 * A stream's usage so far and what comes later: totals, so a later count replaces. Some servers count the prompt at the
 * start only and send zeros at the end, which count nothing away.
 */
export function laterUsage(sofar: JsonObject, later: unknown): JsonObject {
  const said = Object.entries(objectIn(later) ?? {}).filter(([, value]) => value !== null)
  const prompt = OF_PROMPT.some((key) => count(memberOf(later, key)) > 0)
  return { ...sofar, ...Object.fromEntries(prompt ? said : said.filter(([key]) => !OF_PROMPT.includes(key))) }
}

/** A usage object as Anthropic spells it. */
export function writeUsage(usage: Usage): JsonObject {
  const { input, cache_read, cache_write, cache_write_1h, output, reasoning, calls, service_tier } = usage
  const used = Object.entries(TOOLS).map(([tool, key]) => [key, calls?.[tool] ?? 0] as const)
  return {
    input_tokens: input,
    cache_creation_input_tokens: cache_write + cache_write_1h,
    cache_read_input_tokens: cache_read,
    cache_creation: { ephemeral_5m_input_tokens: cache_write, ephemeral_1h_input_tokens: cache_write_1h },
    output_tokens: output,
    ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
    ...(used.some(([, n]) => n > 0) ? { server_tool_use: Object.fromEntries(used) } : {}),
    ...(textIn(service_tier) ? { service_tier } : {}),
  }
}
