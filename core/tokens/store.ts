import type { RowPage, ListSlice } from '../contract/page.ts'
import type { PersonalEdit } from '../contract/version.ts'
import type { PresentedKey, StoredToken, Token } from './token.ts'

/** A new token; its quota starts at 0 and limited, and is set by the ledger. */
export type NewToken = Omit<
  Token,
  | 'id'
  | 'slug'
  | 'version'
  | 'team_id'
  | 'used_quota'
  | 'remain_quota'
  | 'unlimited_quota'
  | 'accessed_time'
  | LimitField
> &
  Partial<Pick<Token, 'slug' | 'team_id' | LimitField>> & {
    /** Its id, if it is already assigned. */
    id?: number
    /** SHA-256 in hex of what clients send, of a key that is not known itself; `key` is empty then. */
    key_digest?: string
  }

type LimitField =
  | 'budget_day'
  | 'budget_week'
  | 'budget_month'
  | 'time_zone'
  | 'requests_per_minute'
  | 'tokens_per_minute'
  | 'max_concurrent'

export type TokenPatch = Partial<
  Pick<
    Token,
    | 'name'
    | 'status'
    | 'expired_time'
    | 'model_limits_enabled'
    | 'model_limits'
    | 'allow_ips'
    | 'group'
    | 'fallback_models'
    | LimitField
  >
>

/** A query of tokens; absent, empty or 0 fields filter nothing. */
export interface TokenQuery {
  /** Part of the name. */
  keyword?: string
  /** The whole key, or its first characters. */
  key?: string
  group?: string
  /** The state they are really in at the time of the search, see `getTokenStatus`. */
  status?: number
}

/** Keys are encrypted at rest and found by a keyed hash; entities carry them in clear. Deleted tokens are never returned. */
export interface TokenStore {
  /** Inserts a token. One without a slug gets one from its name and its id. */
  insert(token: NewToken): Promise<Token>
  find(id: number): Promise<StoredToken | null>
  findByKey(key: string): Promise<Token | null>
  /**
   * Finds the token of a presented key (without `sk-`): the whole key first, since imported keys may have dashes, then
   * the part before a channel's number. A key of which only the SHA-256 was known is stored from then on.
   */
  findPresented(text: PresentedKey): Promise<Token | null>
  /** Newest first. */
  listOfUser(userId: number, query: TokenQuery, slice: ListSlice): Promise<RowPage<Token>>
  /** Those that spend from a team's account, newest first. */
  listOfTeam(teamId: number, slice: ListSlice): Promise<RowPage<Token>>
  /** @throws GatewayError edit.conflict where another version is stored than was read */
  update(id: number, patch: TokenPatch, edit?: PersonalEdit): Promise<void>
  /** Soft: logs and ledger entries keep naming it. False where it was deleted before. */
  delete(id: number): Promise<boolean>
}
