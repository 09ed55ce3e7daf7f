// Access tokens: what lets programs use the JSON API in a user's name. Several for each user, each for as much as it needs.
import { z } from 'zod'
import type { Caller } from '../auth/caller.ts'
import { ACCESS_TOKEN_SCOPES } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { isVisible } from '../contract/visible.ts'
import { fail } from '../errors.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import { NEVER_EXPIRES } from '../tokens/token.ts'
import type { UserStore } from './store.ts'
import { accessTokenFields } from './user-fields.data.ts'
import type { User } from './user.ts'

/** Times in epoch seconds. The text itself is shown once, when it is made, and kept as a hash. */
export const AccessToken = z.object({
  id: z.number(),
  name: z.string(),
  scope: z.enum(ACCESS_TOKEN_SCOPES),
  created_time: z.number(),
  /** 0 for never. */
  used_time: z.number(),
  /** NEVER, or the time at which it expires. */
  expired_time: z.number(),
})
export type AccessToken = z.infer<typeof AccessToken>

/** The form of a new token. */
export const AccessTokenForm = z.object(
  declareShapeFields(accessTokenFields, {
    name: z.string().trim(),
    scope: AccessToken.shape.scope.default('read'),
    expired_time: z.number().int().min(NEVER_EXPIRES).default(NEVER_EXPIRES),
  }),
)

/** The stores of access tokens and their owners. */
interface AccessTokenStores {
  users: UserStore
  accessTokens: AccessTokenStore
}

export interface AccessTokenPorts {
  storage: AccessTokenStores
  secrets: Secrets
  random: Random
  clock: Clock
}

/** The one that the specification's call makes, in place of the one before. */
export const DEFAULT_TOKEN_NAME = 'default'

const LENGTH = 40
const MAX_NAME = 30
const MAX_TOKENS = 20
/** How exactly the last use is known, in seconds. */
const USE_GRAIN = 60

/** The text of a new one. */
export const generateTokenText = (random: Random): string => random.text(LENGTH)

/** @throws GatewayError access_token.name */
export function checkTokenName(name: string): void {
  if (name === '' || name.length > MAX_NAME || !isVisible(name)) fail('access_token.name', { max: MAX_NAME })
}

/** The name, with a number behind it where the user has one of this name already. */
export function findFreeName(name: string, own: readonly Pick<AccessToken, 'name'>[]): string {
  const isTaken = (candidate: string) => own.some((token) => token.name === candidate)
  let free = name
  for (let number = 2; isTaken(free); number += 1) {
    const suffix = ` ${number}`
    // Half of a surrogate pair is removed.
    free = name.slice(0, MAX_NAME - suffix.length).replace(/\p{Cs}$/u, '') + suffix
  }
  return free
}

/**
 * A new one, with its text. One that is made with another ends with it at the latest.
 * @throws GatewayError access_token.*, token.expiry
 */
export async function makeAccessToken(
  { secrets, random, clock }: Omit<AccessTokenPorts, 'storage'>,
  within: AccessTokenStores,
  { user, access }: { user: User; access?: Caller['access'] },
  { name, scope, expired_time }: z.infer<typeof AccessTokenForm>,
): Promise<AccessToken & { token: string }> {
  const now = seconds(clock)
  checkTokenName(name)
  if (expired_time !== NEVER_EXPIRES && expired_time <= now) fail('token.expiry')
  const ends = [expired_time, access?.expired_time ?? NEVER_EXPIRES].filter((time) => time !== NEVER_EXPIRES)
  // Of two concurrent requests, the second one counts the first token.
  await within.users.lock(user.id)
  const own = await within.accessTokens.listOfUser(user.id)
  if (own.length >= MAX_TOKENS) fail('access_token.many', { max: MAX_TOKENS })
  const token = generateTokenText(random)
  const fields = { name, scope, created_time: now, expired_time: ends.length > 0 ? Math.min(...ends) : NEVER_EXPIRES }
  const made = await within.accessTokens.insert({ ...fields, user_id: user.id, token_hash: secrets.hash(token) })
  return { ...made, token }
}

/** Returns the owner of a token and its scope; null for an unknown or expired one. */
export async function findAccessTokenOwner(
  { storage, secrets, clock }: Omit<AccessTokenPorts, 'random'>,
  text: string,
): Promise<{ user: User; access: AccessToken } | null> {
  const now = seconds(clock)
  const found = await storage.accessTokens.find(secrets.hash(text))
  if (!found || (found.expired_time !== NEVER_EXPIRES && found.expired_time <= now)) return null
  const { user_id, ...access } = found
  const user = await storage.users.find(user_id)
  if (!user || user.DeletedAt !== null) return null
  if (now - access.used_time >= USE_GRAIN) await storage.accessTokens.used(access.id, now)
  return { user, access }
}

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
