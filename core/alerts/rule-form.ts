// Validates a rule from a form or a file.
import { EmailAddress } from '../auth/email-address.ts'
import { isUrlWithProtocol } from '../contract/url.ts'
import { fail } from '../errors.ts'
import type { AlertRule, RuleWithSecret } from './alert.ts'
import { getRuleKind } from './rule-kinds.ts'
import { parseNameList } from '../channels/channel.ts'

const MOST_MAILS = 20

/** @throws GatewayError alert.mail, alert.webhook */
export function checkRecipientPlaces({ mails, webhook_url }: Pick<AlertRule, 'mails' | 'webhook_url'>): void {
  const addresses = parseNameList(mails)
  const wrong = addresses.find((mail) => !EmailAddress.safeParse(mail).success)
  if (wrong !== undefined || addresses.length > MOST_MAILS) fail('alert.mail', { most: MOST_MAILS }, { field: 'mails' })
  if (webhook_url !== '' && !isUrlWithProtocol(webhook_url, ['https', 'http']))
    fail('alert.webhook', {}, { field: 'webhook_url' })
}

/** Returns the fields that a kind does not use, as empty values. */
export function clearUnusedFields(kind: AlertRule['kind']): Partial<Pick<AlertRule, 'model' | 'channel' | 'group'>> {
  const { fields } = getRuleKind(kind)
  return {
    ...(fields.includes('model') ? {} : { model: '' }),
    ...(fields.includes('channel') ? {} : { channel: 0 }),
    ...(fields.includes('group') ? {} : { group: '' }),
  }
}

/**
 * Returns the rule for the audit. A secret shows only whether it is set, and the webhook's address may contain a key.
 */
export function toAuditedRule(rule: RuleWithSecret): object {
  const { webhook_secret, webhook_url, id: _, version: __, created_time: ___, ...shown } = rule
  const webhook = webhook_url === '' ? '' : new URL(webhook_url).origin
  return { ...shown, webhook, ...(webhook_secret === '' ? {} : { webhook_secret: '***' }) }
}
