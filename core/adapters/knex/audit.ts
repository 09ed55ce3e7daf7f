// The audit log in the database.
import type { Knex } from 'knex'
import { AuditRow } from '../../audit/audit.ts'
import type { AuditStore, AuditWriter } from '../../audit/store.ts'
import { ManagedEntry, type ManagedStore } from '../../state/managed.ts'
import type { Database } from './connection/database.ts'
import { readQueryPage } from './sql/paging.ts'
import { defineTable, escapeLikePattern, toStorableText } from './sql/table.ts'

const auditTable = defineTable('audit', AuditRow, { readonly: ['id'] })

export function createAuditStore({ read }: Database): AuditStore {
  return {
    async list({ action, target, user_id, username, start_timestamp, end_timestamp }, slice) {
      const matching = () => {
        const query = read('audit')
        if (action.includes('.')) query.where({ action: toStorableText(action) })
        else if (action !== '') query.whereRaw(`action like ? escape '!'`, [`${escapeLikePattern(action)}.%`])
        if (target !== '') query.where({ target: toStorableText(target) })
        if (user_id !== 0) query.where({ user_id })
        if (username) query.where({ username: toStorableText(username) })
        if (start_timestamp !== 0) query.where('created_at', '>=', start_timestamp)
        if (end_timestamp !== 0) query.where('created_at', '<=', end_timestamp)
        return query
      }
      const { items, ...count } = await readQueryPage(matching, slice, { table: auditTable })
      return { items: items.map(auditTable.entity), ...count }
    },
  }
}

/** Inserts audit rows, in the transaction of the change that they record. */
export const createAuditWriter = (transaction: Knex): AuditWriter => ({
  async insert(rows) {
    for (const row of rows) await transaction('audit').insert(auditTable.values(row))
  },
})

// The objects that configuration files manage.

const managedTable = defineTable('managed', ManagedEntry, { readonly: [] })

export const createManagedStore = ({ write, read }: Database): ManagedStore => ({
  all: async () =>
    (await read('managed').select(managedTable.columns).orderBy(['section', 'key'])).map(managedTable.entity),
  async put(rows) {
    for (const row of rows)
      await write('managed').insert(managedTable.values(row)).onConflict(['section', 'key']).merge()
  },
  async remove(things) {
    for (const { section, key } of things)
      await write('managed')
        .where({ section: toStorableText(section), key: toStorableText(key) })
        .delete()
  },
})
