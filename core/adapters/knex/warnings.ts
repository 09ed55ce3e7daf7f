// The accounts charged recently, from the ledger's entries.
import type { WarningStore } from '../../notify/store.ts'
import type { Database } from './database.ts'
import { withIdentities } from './identities.ts'
import { toStorableId } from './table.ts'
import { userTable, joinAccounts } from './users.ts'

/** Number of entries read at once. */
const AT_ONCE = 20_000

export function createWarningStore(database: Database): WarningStore {
  const { read, write } = database
  return {
    async lastEntry() {
      const row = await read('ledger_entries').max({ id: 'id' }).first()
      return Number(row?.id ?? 0)
    },
    async charged(after) {
      const entries = () => read('ledger_entries').where('id', '>', after)
      const window = entries().select('id').orderBy('id').limit(AT_ONCE).as('some')
      const row = await read.from(window).max({ id: 'id' }).first()
      const last = Number(row?.id ?? after)
      if (last === after) return { last, users: [] }
      const who = entries()
        .where('id', '<=', last)
        .where({ kind: 'charge' })
        .where('amount', '<', 0)
        .distinct('account_id')
      const rows = await joinAccounts(read).select(userTable.columns).whereIn('users.id', who).whereNull('deleted_at')
      return { last, users: await withIdentities(database, rows.map(userTable.entity)) }
    },
    claim: async (userId, now, pauseSeconds) =>
      (await write('users')
        .where({ id: toStorableId(userId) })
        .where('warned_time', '<=', now - pauseSeconds)
        .update({ warned_time: now })) > 0,
  }
}
