// Google's usageMetadata, brought to disjoint counters, and the other way (billing reference, section 4.0).
import type { Usage } from '../dialect.ts'
import { listIn, objectIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import { count, serviceTier } from '../openai-chat/usage.ts'
import { field } from './fields.ts'

/** Tokens of one modality in a list of details. */
const ofModality = (details: unknown, modality: string): number =>
  (listIn(details) ?? []).reduce<number>(
    (sum, one) => (field(one, 'modality') === modality ? sum + count(field(one, 'tokenCount')) : sum),
    0,
  )

/**
 * Disjoint counters; undefined where nothing is counted. Google counts cached tokens inside the prompt, what its own
 * tools brought and thoughts outside of prompt and answer, and sometimes the answer only in the total.
 * @param calls of Google's own tools, which the answer tells beside its usage
 */
export function usageIn(metadata: unknown, calls: Usage['calls']): Usage | undefined {
  if (!objectIn(metadata)) return undefined
  const counted = (name: string) => count(field(metadata, name))
  const asked = counted('promptTokenCount')
  const prompt = asked + counted('toolUsePromptTokenCount')
  const thoughts = counted('thoughtsTokenCount')
  const output = Math.max(counted('candidatesTokenCount') + thoughts, counted('totalTokenCount') - prompt)
  if (prompt + output === 0) return undefined
  const cache_read = Math.min(counted('cachedContentTokenCount'), prompt)
  const input = prompt - cache_read
  const inside = (modality: string) =>
    ofModality(field(metadata, 'promptTokensDetails'), modality) -
    ofModality(field(metadata, 'cacheTokensDetails'), modality)
  const answered = field(metadata, 'candidatesTokensDetails')
  const part = (tokens: number, whole: number) => (tokens > 0 ? Math.min(tokens, whole) : 0)
  const audio_in = part(inside('AUDIO'), input)
  const image_in = part(inside('IMAGE'), input - audio_in)
  const audio_out = part(ofModality(answered, 'AUDIO'), output)
  const image_out = part(ofModality(answered, 'IMAGE'), output - audio_out)
  return {
    input,
    cache_read,
    cache_write: 0,
    cache_write_1h: 0,
    output,
    reasoning: Math.min(thoughts, output),
    ...(audio_in ? { audio_in } : {}),
    ...(image_in ? { image_in } : {}),
    ...(audio_out ? { audio_out } : {}),
    ...(image_out ? { image_out } : {}),
    ...(calls ? { calls } : {}),
    ...serviceTier(field(metadata, 'serviceTier')),
    source: 'reported',
  }
}

const details = (whole: number, audio = 0, image = 0): JsonObject[] =>
  [
    { modality: 'TEXT', tokenCount: whole - audio - image },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ].filter(({ tokenCount }) => tokenCount > 0)

/** A usageMetadata object as Google spells it. */
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
    serviceTier: usage.service_tier,
  })
}
