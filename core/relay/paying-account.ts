// Who pays for a call: the only place of the relay that says so.
import type { Payer } from '../quota/hold.ts'
import { maskKey, getPayerId, type CallToken } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

/** The account that pays what a call costs: a team's where the token is of a team, else the user's own. */
export const findPayer = ({ user, token }: { user: Pick<User, 'id'>; token: CallToken | null }): Payer => ({
  account_id: token ? getPayerId(token) : user.id,
  by_user_id: token && token.team_id !== 0 ? user.id : null,
  token: token && { id: token.id, mask: maskKey(token.key) },
})
