// Adds charges to the totals of their channels. Commits of the ledger only record them; each row is added once, in the
// transaction that deletes it.
import type { Database } from './database.ts'
import { addChargesSql } from './ledger-sql.ts'

/** Resolves once all committed charges are added. */
export function createAddCharges({ kind, read, write }: Database): () => Promise<void> {
  const { postgres, sqlite } = addChargesSql
  const waiting = async () => (await read('channel_charges').first('id')) !== undefined

  async function addSome(): Promise<void> {
    if (kind === 'postgres') return void (await write.raw(postgres))
    await write.transaction(async (transaction) => {
      const [row] = (await transaction.raw(sqlite.last)) as { last: number | null }[]
      if (!row || row.last === null) return
      await transaction.raw(sqlite.add, [row.last])
      await transaction.raw(sqlite.remove, [row.last])
    })
  }

  return async () => {
    while (await waiting()) await addSome()
  }
}
