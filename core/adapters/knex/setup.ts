// The row that says Weir is set up.
import type { Setup, SetupStore } from '../../site/store.ts'
import type { Database } from './database.ts'

export function createSetupStore({ write, read }: Database): SetupStore {
  return {
    async find() {
      return (await read<Setup>('setups').select('version', 'initialized_at').first()) ?? null
    },
    async insert({ version, initialized_at }) {
      const rows = await write('setups')
        .insert({ id: 1, version, initialized_at })
        .onConflict('id')
        .ignore()
        .returning('id')
      return rows.length > 0
    },
  }
}
