// Top-up orders in the database.
import { z } from 'zod'
import { PaymentReport, TopUp } from '../../topups/topup.ts'
import type { TopUpStore } from '../../topups/store.ts'
import type { Database } from './database.ts'
import { readPage } from './paging.ts'
import { toStorableId, toStorableText, defineTable } from './table.ts'

const table = defineTable('topups', TopUp, {
  without: ['reports'],
  readonly: [
    ...(['id', 'status', 'paid_time', 'provider_trade_no', 'cancelled_time', 'needs_review'] as const),
    ...(['note', 'noted_by', 'noted_time'] as const),
  ],
})
const columns = [...table.columns, 'topups.reports']

/** Number of reports that an order keeps. Services repeat one report; different ones are rare. */
const MAX_REPORTS = 20

const Reports = z.array(PaymentReport)
const parseReports = (text: unknown): PaymentReport[] =>
  typeof text === 'string' && text !== '' ? Reports.parse(JSON.parse(text)) : []

/** A cancelled order is stored as expired, which is the status that earlier releases know. */
function entity(row: Record<string, unknown>): TopUp {
  const order = table.entity(row)
  const status = order.cancelled_time > 0 ? 'cancelled' : order.status
  return { ...order, status, reports: parseReports(row.reports) }
}

export function createTopUpStore({ write, read }: Database): TopUpStore {
  return {
    async insert(order) {
      await write('topups').insert(table.values(order))
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
      const { items, ...count } = await readPage(matching, slice, { table, columns })
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
