// Browser sessions in the database.
import type { Session, SessionStore } from '../../auth/session-store.ts'
import type { Database } from './connect.ts'
import { asId } from './table.ts'

export function createSessionStore({ write, read }: Database): SessionStore {
  return {
    async insert({ id_hash, user_id, created_time, expires_time }) {
      await write<Session>('sessions').insert({ id_hash, user_id, created_time, expires_time })
    },
    async find(idHash) {
      return (
        (await read<Session>('sessions')
          .select('id_hash', 'user_id', 'created_time', 'expires_time')
          .where({ id_hash: idHash })
          .first()) ?? null
      )
    },
    async delete(idHash) {
      await write<Session>('sessions').where({ id_hash: idHash }).delete()
    },
    async deleteOfUser(userId) {
      await write<Session>('sessions')
        .where({ user_id: asId(userId) })
        .delete()
    },
    async deleteExpired(now) {
      await write<Session>('sessions').where('expires_time', '<', now).delete()
    },
  }
}
