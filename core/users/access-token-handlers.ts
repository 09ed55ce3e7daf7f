// The endpoints of access tokens.
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import type { Storage } from '../ports/storage.ts'
import { type AccessTokenPorts, DEFAULT_TOKEN_NAME, makeAccessToken } from './access-tokens.ts'
import { fail } from '../errors.ts'
import { NEVER_EXPIRES } from '../tokens/token.ts'
import type { accessTokensContract } from './access-token-contract.ts'

const requireUser = ({ user, access }: Caller) => ({ user: user ?? fail('access.login_required'), access })

export function createAccessTokenHandlers(
  ports: AccessTokenPorts & { storage: Storage },
): ContractHandlers<typeof accessTokensContract> {
  const { accessTokens: store } = ports.storage
  /** Deletes a token and closes the connections that use it. */
  async function remove(userId: number, which: { id: number } | { name: string }): Promise<boolean> {
    const removed = await store.delete(userId, which)
    await ports.storage.announce({ topic: 'users', id: userId })
    return removed
  }

  return {
    accessTokens: (_, { caller }) => store.listOfUser(requireUser(caller).user.id),
    createAccessToken: (form, { caller }) =>
      ports.storage.transaction((within) => makeAccessToken(ports, within, requireUser(caller), form)),
    async deleteAccessToken({ id }, { caller }) {
      if (!(await remove(requireUser(caller).user.id, { id }))) fail('access_token.missing')
      return null
    },
    async thisAccessToken(_, { caller }) {
      const { user, access } = requireUser(caller)
      const own = await store.listOfUser(user.id)
      return own.find(({ id }) => id === access?.id) ?? fail('access_token.missing')
    },
    async endThisAccessToken(_, { caller }) {
      const { user, access } = requireUser(caller)
      if (!access || !(await remove(user.id, access))) fail('access_token.missing')
      return null
    },
    async accessToken(_, { caller }) {
      const owner = requireUser(caller)
      const { id } = owner.user
      const form = { name: DEFAULT_TOKEN_NAME, scope: 'all', expired_time: NEVER_EXPIRES } as const
      const { token } = await ports.storage.transaction(async (within) => {
        await within.users.lock(id)
        await within.accessTokens.delete(id, { name: DEFAULT_TOKEN_NAME })
        return makeAccessToken(ports, within, owner, form)
      })
      await ports.storage.announce({ topic: 'users', id })
      return token
    },
    async revokeAccessToken(_, { caller }) {
      await remove(requireUser(caller).user.id, { name: DEFAULT_TOKEN_NAME })
      return null
    },
  }
}
