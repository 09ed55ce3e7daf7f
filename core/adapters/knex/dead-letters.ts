// Rejected charges. The ledger's store writes them.
import { DeadLetter, type DeadLetterStore } from '../../quota/dead-letter.ts'
import { z } from 'zod'
import type { Database } from './database.ts'
import { toStorableText, defineTable } from './table.ts'

const table = defineTable('dead_letters', DeadLetter.extend({ charge: z.string() }), { readonly: [] })

export const createDeadLetterStore = ({ write, read }: Database): DeadLetterStore => ({
  list: async (limit) =>
    (
      await read('dead_letters').select(table.columns).orderBy('created_at', 'desc').orderBy('hold_id').limit(limit)
    ).map(table.entity),
  async count() {
    const row = await read('dead_letters').count({ total: '*' }).first()
    return Number(row?.total)
  },
  async remove(holdId) {
    await write('dead_letters')
      .where({ hold_id: toStorableText(holdId) })
      .delete()
  },
})
