// The draft of the token panel and its conversion to requests.
import type { z } from 'zod'
import type { TokenForm } from '../../../core/tokens/contract.ts'
import { parseSeparatedList, NEVER_EXPIRES, type Token } from '../../../core/tokens/token.ts'
import { initialTokenDraft } from './form.built.ts'

/**
 * The fields as the form declares them, the expiry in milliseconds (null for never, NaN for an invalid time), and the
 * number of tokens.
 */
export type TokenDraft = Omit<z.infer<typeof TokenForm>, 'expired_time' | 'model_limits' | 'models' | 'subnet'> & {
  expires: number | null
  models: string[]
  count: number
}

export const DEFAULT_QUOTA = 500000

/** In dollars at the default unit. The labels are computed, so they stay correct when the unit changes. */
export const QUOTA_PRESETS = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000]
export const TOKEN_COUNT_PRESETS = [10, 20, 30, 100]
export const SECONDS_PER_HOUR = 3600
export const SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR
export const SECONDS_PER_MONTH = 30 * SECONDS_PER_DAY

export function toTokenDraft(token: Token | null): TokenDraft {
  const plain = token
    ? (Object.fromEntries(
        Object.keys(initialTokenDraft).map((name) => [name, token[name as keyof Token]]),
      ) as typeof initialTokenDraft)
    : { ...initialTokenDraft, remain_quota: DEFAULT_QUOTA }
  return {
    ...plain,
    expires: token && token.expired_time !== NEVER_EXPIRES ? token.expired_time * 1000 : null,
    models: parseSeparatedList(token?.model_limits ?? ''),
    count: 1,
  }
}

/** The request fields of both creating and updating. */
export const toTokenRequest = ({ expires, models, count: _count, ...plain }: TokenDraft) => ({
  ...plain,
  name: plain.name.trim(),
  expired_time: expires === null ? NEVER_EXPIRES : Math.ceil(expires / 1000),
  remain_quota: Math.trunc(plain.remain_quota),
  model_limits: models.join(','),
})

type TokenRequest = ReturnType<typeof toTokenRequest>

/**
 * Returns the request of an update. It has the budget only if it was changed, because it may be spent while the panel
 * is open, and never the paying account.
 */
export function toTokenChange(draft: TokenDraft, token: Token): Partial<Omit<TokenRequest, 'team_id'>> {
  const { remain_quota, team_id: _team, ...rest } = toTokenRequest(draft)
  return remain_quota === token.remain_quota ? rest : { ...rest, remain_quota }
}

/** Returns the name of one of several tokens: the first keeps the name, the others get six random characters. */
export const getNumberedName = (name: string, index: number) => (index === 0 ? name : `${name}-${randomEnding()}`)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const randomEnding = () =>
  [...crypto.getRandomValues(new Uint32Array(6))].map((number) => letters[number % letters.length]).join('')
