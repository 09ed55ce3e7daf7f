// Top-up orders in the database.
import type { Knex } from 'knex'
import { z } from 'zod'
import type { EncryptedPlace, Secrets } from '../../../ports/secrets.ts'
import { RedemptionCode, REDEMPTION_STATUS } from '../../../redemptions/redemption.ts'
import type { RedemptionStore } from '../../../redemptions/store.ts'
import type { TopUpStore } from '../../../topups/store.ts'
import { PaymentReport, TopupOrder } from '../../../topups/topup.ts'
import type { Database } from '../connection/database.ts'
import { readQueryPage } from '../sql/paging.ts'
import {
  columnContainsText,
  defineTable,
  escapeLikePattern,
  insertWithSecrets,
  toStorableId,
  toStorableText,
  updateTableRow,
} from '../sql/table.ts'

const topupsTable = defineTable('topups', TopupOrder, {
  without: ['reports'],
  readonly: [
    ...(['id', 'status', 'paid_time', 'provider_trade_no', 'cancelled_time', 'needs_review'] as const),
    ...(['note', 'noted_by', 'noted_time'] as const),
  ],
})
const columns = [...topupsTable.columns, 'topups.reports']

/** Number of reports that an order keeps. Services repeat one report; different ones are rare. */
const MAX_REPORTS = 20

const Reports = z.array(PaymentReport)
const parseReports = (text: unknown): PaymentReport[] =>
  typeof text === 'string' && text !== '' ? Reports.parse(JSON.parse(text)) : []

/** A cancelled order is stored as expired, which is the status that earlier releases know. */
function entity(row: Record<string, unknown>): TopupOrder {
  const order = topupsTable.entity(row)
  const status = order.cancelled_time > 0 ? 'cancelled' : order.status
  return { ...order, status, reports: parseReports(row.reports) }
}

export function createTopUpStore({ write, read }: Database): TopUpStore {
  return {
    async insert(order) {
      await write('topups').insert(topupsTable.values(order))
    },
    async findByTradeNo(tradeNo) {
      const row = await read('topups')
        .select(columns)
        .where({ trade_no: toStorableText(tradeNo) })
        .first()
      return row ? entity(row) : null
    },
    async list({ user_id, needs_review }, slice) {
      const matching = () => {
        const query = read('topups')
        if (user_id !== undefined) query.where({ user_id: toStorableId(user_id) })
        if (needs_review) query.where({ needs_review: true })
        return query
      }
      const { items, ...count } = await readQueryPage(matching, slice, { table: topupsTable, columns })
      return { items: items.map(entity), ...count }
    },
    async unpaid(before, limit) {
      const rows = await read('topups')
        .select(columns)
        .where({ status: 'pending' })
        .where('create_time', '<', before)
        .orderBy('id')
        .limit(limit)
      return rows.map(entity)
    },
    async expire(id) {
      await write('topups')
        .where({ id: toStorableId(id), status: 'pending' })
        .update({ status: 'expired' })
    },
    markPaid: async (id, { time, provider_trade_no }) =>
      (await write('topups')
        .where({ id: toStorableId(id), cancelled_time: 0 })
        .whereNot({ status: 'success' })
        .update({ status: 'success', paid_time: time, provider_trade_no: toStorableText(provider_trade_no) })) > 0,
    async nameProviderOrder(id, providerTradeNo) {
      await write('topups')
        .where({ id: toStorableId(id), status: 'success', provider_trade_no: '' })
        .update({ provider_trade_no: toStorableText(providerTradeNo) })
    },
    cancel: async (id, time) =>
      (await write('topups')
        .where({ id: toStorableId(id), cancelled_time: 0 })
        .whereNot({ status: 'success' })
        .update({ status: 'expired', cancelled_time: time })) > 0,
    async annotate(id, { note, noted_by, noted_time }) {
      await write('topups')
        .where({ id: toStorableId(id) })
        .update({ note: toStorableText(note), noted_by, noted_time, needs_review: false })
    },
    addReport: (id, report) =>
      write.transaction(async (transaction) => {
        const query = transaction('topups').where({ id: toStorableId(id) })
        const row: { reports: string } | undefined = await query.clone().forUpdate().first('reports')
        const reports = parseReports(row?.reports)
        if (reports.length >= MAX_REPORTS || reports.some((known) => isSamePayment(known, report))) return
        await query.update({ reports: toStorableText(JSON.stringify([...reports, report])), needs_review: true })
      }),
  }
}

const isSamePayment = (one: PaymentReport, other: PaymentReport) =>
  one.provider === other.provider &&
  one.provider_trade_no === other.provider_trade_no &&
  one.money === other.money &&
  one.currency === other.currency

// Redemption codes in the database, encrypted and found by keyed hash.

const getSealedPlace = (id: number): EncryptedPlace => ['redemptions.key_sealed', id]

const redemptionsTable = defineTable('redemptions', RedemptionCode, { without: ['key'], readonly: ['id', 'version'] })

export function createRedemptionStore({ write, read }: Database, secrets: Secrets): RedemptionStore {
  const queryExisting = () => read('redemptions').where({ deleted: false })
  const codes = () => queryExisting().select(redemptionsTable.columns).select('key_sealed')
  const entity = (row: Record<string, unknown>): RedemptionCode => ({
    ...redemptionsTable.entity(row),
    key: secrets.decrypt(row.key_sealed as string, getSealedPlace(Number(row.id))),
  })
  const orNull = (row: Record<string, unknown> | undefined) => (row ? entity(row) : null)

  return {
    insert: (added) =>
      write.transaction(async (transaction) => {
        const made: RedemptionCode[] = []
        for (const { key, ...code } of added) {
          const values = { ...redemptionsTable.values(code), key_hash: secrets.hash(key), key_sealed: '' }
          const seal = (id: number) => ({ key_sealed: secrets.encrypt(key, getSealedPlace(id)) })
          const columns = [...redemptionsTable.columns, 'key_sealed']
          made.push(entity(await insertWithSecrets(transaction, { table: 'redemptions', values, seal, columns })))
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
          any
            .whereRaw(`name like ? escape '!'`, [`${escapeLikePattern(keyword)}%`])
            .orWhere(columnContainsText(read, 'remark', keyword))
          if (/^\d{1,15}$/.test(keyword)) any.orWhere({ id: Number(keyword) })
        })
      }
      const columns = [...redemptionsTable.columns, 'key_sealed']
      const { items, ...count } = await readQueryPage(matching, slice, { table: redemptionsTable, columns })
      return { items: items.map(entity), ...count }
    },
    async update(id, patch, { from, ...edit }) {
      const row = { table: 'redemptions', id: toStorableId(id), noun: 'redemption' }
      const changeable = (query: Knex.QueryBuilder) => {
        query.where({ deleted: false })
        if (from) query.whereIn('status', from)
      }
      return (await updateTableRow(write, row, redemptionsTable.values(patch), edit, changeable)) > 0
    },
    use: async (id, { quota, user_id, time }) =>
      (await write('redemptions')
        .where({ id: toStorableId(id), deleted: false, status: REDEMPTION_STATUS.unused, quota })
        .where((valid) => valid.where({ expired_time: 0 }).orWhere('expired_time', '>=', time))
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
