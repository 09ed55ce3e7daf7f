// Orders that nobody paid in time, money that comes late, and processes that end between a report and its credit.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LedgerTransaction } from '../../../core/quota/store.ts'
import type { Storage, WriteTransaction } from '../../../core/ports/storage.ts'
import { eventually } from '../../support/gateway.ts'
import { openCaller, openMemoryGateway } from '../gateway.ts'

const DAY_MS = 24 * 3600 * 1000
const KEY = 'epay-key'

async function opened(wrap?: (storage: Storage) => Storage) {
  const gateway = await openMemoryGateway(wrap ? { wrap } : {})
  const values = { ServerAddress: 'https://weir.example', PayAddress: 'https://pay.example', EpayId: '7', EpayKey: KEY }
  const options = Object.entries(values).map(([key, value]) => ({ key, value }))
  await gateway.ask(await gateway.as('root'), 'settings.update', { options })
  const ada = await openCaller(gateway, { quota: 0 })
  const { data } = (await gateway.ask(ada, 'topups.pay', { amount: 10 })) as { data: Record<string, string> }
  const order = async () =>
    (await gateway.storage.topups.list({ user_id: ada.user.id }, { offset: 0, limit: 1 })).items[0]
  const quota = async () => (await gateway.storage.users.find(ada.user.id))?.quota
  const { out_trade_no = '', money = '' } = data
  const fields: Record<string, string> = {
    money,
    out_trade_no,
    pid: '7',
    trade_no: 'E1',
    trade_status: 'TRADE_SUCCESS',
  }
  const text = Object.keys(fields).map((name) => `${name}=${fields[name]}`)
  const sign = createHash('md5')
    .update(text.join('&') + KEY)
    .digest('hex')
  const notify = () => gateway.takeNotice('epay', async () => ({ fields: { ...fields, sign }, headers: {}, body: '' }))
  /** A day later, with the jobs done. */
  const aDayLater = async () => {
    gateway.clock.advance(DAY_MS)
    return eventually(order, (seen) => seen?.status !== 'pending')
  }
  return { gateway, order, quota, notify, aDayLater }
}

test('an order that nobody pays expires after a day, and credits nothing', async () => {
  const { gateway, quota, order, aDayLater } = await opened()
  gateway.clock.advance(DAY_MS / 2)
  expect((await order())?.status).toBe('pending')
  expect((await aDayLater())?.status).toBe('expired')
  expect(await quota()).toBe(0)
  await gateway.close()
})

test('money that comes for an expired order credits what was ordered, once, at the price it had', async () => {
  const { gateway, order, quota, notify, aDayLater } = await opened()
  await aDayLater()
  const options = [
    { key: 'QuotaPerUnit', value: '1000' },
    { key: 'Price', value: '1' },
  ]
  await gateway.ask(await gateway.as('root'), 'settings.update', { options })
  for (const _ of [1, 2]) expect(await notify()).toMatchObject({ text: 'success' })
  expect(await quota()).toBe(5_000_000)
  expect(await order()).toMatchObject({ status: 'success', provider_trade_no: 'E1' })
  await gateway.close()
})

test('a process that ends before the credit answers nothing, so the report comes again', async () => {
  let crashes = 1
  const { gateway, order, quota, notify } = await opened((storage) => ({
    ...storage,
    topups: {
      ...storage.topups,
      findByTradeNo: (tradeNo) =>
        crashes-- > 0 ? Promise.reject(new Error('the process is gone')) : storage.topups.findByTradeNo(tradeNo),
    },
  }))
  await expect(notify()).rejects.toThrow('the process is gone')
  expect(await quota()).toBe(0)
  expect(await notify()).toMatchObject({ text: 'success' })
  expect([await quota(), (await order())?.status]).toEqual([5_000_000, 'success'])
  await gateway.close()
})

test('an order that a release before this one credited and did not mark is put right later, and credited once', async () => {
  let isFormer = true
  const { gateway, order, quota, notify, aDayLater } = await opened((storage) => ({
    ...storage,
    ledger: {
      ...storage.ledger,
      transact: (work, options) =>
        storage.ledger.transact((transaction) => work(isFormer ? unmarked(transaction) : transaction), options),
    },
  }))
  expect(await notify()).toMatchObject({ text: 'success' })
  expect([await quota(), (await order())?.status]).toEqual([5_000_000, 'pending'])
  isFormer = false
  expect((await aDayLater())?.status).toBe('success')
  expect(await notify()).toMatchObject({ text: 'success' })
  expect(await quota()).toBe(5_000_000)
  await gateway.close()
})

/** A transaction that writes the credit, and leaves the order as it was. */
function unmarked({
  within,
  ...transaction
}: LedgerTransaction<WriteTransaction>): LedgerTransaction<WriteTransaction> {
  if (!within) return transaction
  return { ...transaction, within: { ...within, topups: { ...within.topups, markPaid: async () => true } } }
}
