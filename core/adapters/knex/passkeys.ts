// Passkeys in the database. Public keys need no encryption.
import type { Passkey, PasskeyStore } from '../../auth/passkey-store.ts'
import type { Database } from './database.ts'
import { toStorableId, toStorableText } from './table.ts'

export function createPasskeyStore({ write, read }: Database): PasskeyStore {
  return {
    find: async (id) =>
      (await read<Passkey>('passkeys')
        .where({ id: toStorableText(id) })
        .first()) ?? null,
    listOfUser: (userId) =>
      read<Passkey>('passkeys')
        .where({ user_id: toStorableId(userId) })
        .orderBy('created_time'),
    async insert(passkey) {
      await write('passkeys').insert({ ...passkey, name: toStorableText(passkey.name) })
    },
    use: async (id, counter, used_time) =>
      // Many devices always report 0. Those that count must increase it.
      (await write('passkeys')
        .where({ id })
        .where((fresh) => fresh.where('counter', '<', counter).orWhere({ counter: 0 }))
        .update({ counter, used_time })) > 0,
    delete: async (userId, id) =>
      (await write('passkeys')
        .where({ user_id: toStorableId(userId), id: toStorableText(id) })
        .delete()) > 0,
  }
}
