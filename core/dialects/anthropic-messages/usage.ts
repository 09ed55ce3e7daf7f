// Converts usage objects from and to Anthropic's format.
import type { UsageBuckets, Usage } from '../answers/usage.ts'
import { ALL_COUNTS_INSIDE, countCacheWrites, hasTokenCounts, toDisjointCounts } from '../answers/usage.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { parseTokenCount } from '../openai-chat/usage.ts'
import { toPriceForm } from '../requests/price-words.ts'
import { MESSAGES_SERVICE_TIERS, findServedTier, buildServiceTierField } from '../requests/service-tier.ts'

/** Counters of hosted tools, by the names that the tool prices use. */
const TOOLS = { web_search: 'web_search_requests', web_fetch: 'web_fetch_requests' } as const

/** Cached tokens are counted in addition to the plain input, reasoning as part of the output. */
export const USAGE_BUCKETS: UsageBuckets = {
  ...ALL_COUNTS_INSIDE,
  cache_read: 'beside',
  cache_write: 'beside',
  cache_write_1h: 'beside',
}

/** Returns the counters of a usage object; undefined if it is none or counts nothing. */
export function parseUsage(value: unknown): Usage | undefined {
  const usage = asObject(value)
  if (!usage) return undefined
  // The model may have run several times for one answer. Only then are the sums in `iterations`.
  const turns = asList(usage.iterations)
  const sum = (read: (turn: unknown) => number) =>
    turns?.length ? turns.reduce<number>((all, turn) => all + read(turn), 0) : read(usage)
  const counted = (key: string) => sum((turn) => parseTokenCount(getMember(turn, key)))
  const countWrites = (key: string) =>
    Math.max(
      sum((turn) => parseTokenCount(getMember(getMember(turn, 'cache_creation'), key))),
      parseTokenCount(getMember(usage.cache_creation, key)),
    )
  const written = counted('cache_creation_input_tokens')
  const read = toDisjointCounts(
    {
      prompt: counted('input_tokens'),
      answer: counted('output_tokens'),
      total: 0,
      cache_read: counted('cache_read_input_tokens'),
      ...countCacheWrites(written, countWrites('ephemeral_5m_input_tokens'), countWrites('ephemeral_1h_input_tokens')),
      audio_in: 0,
      image_in: 0,
      audio_out: 0,
      image_out: 0,
      reasoning: parseTokenCount(getMember(usage.output_tokens_details, 'thinking_tokens')),
    },
    USAGE_BUCKETS,
  )
  const calls = parseToolCalls(usage.server_tool_use)
  if (!calls && !hasTokenCounts(read)) return undefined
  const geo = toPriceForm(asText(usage.inference_geo) ?? '')
  return {
    ...read,
    ...(calls ? { calls } : {}),
    ...findServedTier(usage.speed, usage.service_tier),
    ...(geo ? { inference_geo: geo } : {}),
  }
}

function parseToolCalls(value: unknown): Usage['calls'] {
  const calls = Object.entries(TOOLS).flatMap(([tool, key]) => {
    const n = parseTokenCount(getMember(value, key))
    return n > 0 ? [[tool, n] as const] : []
  })
  return calls.length > 0 ? Object.fromEntries(calls) : undefined
}

/** A service tier that this format calls a speed. */
const FAST = 'fast'

const OF_PROMPT = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']

/**
 * Merges a stream's usage so far with a later report. Counts are totals, so a later one replaces an earlier one. Some
 * servers count the prompt only at the start and send zeros at the end; these are ignored.
 */
export function mergeLaterUsage(sofar: JsonObject, report: unknown): JsonObject {
  const counts = Object.entries(asObject(report) ?? {}).filter(([, value]) => value !== null)
  const prompt = OF_PROMPT.some((key) => parseTokenCount(getMember(report, key)) > 0)
  return { ...sofar, ...Object.fromEntries(prompt ? counts : counts.filter(([key]) => !OF_PROMPT.includes(key))) }
}

/** Writes a usage object in Anthropic's format. */
export function writeUsageObject(usage: Usage): JsonObject {
  const { input, cache_read, cache_write, cache_write_1h, output, reasoning, calls, inference_geo } = usage
  const used = Object.entries(TOOLS).map(([tool, key]) => [key, calls?.[tool] ?? 0] as const)
  return {
    input_tokens: input,
    cache_creation_input_tokens: cache_write + cache_write_1h,
    cache_read_input_tokens: cache_read,
    cache_creation: { ephemeral_5m_input_tokens: cache_write, ephemeral_1h_input_tokens: cache_write_1h },
    output_tokens: output,
    output_tokens_details: reasoning > 0 ? { thinking_tokens: reasoning } : null,
    server_tool_use: used.some(([, n]) => n > 0) ? Object.fromEntries(used) : null,
    service_tier: 'standard',
    ...buildServiceTierField(MESSAGES_SERVICE_TIERS, usage),
    ...(usage.service_tier === FAST ? { speed: FAST } : {}),
    inference_geo: inference_geo ?? null,
  }
}

// Writes searches of another vendor in Anthropic's format. Their results are not encrypted by Anthropic, which would
// refuse them in a history.

/** Id prefixes of Anthropic's searches and of other vendors' searches. */
export const OWN_SEARCH_PREFIX = 'srvtoolu_'
export const FOREIGN_SEARCH_PREFIX = `${OWN_SEARCH_PREFIX}weir_`

/** Is the block the call or the result of a foreign search? */
export const isForeignSearch = ({ type, id, tool_use_id }: JsonObject): boolean =>
  (type === 'server_tool_use' && isForeign(id)) || (type === 'web_search_tool_result' && isForeign(tool_use_id))

const isForeign = (id: unknown): boolean => asText(id)?.startsWith(FOREIGN_SEARCH_PREFIX) ?? false
