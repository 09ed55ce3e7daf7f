// Converts usage objects of OpenAI-like providers to disjoint counters (docs/billing.md, 4.0).
import { ALL_COUNTS_INSIDE, countCacheWrites, hasTokenCounts, toDisjointCounts, type Usage } from '../answers/usage.ts'
import { getMember, asObject, type JsonObject } from '../json/json-value.ts'
import { CHAT_SERVICE_TIERS, findServedTier, buildServiceTierField } from '../requests/service-tier.ts'

/** No honest report is larger (tokens). The limit keeps a charge from overflowing. */
const MAX_COUNT = 2 ** 31

/** Returns a count as whole tokens in 0..2^31 for any value. */
export function parseTokenCount(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0
  return value >= MAX_COUNT ? MAX_COUNT : Math.trunc(value)
}

/** Returns the first of the spellings with a count; providers often send a zero next to the true figure. */
function firstCount(...values: unknown[]): number {
  for (const value of values) {
    const count = parseTokenCount(value)
    if (count > 0) return count
  }
  return 0
}

/** How the counts of OpenAI, and of providers that use its format, overlap. */
export const USAGE_BUCKETS = ALL_COUNTS_INSIDE

/**
 * Returns the disjoint counters of a usage object; undefined if it is none, or all its counters are zero. Spellings:
 * OpenAI `prompt_tokens_details.cached_tokens`, DeepSeek `prompt_cache_hit_tokens`, Moonshot and Together
 * `cached_tokens`, resellers of Anthropic `cache_creation_input_tokens`, OpenRouter `cache_write_tokens`. xAI counts
 * reasoning outside `completion_tokens` but inside the total.
 */
export function parseUsage(value: unknown): Usage | undefined {
  const usage = asObject(value)
  if (!usage) return undefined
  const inDetail = usage.prompt_tokens_details ?? usage.input_tokens_details
  const outDetail = usage.completion_tokens_details ?? usage.output_tokens_details
  const written = firstCount(
    getMember(inDetail, 'cache_write_tokens'),
    getMember(inDetail, 'cache_creation_tokens'),
    usage.cache_creation_input_tokens,
  )
  const countWrites = (key: string) => parseTokenCount(getMember(usage.cache_creation, key))
  // A provider may report cached audio and images separately: only the uncached rest of each counts as input.
  const cached = getMember(inDetail, 'cached_tokens_details')
  const plain = (key: string) =>
    Math.max(0, parseTokenCount(getMember(inDetail, key)) - parseTokenCount(getMember(cached, key)))
  const read = toDisjointCounts(
    {
      prompt: firstCount(usage.prompt_tokens, usage.input_tokens),
      answer: firstCount(usage.completion_tokens, usage.output_tokens),
      total: parseTokenCount(usage.total_tokens),
      cache_read: firstCount(
        getMember(inDetail, 'cached_tokens'),
        usage.prompt_cache_hit_tokens,
        usage.cached_tokens,
        usage.cache_read_input_tokens,
      ),
      ...countCacheWrites(written, countWrites('ephemeral_5m_input_tokens'), countWrites('ephemeral_1h_input_tokens')),
      audio_in: plain('audio_tokens'),
      image_in: plain('image_tokens'),
      audio_out: parseTokenCount(getMember(outDetail, 'audio_tokens')),
      image_out: parseTokenCount(getMember(outDetail, 'image_tokens')),
      reasoning: firstCount(getMember(outDetail, 'reasoning_tokens'), usage.reasoning_tokens),
    },
    USAGE_BUCKETS,
  )
  return hasTokenCounts(read) ? withTier(read, usage.service_tier) : undefined
}

/**
 * Returns the usage of a chunk or of a whole answer: at the top level, in Groq's `x_groq`, or (Moonshot) inside a
 * choice; with the service tier next to it.
 */
export function parseAnswerUsage(chunk: JsonObject): Usage | undefined {
  const usage = parseUsage(chunk.usage) ?? parseUsage(getMember(chunk.x_groq, 'usage')) ?? usageInChoice(chunk.choices)
  return usage && withTier(usage, chunk.service_tier, usage.service_tier)
}

function withTier(usage: Usage, ...reported: unknown[]): Usage {
  const { service_tier } = findServedTier(...reported)
  return service_tier === undefined || service_tier === usage.service_tier ? usage : { ...usage, service_tier }
}

function usageInChoice(choices: unknown): Usage | undefined {
  if (!Array.isArray(choices)) return undefined
  for (const choice of choices) {
    const usage = parseUsage(getMember(choice, 'usage'))
    if (usage) return usage
  }
  return undefined
}

/** Writes the usage and service tier of a chunk or an answer. */
export const writeUsageMembers = (usage: Usage): JsonObject => ({
  usage: writeUsageObject(usage),
  ...buildServiceTierField(CHAT_SERVICE_TIERS, usage),
})

/** Writes a usage object in OpenAI's spelling. */
export function writeUsageObject(usage: Usage): JsonObject {
  const { cache_read, cache_write_1h, reasoning, audio_in, image_in, audio_out, image_out } = usage
  const writes = usage.cache_write + cache_write_1h
  const prompt = usage.input + cache_read + writes
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: cache_read,
      ...(writes > 0 ? { cache_write_tokens: writes } : {}),
      ...(audio_in ? { audio_tokens: audio_in } : {}),
      ...(image_in ? { image_tokens: image_in } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      ...(audio_out ? { audio_tokens: audio_out } : {}),
      ...(image_out ? { image_tokens: image_out } : {}),
    },
    ...(cache_write_1h > 0 ? { cache_creation: { ephemeral_1h_input_tokens: cache_write_1h } } : {}),
  }
}
