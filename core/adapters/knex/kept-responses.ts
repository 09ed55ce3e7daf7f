// Which channel and key keep an answer for its caller.
import type { KeptResponse, KeptResponseStore } from '../../channels/kept-response-store.ts'
import type { Database } from './connect.ts'

export function createKeptResponseStore({ write, read }: Database): KeptResponseStore {
  const written = () => write<KeptResponse>('kept_responses')
  return {
    async keep(response) {
      await written().insert(response).onConflict('id_hash').ignore()
    },
    find: async (idHash) => (await read<KeptResponse>('kept_responses').where({ id_hash: idHash }).first()) ?? null,
    async forget(before) {
      await written().where('created_at', '<', before).delete()
    },
  }
}
