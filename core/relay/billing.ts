// Remaining and used quota of a token, in the format of OpenAI's old dashboard clients (docs/relay.md, 15).
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { parseSeparatedList } from '../tokens/token.ts'
import { admitOwnKey } from './admission.ts'
import type { CallCaller } from './call.ts'

export interface Billing {
  subscription: object
  usage: object
}

/** The usage of a token in the format of new-api's `GET /api/usage/token`. Amounts are quota units. */
export interface TokenUsage {
  object: 'token_usage'
  name: string
  total_granted: number
  total_used: number
  total_available: number
  unlimited_quota: boolean
  /** The models that the token may call; each is true. */
  model_limits: Record<string, true>
  model_limits_enabled: boolean
  /** Epoch seconds; 0 for never. */
  expires_at: number
}

/**
 * Returns what a token was given, has used and has left. A token that is used up or has expired may still read it.
 * @throws GatewayError key.unknown, key.disabled, access.banned, key.address
 */
export async function getTokenUsage(
  stores: Pick<Storage, 'users' | 'tokens'>,
  caller: CallCaller,
): Promise<TokenUsage> {
  const { token } = await loadOwnKey(stores, caller)
  return {
    object: 'token_usage',
    name: token.name,
    total_granted: token.remain_quota + token.used_quota,
    total_used: token.used_quota,
    total_available: token.remain_quota,
    unlimited_quota: token.unlimited_quota,
    model_limits: Object.fromEntries(parseSeparatedList(token.model_limits).map((model) => [model, true])),
    model_limits_enabled: token.model_limits_enabled,
    expires_at: Math.max(0, token.expired_time),
  }
}

/** Loads the current state of the caller's key and its user. @throws as `getTokenUsage` does */
async function loadOwnKey({ users, tokens }: Pick<Storage, 'users' | 'tokens'>, caller: CallCaller) {
  const [user, token] = await Promise.all([users.find(caller.user.id), caller.token && tokens.find(caller.token.id)])
  if (!user || !token) return fail('key.unknown')
  admitOwnKey({ user, token, ip: caller.ip })
  return { user, token }
}

/** The limit shown for an unlimited token, in the unit of the amounts. */
const UNLIMITED = 100_000_000

/**
 * Returns amounts in USD or quota units, of the token or of the paying account, by the settings. A token that is
 * used up or has expired may still read them.
 * @throws GatewayError key.unknown, key.disabled, access.banned, key.address
 */
export async function getBilling(
  stores: Pick<Storage, 'users' | 'teams' | 'tokens'>,
  caller: CallCaller,
  settings: Pick<Settings, 'DisplayTokenStatEnabled' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
): Promise<Billing> {
  const { user, token } = await loadOwnKey(stores, caller)
  const payer = token.team_id === 0 ? user : ((await stores.teams.find(token.team_id)) ?? fail('key.unknown'))
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
