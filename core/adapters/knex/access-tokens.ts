// Access tokens in the database, found by keyed hash.
import { fail } from '../../errors.ts'
import type { AccessTokenStore } from '../../users/access-token-store.ts'
import type { Database } from './database.ts'
import { toStorableId, violatesUnique } from './table.ts'

const ACCESS_TOKEN_COLUMNS = ['id', 'name', 'scope', 'created_time', 'used_time', 'expired_time']

export function createAccessTokenStore({ write, read }: Database): AccessTokenStore {
  const query = () => write('access_tokens')
  return {
    async insert(token) {
      try {
        const [made] = await query().insert(token).returning(ACCESS_TOKEN_COLUMNS)
        return made
      } catch (error) {
        const taken =
          violatesUnique(error, 'access_tokens_user_id_name_unique') ||
          violatesUnique(error, 'access_tokens.user_id, access_tokens.name')
        if (taken) fail('access_token.name_taken', {}, { cause: error })
        throw error
      }
    },
    find: async (token_hash) =>
      (await read('access_tokens')
        .where({ token_hash })
        .first(...ACCESS_TOKEN_COLUMNS, 'user_id')) ?? null,
    async renew(id, token_hash) {
      const [renewed] = await query()
        .where({ id: toStorableId(id) })
        .update({ token_hash })
        .returning([...ACCESS_TOKEN_COLUMNS, 'user_id'])
      return renewed ?? null
    },
    listOfUser: (userId) =>
      read('access_tokens')
        .where({ user_id: toStorableId(userId) })
        .orderBy('id')
        .select(ACCESS_TOKEN_COLUMNS),
    async used(id, used_time) {
      await query()
        .where({ id: toStorableId(id) })
        .update({ used_time })
    },
    delete: async (userId, which) =>
      (await query()
        .where({ user_id: toStorableId(userId), ...('id' in which ? { id: toStorableId(which.id) } : which) })
        .delete()) > 0,
    async deleteOfUser(userId) {
      await query()
        .where({ user_id: toStorableId(userId) })
        .delete()
    },
  }
}
