// Top-up orders in the database.
import type { Knex } from 'knex'
import type { SealedPlace, Secrets } from '../../ports/secrets.ts'
import { Redemption, REDEMPTION_STATUS } from '../../redemptions/redemption.ts'
import type { RedemptionStore } from '../../redemptions/store.ts'
import type { TopUpStore } from '../../topups/store.ts'
import { TopUp } from '../../topups/topup.ts'
import type { Database } from './database.ts'
import { readPage } from './paging.ts'
import { defineTable, escapeLikePattern, insertSealed, toStorableId, toStorableText, updateRow } from './table.ts'

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

// Redemption codes in the database, encrypted and found by keyed hash.

const getSealedPlace = (id: number): SealedPlace => ['redemptions.key_sealed', id]

const redemptionsTable = defineTable('redemptions', Redemption, { without: ['key'], readonly: ['id', 'version'] })

export function createRedemptionStore({ write, read }: Database, secrets: Secrets): RedemptionStore {
  const queryExisting = () => read('redemptions').where({ deleted: false })
  const codes = () => queryExisting().select(redemptionsTable.columns).select('key_sealed')
  const entity = (row: Record<string, unknown>): Redemption => ({
    ...redemptionsTable.entity(row),
    key: secrets.decrypt(row.key_sealed as string, getSealedPlace(Number(row.id))),
  })
  const orNull = (row: Record<string, unknown> | undefined) => (row ? entity(row) : null)

  return {
    insert: (added) =>
      write.transaction(async (transaction) => {
        const made: Redemption[] = []
        for (const { key, ...code } of added) {
          const values = { ...redemptionsTable.values(code), key_hash: secrets.hash(key), key_sealed: '' }
          const seal = (id: number) => ({ key_sealed: secrets.encrypt(key, getSealedPlace(id)) })
          const columns = [...redemptionsTable.columns, 'key_sealed']
          made.push(entity(await insertSealed(transaction, { table: 'redemptions', values, seal, columns })))
        }
        return made
      }),
    find: async (id) =>
      orNull(
        await codes()
          .where({ id: toStorableId(id) })
          .first(),
      ),
    findByKey: async (key) =>
      orNull(
        await codes()
          .where({ key_hash: secrets.hash(key) })
          .first(),
      ),
    async list(keyword, slice) {
      const matching = () => {
        const query = queryExisting()
        if (keyword === '') return query
        return query.where((any) => {
          any.whereRaw(`name like ? escape '!'`, [`${escapeLikePattern(keyword)}%`])
          if (/^\d{1,15}$/.test(keyword)) any.orWhere({ id: Number(keyword) })
        })
      }
      const columns = [...redemptionsTable.columns, 'key_sealed']
      const { items, ...count } = await readPage(matching, slice, { table: redemptionsTable, columns })
      return { items: items.map(entity), ...count }
    },
    async updateUnused(id, patch, edit) {
      const row = { table: 'redemptions', id: toStorableId(id), noun: 'redemption' }
      const unused = (query: Knex.QueryBuilder) =>
        query.where({ deleted: false }).whereNot({ status: REDEMPTION_STATUS.used })
      return (await updateRow(write, row, redemptionsTable.values(patch), edit, unused)) > 0
    },
    use: async (id, { quota, user_id, time }) =>
      (await write('redemptions')
        .where({ id: toStorableId(id), deleted: false, status: REDEMPTION_STATUS.unused, quota })
        .update({ status: REDEMPTION_STATUS.used, used_user_id: user_id, redeemed_time: time })) > 0,
    async markUsed(id, { user_id, time }) {
      await write('redemptions')
        .where({ id: toStorableId(id) })
        .update({ status: REDEMPTION_STATUS.used, used_user_id: user_id, redeemed_time: time })
    },
    delete: async (id) =>
      (await write('redemptions')
        .where({ id: toStorableId(id), deleted: false })
        .update({ deleted: true })) > 0,
  }
}
