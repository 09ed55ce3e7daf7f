// Converts Google's usageMetadata to disjoint counters, and back (docs/billing.md, 4.0).
import { ALL_COUNTS_INSIDE, type UsageBuckets, hasTokenCounts, toDisjointCounts, type Usage } from '../answers/usage.ts'
import { changeTopMembers, toJsonBytes } from '../json/json-bytes.ts'
import { asList, asObject, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { parseTokenCount } from '../openai-chat/usage.ts'
import { GEMINI_SERVICE_TIERS, findServedTier, buildServiceTierField } from '../requests/service-tier.ts'
import { getEitherSpelling } from './fields.ts'

/** Sums the tokens of one modality in a list of details. */
const ofModality = (details: unknown, modality: string): number =>
  (asList(details) ?? []).reduce<number>(
    (sum, one) =>
      getEitherSpelling(one, 'modality') === modality
        ? sum + parseTokenCount(getEitherSpelling(one, 'tokenCount'))
        : sum,
    0,
  )

/** Cached tokens are included in the prompt; reasoning is not included in the answer. */
export const USAGE_BUCKETS: UsageBuckets = { ...ALL_COUNTS_INSIDE, reasoning: 'beside' }

/**
 * Returns the disjoint counters; undefined if nothing is counted. Results of Google's own tools are not included in the
 * prompt, and sometimes the answer is only part of the total.
 * @param calls calls of Google's own tools, which the answer reports next to its usage
 */
export function parseUsage(metadata: unknown, calls: Usage['calls']): Usage | undefined {
  if (!asObject(metadata)) return undefined
  const counted = (name: string) => parseTokenCount(getEitherSpelling(metadata, name))
  const promptDetails = getEitherSpelling(metadata, 'promptTokensDetails')
  const cached = getEitherSpelling(metadata, 'cacheTokensDetails')
  const answered = getEitherSpelling(metadata, 'candidatesTokensDetails')
  // Cached tokens are reported per modality: the rest of each modality is uncached.
  const plain = (modality: string) => Math.max(0, ofModality(promptDetails, modality) - ofModality(cached, modality))
  const read = toDisjointCounts(
    {
      prompt: counted('promptTokenCount') + counted('toolUsePromptTokenCount'),
      answer: counted('candidatesTokenCount'),
      total: counted('totalTokenCount'),
      cache_read: counted('cachedContentTokenCount'),
      cache_write: 0,
      cache_write_1h: 0,
      audio_in: plain('AUDIO'),
      image_in: plain('IMAGE'),
      audio_out: ofModality(answered, 'AUDIO'),
      image_out: ofModality(answered, 'IMAGE'),
      reasoning: counted('thoughtsTokenCount'),
    },
    USAGE_BUCKETS,
  )
  if (!calls && !hasTokenCounts(read)) return undefined
  return { ...read, ...(calls ? { calls } : {}), ...findServedTier(getEitherSpelling(metadata, 'serviceTier')) }
}

const details = (whole: number, audio = 0, image = 0): JsonObject[] =>
  [
    { modality: 'TEXT', tokenCount: whole - audio - image },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ].filter(({ tokenCount }) => tokenCount > 0)

/** Adds the usage to an answer, or to a chunk of one. */
export const addUsageMetadata = (json: Uint8Array, usage: Usage): Uint8Array =>
  changeTopMembers(json, new Map([['usageMetadata', toJsonBytes(writeUsageMetadata(usage))]]))

/** Writes a usageMetadata object in Google's spelling. */
export function writeUsageMetadata(usage: Usage): JsonObject {
  const { cache_read, output, reasoning, audio_in, image_in, audio_out, image_out } = usage
  const prompt = usage.input + cache_read + usage.cache_write + usage.cache_write_1h
  const answered = audio_out || image_out ? details(output - reasoning, audio_out, image_out) : undefined
  return omitUndefinedMembers({
    promptTokenCount: prompt,
    cachedContentTokenCount: cache_read || undefined,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning || undefined,
    totalTokenCount: prompt + output,
    promptTokensDetails: details(prompt, audio_in, image_in),
    candidatesTokensDetails: answered,
    serviceTier: buildServiceTierField(GEMINI_SERVICE_TIERS, usage).service_tier,
  })
}
