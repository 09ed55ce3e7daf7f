// Usage objects of OpenAI-like providers, brought to disjoint counters (billing reference, section 4.0).
import type { Usage } from '../dialect.ts'
import { memberOf, objectIn, type JsonObject } from '../json-value.ts'

/** No honest report is larger (tokens): what is beyond cannot make a charge overflow. */
const MAX_COUNT = 2 ** 31

/** A count as whole tokens in 0..2^31, whatever was sent for it. */
function count(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0
  return value >= MAX_COUNT ? MAX_COUNT : Math.trunc(value)
}

/** The first of the spellings that counts something; providers often send a zero beside the true figure. */
const firstOf = (...values: unknown[]): number => values.map(count).find((value) => value > 0) ?? 0

/**
 * Disjoint counters from a usage object; undefined when it is none, or all its counters are zero.
 * Spellings: OpenAI `prompt_tokens_details.cached_tokens`, DeepSeek `prompt_cache_hit_tokens`, Moonshot and Together
 * `cached_tokens`, resellers of Anthropic `cache_creation_input_tokens`, OpenRouter `cache_write_tokens`.
 */
export function usageIn(value: unknown): Usage | undefined {
  const usage = objectIn(value)
  if (!usage) return undefined
  const prompt = firstOf(usage.prompt_tokens, usage.input_tokens)
  const completion = firstOf(usage.completion_tokens, usage.output_tokens)
  const total = count(usage.total_tokens)
  // xAI and Gemini count reasoning outside completion_tokens but inside the total.
  const output = total > prompt + completion ? total - prompt : completion
  if (prompt + output === 0) return undefined

  const inDetail = usage.prompt_tokens_details ?? usage.input_tokens_details
  const cached = firstOf(
    memberOf(inDetail, 'cached_tokens'),
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.cache_read_input_tokens,
  )
  const written = firstOf(
    memberOf(inDetail, 'cache_write_tokens'),
    memberOf(inDetail, 'cache_creation_tokens'),
    usage.cache_creation_input_tokens,
  )
  // Some report more cached tokens than prompt tokens: parts never exceed the whole.
  const cacheRead = Math.min(cached, prompt)
  const writes = Math.min(written, prompt - cacheRead)
  const longWrites = Math.min(count(memberOf(usage.cache_creation, 'ephemeral_1h_input_tokens')), writes)
  const outDetail = usage.completion_tokens_details ?? usage.output_tokens_details
  return {
    input: prompt - cacheRead - writes,
    cache_read: cacheRead,
    cache_write: writes - longWrites,
    cache_write_1h: longWrites,
    output,
    reasoning: Math.min(firstOf(memberOf(outDetail, 'reasoning_tokens'), usage.reasoning_tokens), output),
    source: 'reported',
  }
}

/** The usage of a chunk or of a whole answer: at the top, in Groq's own corner, or (Moonshot) inside a choice. */
export function usageOf(chunk: JsonObject): Usage | undefined {
  const own = usageIn(chunk.usage) ?? usageIn(memberOf(chunk.x_groq, 'usage'))
  if (own || !Array.isArray(chunk.choices)) return own
  for (const choice of chunk.choices) {
    const usage = usageIn(memberOf(choice, 'usage'))
    if (usage) return usage
  }
  return undefined
}

/** The other way: a usage object as OpenAI spells it. */
export function writeUsage(usage: Usage): JsonObject {
  const writes = usage.cache_write + usage.cache_write_1h
  const prompt = usage.input + usage.cache_read + writes
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cache_read, ...(writes > 0 ? { cache_write_tokens: writes } : {}) },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
    ...(usage.cache_write_1h > 0 ? { cache_creation: { ephemeral_1h_input_tokens: usage.cache_write_1h } } : {}),
  }
}
