// The login widget of Telegram: fields signed with the bot's token.
import { z } from 'zod'
import { fail } from '../../errors.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Settings } from '../../settings/index.ts'
import type { Person } from './login-method.ts'

/** What the widget gives. Others, such as a language, are not signed and are left out. */
export const TelegramFields = z.object({
  id: z.string().default(''),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
  photo_url: z.string().optional(),
  auth_date: z.string().default(''),
  hash: z.string().default(''),
})
export type TelegramFields = z.infer<typeof TelegramFields>

const label = 'Telegram'
/** Older than this, or from the future, it may be somebody else's copy. */
const MAX_AGE_SECONDS = 300
const MAX_AHEAD_SECONDS = 60

/** @throws GatewayError oauth.off, oauth.refused for what is not signed, or not lately */
export function telegramPerson(
  { hash, ...fields }: TelegramFields,
  { secrets, settings, now }: { secrets: Secrets; settings: Settings; now: number },
): Person {
  if (!settings.TelegramOAuthEnabled) fail('oauth.off', { provider: label })
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${value}`)
  const age = now - Number(fields.auth_date)
  const fresh = age <= MAX_AGE_SECONDS && age >= -MAX_AHEAD_SECONDS
  const signed = secrets.same(
    secrets.telegramHash(lines.sort().join('\n'), settings.TelegramBotToken),
    hash.toLowerCase(),
  )
  if (settings.TelegramBotToken === '' || !signed || !fresh || fields.id === '')
    fail('oauth.refused', { provider: label })
  return { subject: fields.id, display_name: fields.first_name ?? 'Telegram User' }
}
