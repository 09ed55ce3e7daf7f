// Converts Google's usageMetadata to disjoint counters, and back (docs/billing.md, 4.0).
import { ALL_INSIDE, type Buckets, countsTokens, toDisjointCounts, type Usage } from '../usage.ts'
import { changeMembers, jsonBytes } from '../json-bytes.ts'
import { asList, asObject, withoutUndefined, type JsonObject } from '../json-value.ts'
import { parseCount } from '../openai-chat/usage.ts'
import { GEMINI_TIERS, findServedTier, getFormatTier } from '../service-tier.ts'
import { eitherField } from './fields.ts'

/** Sums the tokens of one modality in a list of details. */
const ofModality = (details: unknown, modality: string): number =>
  (asList(details) ?? []).reduce<number>(
    (sum, one) => (eitherField(one, 'modality') === modality ? sum + parseCount(eitherField(one, 'tokenCount')) : sum),
    0,
  )

/** Cached tokens are included in the prompt; reasoning is not included in the answer. */
export const BUCKETS: Buckets = { ...ALL_INSIDE, reasoning: 'beside' }

/**
 * Returns the disjoint counters; undefined if nothing is counted. Results of Google's own tools are not included in the
 * prompt, and sometimes the answer is only part of the total.
 * @param calls calls of Google's own tools, which the answer reports next to its usage
 */
export function parseUsage(metadata: unknown, calls: Usage['calls']): Usage | undefined {
  if (!asObject(metadata)) return undefined
  const counted = (name: string) => parseCount(eitherField(metadata, name))
  const promptDetails = eitherField(metadata, 'promptTokensDetails')
  const cached = eitherField(metadata, 'cacheTokensDetails')
  const answered = eitherField(metadata, 'candidatesTokensDetails')
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
    BUCKETS,
  )
  if (!calls && !countsTokens(read)) return undefined
  return { ...read, ...(calls ? { calls } : {}), ...findServedTier(eitherField(metadata, 'serviceTier')) }
}

const details = (whole: number, audio = 0, image = 0): JsonObject[] =>
  [
    { modality: 'TEXT', tokenCount: whole - audio - image },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ].filter(({ tokenCount }) => tokenCount > 0)

/** Adds the usage to an answer, or to a chunk of one. */
export const withUsage = (json: Uint8Array, usage: Usage): Uint8Array =>
  changeMembers(json, new Map([['usageMetadata', jsonBytes(writeUsage(usage))]]))

/** Writes a usageMetadata object in Google's spelling. */
export function writeUsage(usage: Usage): JsonObject {
  const { cache_read, output, reasoning, audio_in, image_in, audio_out, image_out } = usage
  const prompt = usage.input + cache_read + usage.cache_write + usage.cache_write_1h
  const answered = audio_out || image_out ? details(output - reasoning, audio_out, image_out) : undefined
  return withoutUndefined({
    promptTokenCount: prompt,
    cachedContentTokenCount: cache_read || undefined,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning || undefined,
    totalTokenCount: prompt + output,
    promptTokensDetails: details(prompt, audio_in, image_in),
    candidatesTokensDetails: answered,
    serviceTier: getFormatTier(GEMINI_TIERS, usage).service_tier,
  })
}
