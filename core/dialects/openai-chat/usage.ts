// Usage objects of OpenAI-like providers, brought to disjoint counters (docs/billing.md, 4.0).
import { ALL_INSIDE, cacheWrites, countsTokens, disjoint } from '../buckets.ts'
import type { Usage } from '../usage.ts'
import { getMember, asObject, type JsonObject } from '../json-value.ts'
import { CHAT_TIERS, servedTier, tierAmong } from '../service-tier.ts'

/** No honest report is larger (tokens): what is beyond cannot make a charge overflow. */
const MAX_COUNT = 2 ** 31

/** A count as whole tokens in 0..2^31, whatever was sent for it. */
export function countIn(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0
  return value >= MAX_COUNT ? MAX_COUNT : Math.trunc(value)
}

/** The first of the spellings that counts something; providers often send a zero beside the true figure. */
function firstOf(...values: unknown[]): number {
  for (const value of values) {
    const count = countIn(value)
    if (count > 0) return count
  }
  return 0
}

/** Where OpenAI and those who speak as it does count what is cached, heard, seen, said and thought. */
export const BUCKETS = ALL_INSIDE

/**
 * Disjoint counters from a usage object; undefined when it is none, or all its counters are zero.
 * Spellings: OpenAI `prompt_tokens_details.cached_tokens`, DeepSeek `prompt_cache_hit_tokens`, Moonshot and Together
 * `cached_tokens`, resellers of Anthropic `cache_creation_input_tokens`, OpenRouter `cache_write_tokens`. xAI counts
 * reasoning outside `completion_tokens` but inside the total.
 */
export function parseUsage(value: unknown): Usage | undefined {
  const usage = asObject(value)
  if (!usage) return undefined
  const inDetail = usage.prompt_tokens_details ?? usage.input_tokens_details
  const outDetail = usage.completion_tokens_details ?? usage.output_tokens_details
  const written = firstOf(
    getMember(inDetail, 'cache_write_tokens'),
    getMember(inDetail, 'cache_creation_tokens'),
    usage.cache_creation_input_tokens,
  )
  const lasting = (key: string) => countIn(getMember(usage.cache_creation, key))
  // A provider may report cached sound and pictures apart: only the uncached rest of each counts as input.
  const cached = getMember(inDetail, 'cached_tokens_details')
  const plain = (key: string) => Math.max(0, countIn(getMember(inDetail, key)) - countIn(getMember(cached, key)))
  const read = disjoint(
    {
      prompt: firstOf(usage.prompt_tokens, usage.input_tokens),
      answer: firstOf(usage.completion_tokens, usage.output_tokens),
      total: countIn(usage.total_tokens),
      cache_read: firstOf(
        getMember(inDetail, 'cached_tokens'),
        usage.prompt_cache_hit_tokens,
        usage.cached_tokens,
        usage.cache_read_input_tokens,
      ),
      ...cacheWrites(written, lasting('ephemeral_5m_input_tokens'), lasting('ephemeral_1h_input_tokens')),
      audio_in: plain('audio_tokens'),
      image_in: plain('image_tokens'),
      audio_out: countIn(getMember(outDetail, 'audio_tokens')),
      image_out: countIn(getMember(outDetail, 'image_tokens')),
      reasoning: firstOf(getMember(outDetail, 'reasoning_tokens'), usage.reasoning_tokens),
    },
    BUCKETS,
  )
  return countsTokens(read) ? withTier(read, usage.service_tier) : undefined
}

/**
 * The usage of a chunk or of a whole answer: at the top, in Groq's own corner, or (Moonshot) inside a choice; with the
 * service tier, which stands beside it.
 */
export function usageOf(chunk: JsonObject): Usage | undefined {
  const usage = parseUsage(chunk.usage) ?? parseUsage(getMember(chunk.x_groq, 'usage')) ?? usageInChoice(chunk.choices)
  return usage && withTier(usage, chunk.service_tier, usage.service_tier)
}

function withTier(usage: Usage, ...reported: unknown[]): Usage {
  const { service_tier } = servedTier(...reported)
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

/** The other way: the members of a chunk or an answer that tell usage and service tier. */
export const usageMembers = (usage: Usage): JsonObject => ({
  usage: writeUsage(usage),
  ...tierAmong(CHAT_TIERS, usage),
})

/** A usage object as OpenAI spells it. */
export function writeUsage(usage: Usage): JsonObject {
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
