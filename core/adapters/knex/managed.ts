// What files own.
import { Managed, type ManagedStore } from '../../state/managed.ts'
import type { Database } from './database.ts'
import { storable, tableOf } from './table.ts'

const table = tableOf('managed', Managed, { readonly: [] })

export const createManagedStore = ({ write, read }: Database): ManagedStore => ({
  all: async () => (await read('managed').select(table.columns).orderBy(['section', 'key'])).map(table.entity),
  async put(rows) {
    for (const row of rows) await write('managed').insert(table.values(row)).onConflict(['section', 'key']).merge()
  },
  async remove(things) {
    for (const { section, key } of things)
      await write('managed')
        .where({ section: storable(section), key: storable(key) })
        .delete()
  },
})
