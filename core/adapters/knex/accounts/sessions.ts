// Browser sessions in the database.
import type { Session, SessionStore } from '../../../auth/stores.ts'
import type { DeviceRequest } from '../../../devices/device.ts'
import type { DeviceStore } from '../../../devices/store.ts'
import { fail } from '../../../errors.ts'
import type { AccessTokenStore } from '../../../users/access-tokens.ts'
import type { Database } from '../connection/database.ts'
import { toStorableId, toStorableText, violatesUniqueIndex } from '../sql/table.ts'

const SESSION_COLUMNS = [
  'id',
  'id_hash',
  'user_id',
  'ip',
  'user_agent',
  'created_time',
  'used_time',
  'proven_time',
  'expires_time',
] as const
const LISTED = 100

export function createSessionStore({ write, read }: Database): SessionStore {
  const query = () => write<Session>('sessions')
  const sessions = () => read<Session>('sessions').select(...SESSION_COLUMNS)

  return {
    async insert(session) {
      await query().insert({ ...session, user_agent: toStorableText(session.user_agent) } as Session)
    },
    find: async (idHash) => (await sessions().where({ id_hash: idHash }).first()) ?? null,
    listOfUser: (userId, now) =>
      sessions()
        .where({ user_id: toStorableId(userId) })
        .where('expires_time', '>', now)
        .orderBy([
          { column: 'used_time', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(LISTED),
    async update(id, times) {
      await query()
        .where({ id: toStorableId(id) })
        .update(times)
    },
    async delete(idHash) {
      await query().where({ id_hash: idHash }).delete()
    },
    deleteOne: async (userId, id) =>
      (await query()
        .where({ id: toStorableId(id), user_id: toStorableId(userId) })
        .delete()) > 0,
    async deleteOfUser(userId, keptId = 0) {
      await query()
        .where({ user_id: toStorableId(userId) })
        .whereNot({ id: toStorableId(keptId) })
        .delete()
    },
    async deleteExpired(now) {
      await query().where('expires_time', '<', now).delete()
    },
  }
}

// Sign-ins by a short code, in the database. Their device codes are stored as keyed hashes.

const DEVICE_COLUMNS = [
  'id',
  'name',
  'scope',
  'ip',
  'created_time',
  'expires_time',
  'expired_time',
  'state',
  'token_id',
  'interval',
  'polled_ms',
] as const

export function createDeviceStore({ write, read }: Database): DeviceStore {
  const query = () => write('device_requests')
  const one = (id: number) => query().where({ id: toStorableId(id) })
  return {
    async insert(request) {
      await query().insert(request)
    },
    find: async (by, now) =>
      (await read<DeviceRequest>('device_requests')
        .where(by)
        .where('expires_time', '>', now)
        .first(...DEVICE_COLUMNS)) ?? null,
    answer: async (id, state) => (await one(id).where({ state: 'waiting' }).update({ state })) > 0,
    async give(id, token_id) {
      await one(id).update({ token_id })
    },
    async recordPoll(id, when) {
      await one(id).update(when)
    },
    take: async (id) => (await one(id).delete()) > 0,
    async deleteExpired(now) {
      const expired = () => query().where('expires_time', '<=', now)
      await write('access_tokens').whereIn('id', expired().whereNotNull('token_id').select('token_id')).delete()
      await expired().delete()
    },
  }
}

// Access tokens in the database, found by keyed hash.

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
          violatesUniqueIndex(error, 'access_tokens_user_id_name_unique') ||
          violatesUniqueIndex(error, 'access_tokens.user_id, access_tokens.name')
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
