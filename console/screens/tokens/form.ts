// What the token panel holds, and how it becomes requests.
import { controlsOf } from '../../../core/contract/control.ts'
import { TokenForm } from '../../../core/tokens/contract.ts'
import { NEVER, type Token, type TokenLimit } from '../../../core/tokens/token.ts'

/** Budgets, rates and fallbacks, as the form declares them. */
export const LIMITS = 'limits'

export interface TokenDraft extends Pick<Token, TokenLimit> {
  name: string
  /** Milliseconds; null for never, NaN for a time that cannot be read. */
  expires: number | null
  remain_quota: number
  unlimited_quota: boolean
  count: number
  allow_ips: string
  model_limits_enabled: boolean
  models: string[]
  group: string
}

export const DEFAULT_QUOTA = 500000

/** In dollars at the default unit; the labels are computed, so they stay true when the unit changes. */
export const QUOTA_PICKS = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000]
export const COUNT_PICKS = [10, 20, 30, 100]
export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 24 * HOUR_SECONDS
export const MONTH_SECONDS = 30 * DAY_SECONDS

export const draftOf = (token: Token | null): TokenDraft => ({
  name: token?.name ?? '',
  expires: token && token.expired_time !== NEVER ? token.expired_time * 1000 : null,
  remain_quota: token?.remain_quota ?? DEFAULT_QUOTA,
  unlimited_quota: token?.unlimited_quota ?? false,
  count: 1,
  allow_ips: token?.allow_ips ?? '',
  model_limits_enabled: token?.model_limits_enabled ?? false,
  models: token?.model_limits.split(',').filter((name) => name !== '') ?? [],
  group: token?.group ?? '',
  ...limitsOf(token ?? TokenForm.parse({})),
})

const limitsOf = (values: Pick<Token, TokenLimit>) =>
  Object.fromEntries(
    controlsOf(TokenForm, LIMITS).map(({ name }) => [name, values[name as TokenLimit]]),
  ) as unknown as Pick<Token, TokenLimit>

/** The fields both creating and changing send. */
export const requestOf = (draft: TokenDraft) => ({
  name: draft.name.trim(),
  expired_time: draft.expires === null ? NEVER : Math.ceil(draft.expires / 1000),
  remain_quota: Math.trunc(draft.remain_quota),
  unlimited_quota: draft.unlimited_quota,
  allow_ips: draft.allow_ips,
  model_limits_enabled: draft.model_limits_enabled,
  model_limits: draft.models.join(','),
  group: draft.group,
  ...limitsOf(draft),
})

type TokenRequest = ReturnType<typeof requestOf>

/** What a change sends: the budget only where it was changed, since it may be spent while the panel is open. */
export function changeOf(draft: TokenDraft, token: Token): Partial<TokenRequest> {
  const { remain_quota, ...rest } = requestOf(draft)
  return remain_quota === token.remain_quota ? rest : { ...rest, remain_quota }
}

/** The first keeps its name; those after it get six random characters. */
export const nameAt = (name: string, index: number) => (index === 0 ? name : `${name}-${randomEnding()}`)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const randomEnding = () =>
  [...crypto.getRandomValues(new Uint32Array(6))].map((number) => letters[number % letters.length]).join('')
