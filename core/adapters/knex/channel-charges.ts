// Adds to channels what was charged through them, which commits of the ledger only write down. Each row is added once: it goes in
// the same transaction.
import type { Database } from './database.ts'
import { addChargesSql } from './ledger-sql.ts'

/** Resolves when all that is committed is added. */
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
