// A finished call in OpenTelemetry's semantic conventions for generative AI
// (github.com/open-telemetry/semantic-conventions-genai). Only names and numbers: no content of requests or answers,
// and no provider messages, which may repeat it.
import type { Attributes } from '@opentelemetry/api'
import type { Attempt, CallRecord } from '../../calls/call-record.ts'
import { getFailureCode } from '../../calls/failure-text.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import { countPromptTokens } from '../../pricing/token-sums.ts'
import { findProvider } from '../../providers/index.ts'

/** Providers with a name in the conventions; the others use their id. */
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

export function getProviderName(type: number): string {
  const id = findProvider(type)?.id ?? 'unknown'
  return PROVIDER_NAMES[id] ?? id
}

/** Returns the operation's name. Operations outside of the conventions keep their own name. */
export const getOperationName = ({ operation, dialect }: Pick<CallRecord, 'operation' | 'dialect'>): string =>
  dialect === 'openai-completions' ? 'text_completion' : operation

/** Returns the error code of an attempt, a low-cardinality word; undefined if it succeeded. */
export function getAttemptError(record: CallRecord, attempt: Attempt): string | undefined {
  if (attempt.failure) return getFailureCode(attempt.failure)
  // True if the answer started and did not complete.
  const isCut = attempt.result === 'answered' && record.status !== 'complete' && record.failure
  return isCut && attempt === record.attempts.at(-1) ? getFailureCode(isCut) : undefined
}

/** Returns the attributes that spans and metrics of an attempt share. */
export const buildAttemptAttributes = (record: CallRecord, attempt: Attempt): Attributes => ({
  'gen_ai.operation.name': getOperationName(record),
  'gen_ai.provider.name': getProviderName(attempt.channel_type),
  'gen_ai.request.model': attempt.model,
})

/** Adds the used tokens. Unit: tokens. */
export function addUsageAttributes(attributes: Attributes, usage: Usage): void {
  const input = countPromptTokens(usage)
  // Calls priced per item have no tokens.
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
