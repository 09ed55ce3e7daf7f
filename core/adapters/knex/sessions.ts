// Browser sessions in the database.
import type { Session, SessionStore } from '../../auth/session-store.ts'
import type { Database } from './database.ts'
import { toStorableId, toStorableText } from './table.ts'

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
