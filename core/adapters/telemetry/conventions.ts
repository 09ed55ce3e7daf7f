// A finished call in the words of OpenTelemetry's conventions for generative AI
// (github.com/open-telemetry/semantic-conventions-genai). Names and numbers alone: nothing of what was asked or answered,
// and no provider's own words, which may repeat it.
import type { Attributes } from '@opentelemetry/api'
import type { Attempt, CallRecord } from '../../calls/call-record.ts'
import { getFailureCode } from '../../calls/failure-text.ts'
import type { Usage } from '../../dialects/usage.ts'
import { wholePrompt } from '../../pricing/token-sums.ts'
import { findProvider } from '../../providers/index.ts'

/** Providers that the conventions have their own name for; others go by their id here. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  aws: 'aws.bedrock',
  azure: 'azure.ai.openai',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  palm: 'gcp.gen_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

export function providerName(type: number): string {
  const id = findProvider(type)?.id ?? 'unknown'
  return PROVIDER_NAMES[id] ?? id
}

/** What is asked for; operations that the conventions do not have go by their name here. */
export const operationName = ({ operation, dialect }: Pick<CallRecord, 'operation' | 'dialect'>): string =>
  dialect === 'openai-completions' ? 'text_completion' : operation

/** Why an attempt failed, in a word that has few others; undefined where it did not. */
export function errorOfAttempt(record: CallRecord, attempt: Attempt): string | undefined {
  if (attempt.failure) return getFailureCode(attempt.failure)
  // It began to answer, and did not come to its end.
  const isCut = attempt.result === 'answered' && record.status !== 'complete' && record.failure
  return isCut && attempt === record.attempts.at(-1) ? getFailureCode(isCut) : undefined
}

/** What both spans and metrics say of an attempt. */
export const attemptAttributes = (record: CallRecord, attempt: Attempt): Attributes => ({
  'gen_ai.operation.name': operationName(record),
  'gen_ai.provider.name': providerName(attempt.channel_type),
  'gen_ai.request.model': attempt.model,
})

/** Tokens, of what was used. Unit: tokens. */
export function addUsage(attributes: Attributes, usage: Usage): void {
  const input = wholePrompt(usage)
  // What is sold by the piece has none.
  if (input + usage.output === 0) return
  attributes['gen_ai.usage.input_tokens'] = input
  attributes['gen_ai.usage.output_tokens'] = usage.output
  const written = usage.cache_write + usage.cache_write_1h
  if (usage.cache_read > 0) attributes['gen_ai.usage.cache_read.input_tokens'] = usage.cache_read
  if (written > 0) attributes['gen_ai.usage.cache_write.input_tokens'] = written
  if (usage.reasoning > 0) attributes['gen_ai.usage.reasoning.output_tokens'] = usage.reasoning
  if (usage.audio_in) attributes['gen_ai.usage.audio.input_tokens'] = usage.audio_in
  if (usage.audio_out) attributes['gen_ai.usage.audio.output_tokens'] = usage.audio_out
  if (usage.image_in) attributes['gen_ai.usage.image.input_tokens'] = usage.image_in
  if (usage.image_out) attributes['gen_ai.usage.image.output_tokens'] = usage.image_out
}
