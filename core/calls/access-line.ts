// Builds the access log entry of a finished call: numbers and names that operators chose, never content.
import { getChargedPromptSize } from '../pricing/usage-detail.ts'
import type { CallRecord } from './call-record.ts'
import { getFailureCode } from './failure-text.ts'

/** Times in ms, counts in tokens, `quota` in quota units. */
export interface AccessedCall {
  operation: string
  stream: boolean
  /** The requested model, and the fallback model if that one answered. */
  model: string
  served?: string
  group: string
  /** Channel of the last attempt; 0 for none. */
  channel_id: number
  attempts: number
  user_id: number
  /** 0 for a call without a token. */
  token_id: number
  status: CallRecord['status']
  first_content_ms: number | null
  prompt_tokens: number
  completion_tokens: number
  quota: number
  error?: string
}

export function toAccessLogEntry(record: CallRecord): AccessedCall {
  const { models, attempts, payer, usage, failure } = record
  const call: AccessedCall = {
    operation: record.operation,
    stream: record.stream,
    model: models.requested,
    group: record.terms.group,
    channel_id: attempts.at(-1)?.channel_id ?? 0,
    attempts: attempts.length,
    user_id: payer.user_id,
    token_id: payer.token_id,
    status: record.status,
    first_content_ms: record.first_content_ms,
    prompt_tokens: usage ? getChargedPromptSize(usage, record.cached) : 0,
    completion_tokens: usage?.output ?? 0,
    quota: record.charge.quota,
  }
  if (models.served !== models.requested) call.served = models.served
  if (failure) call.error = getFailureCode(failure)
  return call
}
