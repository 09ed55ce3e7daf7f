// The objects that configuration files manage.
import { Managed, type ManagedStore } from '../../state/managed.ts'
import type { Database } from './database.ts'
import { toStorableText, defineTable } from './table.ts'

const managedTable = defineTable('managed', Managed, { readonly: [] })

export const createManagedStore = ({ write, read }: Database): ManagedStore => ({
  all: async () => (await read('managed').select(managedTable.columns).orderBy(['section', 'key'])).map(managedTable.entity),
  async put(rows) {
    for (const row of rows) await write('managed').insert(managedTable.values(row)).onConflict(['section', 'key']).merge()
  },
  async remove(things) {
    for (const { section, key } of things)
      await write('managed')
        .where({ section: toStorableText(section), key: toStorableText(key) })
        .delete()
  },
})
