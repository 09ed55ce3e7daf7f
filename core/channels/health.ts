// Decides when a channel is disabled automatically (docs/relay.md, 10).
import type { CallFailure } from '../dialects/call-failure.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'

/** Error codes of several providers for a bad key or account. */
const CODES = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'insufficient_quota',
  'API_KEY_INVALID',
  'InvalidApiKey',
  'Arrearage',
  '1113',
])
const TYPES = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'billing_error',
  'forbidden',
])

/**
 * Returns true if the failure shows that the channel's key or account is bad, so that the channel should be disabled.
 */
export function shouldDisableChannel(
  failure: CallFailure,
  channel: { auto_ban: number; type: number },
  settings: Pick<Settings, 'AutomaticDisableChannelEnabled' | 'AutomaticDisableKeywords'>,
): boolean {
  if (!settings.AutomaticDisableChannelEnabled || channel.auto_ban !== 1 || failure.source !== 'upstream') return false
  if (failure.status === 401 || failure.status === 402) return true
  if (CODES.has(String(failure.code)) || TYPES.has(failure.type)) return true
  if (findProvider(channel.type)?.accountFailed?.(failure)) return true
  const message = failure.message.toLowerCase()
  return settings.AutomaticDisableKeywords.split('\n').some((line) => {
    const word = line.trim().toLowerCase()
    return word !== '' && message.includes(word)
  })
}

/** The reason as the channel list and the notice show it. */
export const describeFailure = ({ status, message }: Pick<CallFailure, 'status' | 'message'>): string =>
  `status code ${status}: ${message}`
