// When a channel is switched off by itself (relay reference, section 10).
import type { CallFailure } from '../dialects/dialect.ts'
import type { Settings } from '../settings/index.ts'

const CODES = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active', 'insufficient_quota'])
const TYPES = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])
const GEMINI_TYPE = 24

/** Does this failure say that the channel's key or account is bad, so that it should be switched off? */
export function disables(
  failure: CallFailure,
  channel: { auto_ban: number; type: number },
  settings: Pick<Settings, 'AutomaticDisableChannelEnabled' | 'AutomaticDisableKeywords'>,
): boolean {
  if (!settings.AutomaticDisableChannelEnabled || channel.auto_ban !== 1 || failure.source !== 'upstream') return false
  if (failure.status === 401 || failure.status === 402) return true
  if (failure.status === 403 && channel.type === GEMINI_TYPE) return true
  if (CODES.has(String(failure.code)) || TYPES.has(failure.type)) return true
  const message = failure.message.toLowerCase()
  return settings.AutomaticDisableKeywords.split('\n').some((line) => {
    const word = line.trim().toLowerCase()
    return word !== '' && message.includes(word)
  })
}
