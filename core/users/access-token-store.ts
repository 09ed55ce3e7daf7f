import type { AccessToken } from './access-token.ts'

export interface AccessTokenStore {
  /** @throws GatewayError access_token.name_taken where the user has one of this name */
  insert(token: Omit<AccessToken, 'id' | 'used_time'> & { user_id: number; token_hash: string }): Promise<AccessToken>
  find(hash: string): Promise<(AccessToken & { user_id: number }) | null>
  /** Replaces its text; null if it no longer exists. */
  renew(id: number, hash: string): Promise<(AccessToken & { user_id: number }) | null>
  /** Lists tokens in the order of their creation. */
  listOfUser(userId: number): Promise<AccessToken[]>
  /** It was used at `now` (epoch seconds). */
  used(id: number, now: number): Promise<void>
  /** One of this user's, by id or by name; false where they have no such one. */
  delete(userId: number, which: { id: number } | { name: string }): Promise<boolean>
  deleteOfUser(userId: number): Promise<void>
}
