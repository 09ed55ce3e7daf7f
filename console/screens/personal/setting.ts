// The form of the warnings, and its validation.
import type { words } from './texts.ts'

export const blankSetting = {
  notify_type: 'email' as 'email' | 'webhook',
  /** In quota units. */
  quota_warning_threshold: 500_000,
  webhook_url: '',
  webhook_secret: '',
  notification_email: '',
  accept_unset_model_ratio_model: false,
}
export type SettingDraft = typeof blankSetting

export const THRESHOLDS = [100_000, 500_000, 1_000_000, 5_000_000]

export type WrongSetting = Partial<Record<keyof SettingDraft, string>>

export function findSettingErrors(draft: SettingDraft, t: (typeof words)['en']): WrongSetting {
  const { notify_type, webhook_url, quota_warning_threshold, notification_email } = draft
  const isHook = notify_type === 'webhook'
  return {
    ...(isHook && webhook_url.trim() === '' && { webhook_url: t.webhookNeeded }),
    ...(isHook && webhook_url.trim() !== '' && !isHttps(webhook_url.trim()) && { webhook_url: t.webhookHttps }),
    ...(!isHook && !isMail(notification_email) && { notification_email: t.mailWrong }),
    ...(!(quota_warning_threshold > 0) && { quota_warning_threshold: t.thresholdWrong }),
  }
}

const isHttps = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'
/** Empty uses the address of the account. */
const isMail = (text: string) => text === '' || /^[^\s@]+@[^\s@]+$/.test(text)
