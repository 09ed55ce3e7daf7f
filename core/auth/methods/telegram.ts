// The login widget of Telegram: fields signed with the bot's token.
import { z } from 'zod'
import { fail } from '../../errors.ts'
import type { RateCounter } from '../../ports/counter.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Settings } from '../../settings/index.ts'
import type { ExternalIdentity } from './login-method.ts'

/** The signed fields of the widget. Others, such as a language, are not signed and are left out. */
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
/** Maximum age in seconds. An older one, or one from the future, may have been copied. */
const MAX_AGE_SECONDS = 300
const MAX_AHEAD_SECONDS = 60

interface TelegramPorts {
  secrets: Secrets
  settings: Settings
  counter: RateCounter
  /** Epoch seconds. */
  now: number
}

/** Verifies the widget's fields, which are valid once. @throws GatewayError oauth.off, oauth.refused if they are unsigned, too old or already used */
export async function identifyTelegramUser(
  { hash, ...fields }: TelegramFields,
  { secrets, settings, counter, now }: TelegramPorts,
): Promise<ExternalIdentity> {
  if (!settings.TelegramOAuthEnabled) fail('oauth.off', { provider: label })
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${value}`)
  const age = now - Number(fields.auth_date)
  const fresh = age <= MAX_AGE_SECONDS && age >= -MAX_AHEAD_SECONDS
  const expected = secrets.telegramHash(lines.sort().join('\n'), settings.TelegramBotToken)
  const signed = settings.TelegramBotToken !== '' && secrets.same(expected, hash.toLowerCase())
  if (!signed || !fresh || fields.id === '') fail('oauth.refused', { provider: label })
  const { count } = await counter.add(`telegram:${expected}`, MAX_AGE_SECONDS + MAX_AHEAD_SECONDS)
  if (count > 1) fail('oauth.refused', { provider: label })
  return { subject: fields.id, display_name: fields.first_name ?? 'Telegram User' }
}
