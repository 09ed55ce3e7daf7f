// Top-up orders in the database.
import { TopUp } from '../../topups/topup.ts'
import type { TopUpStore } from '../../topups/store.ts'
import type { Database } from './database.ts'
import { readPage } from './paging.ts'
import { toStorableId, toStorableText, defineTable } from './table.ts'

const topupsTable = defineTable('topups', TopUp, { readonly: ['id', 'status', 'paid_time', 'provider_trade_no'] })

export function createTopUpStore({ write, read }: Database): TopUpStore {
  return {
    async insert(order) {
      await write('topups').insert(topupsTable.values(order))
    },
    async findByTradeNo(tradeNo) {
      const row = await read('topups')
        .select(topupsTable.columns)
        .where({ trade_no: toStorableText(tradeNo) })
        .first()
      return row ? topupsTable.entity(row) : null
    },
    async list(userId, slice) {
      const matching = () =>
        userId === undefined ? read('topups') : read('topups').where({ user_id: toStorableId(userId) })
      const { items, ...count } = await readPage(matching, slice, { table: topupsTable })
      return { items: items.map(topupsTable.entity), ...count }
    },
    async unpaid(before, limit) {
      const rows = await read('topups')
        .select(topupsTable.columns)
        .where({ status: 'pending' })
        .where('create_time', '<', before)
        .orderBy('id')
        .limit(limit)
      return rows.map(topupsTable.entity)
    },
    async expire(id) {
      await write('topups')
        .where({ id: toStorableId(id), status: 'pending' })
        .update({ status: 'expired' })
    },
    async markPaid(id, { time, provider_trade_no }) {
      await write('topups')
        .where({ id: toStorableId(id) })
        .whereNot({ status: 'success' })
        .update({ status: 'success', paid_time: time, provider_trade_no: toStorableText(provider_trade_no) })
    },
  }
}
