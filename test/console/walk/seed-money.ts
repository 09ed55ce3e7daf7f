// Orders in every state, and codes of two batches, one of them begun to be used.
import type { Gateway } from '../../../core/gateway.ts'
import { TOPUP_STATUS } from '../../../core/topups/topup.ts'

/** More of them show nothing else. */
const MOST = 200
const DAY = 86_400

/** Puts them there for the users with these ids; nobody answers at `payAddress`. */
export async function addMoney({ client, ports }: Gateway, users: readonly number[], rows: number, payAddress: string) {
  const settings = { PayAddress: payAddress, EpayId: '1001', EpayKey: 'seed', ServerAddress: 'https://weir.example' }
  await client.settings.update({ options: Object.entries(settings).map(([key, value]) => ({ key, value })) })
  const now = Math.floor(Date.now() / 1000)
  for (const user_id of users)
    for (let n = Math.min(rows, MOST); n > 0; n -= 1) {
      const trade_no = `USR${user_id}NOseed${String(n).padStart(4, '0')}`
      const amount = [10, 50, 100, 5][n % 4]!
      const bought = { amount, money: amount * 730, currency: 'cny', quota: amount * 500_000 }
      const order = { ...bought, user_id, trade_no, provider: 'epay', method: n % 3 ? 'alipay' : 'wxpay' }
      await ports.storage.topups.insert({ ...order, create_time: now - n * DAY })
      const state = TOPUP_STATUS[n % 4 === 2 ? 2 : 1]
      const made = await ports.storage.topups.findByTradeNo(trade_no)
      if (made && state === 'success')
        await ports.storage.topups.markPaid(made.id, { time: now - n * DAY + 90, provider_trade_no: `2026${n}` })
      else if (made) await ports.storage.topups.expire(made.id)
    }
  for (const [name, count] of [
    ['spring fair', Math.min(rows, 30)],
    ['autumn', Math.min(rows, 12)],
  ] as const) {
    const { codes } = await client.redemptions.create({ name, quota: 5_000_000, count })
    for (const { id } of codes.filter((_, index) => index % 3 === 1))
      await ports.storage.redemptions.markUsed(id, { user_id: users[id % users.length]!, time: now - id * 60 })
    for (const { id, version } of codes.filter((_, index) => index % 5 === 4 && index % 3 !== 1))
      await client.redemptions.update({ status_only: 'true', id, status: 2, version })
  }
}
