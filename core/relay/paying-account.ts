// Chooses the account that pays for a call. No other part of the relay decides this.
import type { Payer } from '../quota/hold.ts'
import { maskKeyText, getPayerId, type CallToken } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

/** Returns the paying account: the team's for a team token, else the user's own. */
export const findPayingAccount = ({ user, token }: { user: Pick<User, 'id'>; token: CallToken | null }): Payer => ({
  account_id: token ? getPayerId(token) : user.id,
  by_user_id: token && token.team_id !== 0 ? user.id : null,
  token: token && { id: token.id, mask: maskKeyText(token.key) },
})
