// Remaining and used quota of a token, in the format of OpenAI's old dashboard clients (docs/relay.md, 15).
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { admitOwnKey } from './admission.ts'
import type { CallCaller } from './call.ts'

export interface Billing {
  subscription: object
  usage: object
}

/** The limit shown for an unlimited token, in the unit of the amounts. */
const UNLIMITED = 100_000_000

/**
 * Returns amounts in USD or quota units, of the token or of the paying account, by the settings. A token that is
 * used up or has expired may still read them.
 * @throws GatewayError key.unknown, key.disabled, access.banned, key.address
 */
export async function getBilling(
  { users, teams, tokens }: Pick<Storage, 'users' | 'teams' | 'tokens'>,
  caller: CallCaller,
  settings: Pick<Settings, 'DisplayTokenStatEnabled' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
): Promise<Billing> {
  const [user, token] = await Promise.all([users.find(caller.user.id), caller.token && tokens.find(caller.token.id)])
  if (!user || !token) return fail('key.unknown')
  admitOwnKey({ user, token, ip: caller.ip })
  const payer = token.team_id === 0 ? user : ((await teams.find(token.team_id)) ?? fail('key.unknown'))
  const isOfToken = settings.DisplayTokenStatEnabled
  const shown = (quota: number) => (settings.DisplayInCurrencyEnabled ? quota / settings.QuotaPerUnit : quota)
  const used = shown(isOfToken ? token.used_quota : payer.used_quota)
  // oxlint-disable-next-line weir/no-balance-in-relay -- shown, and not spent
  const remaining = shown(isOfToken ? token.remain_quota : payer.quota)
  const limit = isOfToken && token.unlimited_quota ? UNLIMITED : remaining + used
  return {
    subscription: {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: Math.max(0, token.expired_time),
    },
    // In cents.
    usage: { object: 'list', total_usage: used * 100 },
  }
}
