// An API token (`sk-…`) of a user, with its permissions and its state.
import { z } from 'zod'
import { UnreadableFields } from '../contract/filter.ts'
import { declareShapeFields } from '../contract/field.ts'
import { declareListing } from '../contract/page.ts'
import { RowVersion } from '../contract/version.ts'
import { tokenFields } from './token-fields.data.ts'

export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const MAX_TOKEN_NAME = 30
export const NEVER_EXPIRES = -1
/** The model of a first call with a token, where none was chosen. */
export const DEFAULT_GUIDE_MODEL = 'gpt-4o-mini'

export const Token = z.object(
  declareShapeFields(tokenFields, {
    id: z.number(),
    user_id: z.number(),
    /** The team whose account pays; 0 for the user's own. */
    team_id: z.number(),
    /**
     * 48 letters and digits, shown with the prefix `sk-`; an imported key has its original form. Empty while only its
     * SHA-256 is known.
     */
    key: z.string(),
    name: z.string(),
    slug: z.string(),
    status: z.number(),
    created_time: z.number(),
    accessed_time: z.number(),
    /** Epoch seconds, or -1 for never. */
    expired_time: z.number(),
    /** Quota units left to this token; ignored while unlimited_quota. */
    remain_quota: z.number(),
    unlimited_quota: z.boolean(),
    used_quota: z.number(),
    model_limits_enabled: z.boolean(),
    /** Comma list of model names. */
    model_limits: z.string(),
    /** One address or CIDR range per line; empty for any. */
    allow_ips: z.string(),
    /** Empty: the user's group. */
    group: z.string(),
    /** Quota units that may be charged per day, week and month of the time zone; 0 for no budget. */
    budget_day: z.number(),
    budget_week: z.number(),
    budget_month: z.number(),
    /** IANA name; empty for UTC. */
    time_zone: z.string(),
    /** Rate limits; 0 for none. */
    requests_per_minute: z.number(),
    tokens_per_minute: z.number(),
    max_concurrent: z.number(),
    /**
     * Comma list of models that are tried in this order when every channel of the requested one has failed; empty for
     * none.
     */
    fallback_models: z.string(),
    version: RowVersion,
    unreadable: UnreadableFields,
  }),
)
export type Token = z.infer<typeof Token>

/** A token in its stored form. */
export interface StoredToken extends Token {
  /** SHA-256 in hex of the key as clients send it; undefined once the key itself is known. */
  key_digest?: string
}

/** How a user's tokens can be sorted. */
export const tokenListOrder = declareListing({
  name: 'tokens',
  columns: ['id', 'name', 'created_time', 'accessed_time', 'expired_time', 'used_quota', 'remain_quota'],
  first: '-id',
  sums: ['used_quota'],
})

/** A token as calls come with it: of a team's, with what the team lets its member spend. */
export interface CallToken extends Token {
  member?: MemberBudgets
}

/** Quota units per day and month of UTC; 0 for no limit. */
export interface MemberBudgets {
  budget_day: number
  budget_month: number
}

/** Does a team's account pay what the calls of this token cost? */
export const isPaidByTeam = (token: Pick<Token, 'team_id'> | null): boolean => token !== null && token.team_id !== 0

/** The account that pays what a token's calls cost. */
export const getPayerId = ({ user_id, team_id }: Pick<Token, 'user_id' | 'team_id'>): number => team_id || user_id

/** The parts of a comma, space or line separated list, without blanks and repeats. */
export const parseSeparatedList = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((part) => part !== '')),
]

export const isExpired = (token: Pick<Token, 'expired_time'>, nowSeconds: number) =>
  token.expired_time !== NEVER_EXPIRES && token.expired_time < nowSeconds

export const isExhausted = (token: Pick<Token, 'unlimited_quota' | 'remain_quota'>) =>
  !token.unlimited_quota && token.remain_quota <= 0

/**
 * Returns the effective status of a token. Expired and exhausted are derived, so that a token works again after its
 * time or quota is raised; only "disabled" is set by a user.
 */
export function getTokenStatus(token: Token, nowSeconds: number): number {
  if (token.status === TOKEN_STATUS.disabled) return TOKEN_STATUS.disabled
  if (isExpired(token, nowSeconds)) return TOKEN_STATUS.expired
  if (isExhausted(token)) return TOKEN_STATUS.exhausted
  return TOKEN_STATUS.enabled
}

/** A key as clients present it. */
export const toFullKey = (key: string) => `sk-${key}`

const HIDDEN = '***'

/** The key for its owner, or asterisks while only its SHA-256 is known. */
export const formatKnownKey = (key: string) => (key === '' ? HIDDEN : key)

/** Returns the first and last three characters of a key; masking twice has the same result. */
export const formatKeyEnds = (key: string) =>
  formatKnownKey(key) === HIDDEN ? HIDDEN : `${key.slice(0, 3)}${HIDDEN}${key.slice(-3)}`

/** Returns the masked form of a key. */
export const maskKeyText = (key: string) => toFullKey(formatKeyEnds(key))

declare const presented: unique symbol

/** A key as a client presents it, without `Bearer sk-`: parsed once, and never again. */
export type PresentedKey = string & { readonly [presented]: true }

/** Parses the key that a client presents; empty if there is none. */
export const readPresentedKey = (text: string | undefined): PresentedKey =>
  (text ?? '')
    .replace(/^bearer\s+/i, '')
    .trim()
    .replace(/^sk-/, '') as PresentedKey

/** Formats a known key as a client presents it. */
export const formatPresentedKey = (key: string): PresentedKey => key as PresentedKey

/** Splits a presented key of Weir and the channel after it: `KEY-CHANNEL`. Returns null if there is none. */
export function splitPin(text: PresentedKey): { key: string; pin: string | undefined } | null {
  const dash = text.indexOf('-')
  if (dash < 0) return text ? { key: text, pin: undefined } : null
  if (dash === 0) return null
  return { key: text.slice(0, dash), pin: text.slice(dash + 1).split('-', 1)[0] || undefined }
}

/** Parses a credential with its prefix: `Bearer sk-KEY-CHANNEL`. */
export const parseCredentialKey = (text: string | undefined): ReturnType<typeof splitPin> =>
  splitPin(readPresentedKey(text))
