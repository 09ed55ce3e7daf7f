// After a failed attempt: the next channel, or stop (docs/relay.md, 6).
import type { CallFailure } from '../dialects/call-failure.ts'
import { findProvider } from '../providers/index.ts'

/** Failures of a channel or of the way to it, not of the request: another channel may do better. */
const CHANNEL_FAULTS = new Set<CallFailure['code']>([
  'do_request_failed',
  'bad_response',
  'bad_response_body',
  'upstream_timeout',
  'untranslatable_request',
  'invalid_api_type',
  'invalid_base_url',
  'invalid_channel_key',
  'invalid_channel_field',
])

/** The channel's format cannot say the request: known before anything is sent. */
export const isUntranslatable = ({ source, code }: CallFailure): boolean =>
  source === 'gateway' && code === 'untranslatable_request'

/** May another channel be tried after this failure, as long as nothing was sent to the caller? */
export function mayRetry(failure: CallFailure, channelType: number): boolean {
  const { status } = failure
  if (failure.source === 'gateway') return CHANNEL_FAULTS.has(failure.code)
  if (status >= 200 && status < 300) return false
  if (status === 400) return findProvider(channelType)?.retries_bad_requests === true
  return status !== 408 && status !== 504 && status !== 524
}
