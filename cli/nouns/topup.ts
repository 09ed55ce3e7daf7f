// Display of orders of quota.
import { formatHundredths, formatOrderPrice, type TopupOrder } from '../../core/topups/topup.ts'
import { words } from '../texts.ts'
import { count, money, number, text, time, word, type OutputView } from '../output/view.ts'

const STATUS = {
  pending: words('pending'),
  success: words('paid'),
  expired: words('expired'),
  cancelled: words('cancelled'),
}

export const topupOrderView: OutputView<TopupOrder> = {
  id: count(words('ID'), 1, ({ id }) => id),
  time: time(words('TIME'), 2, (order) => order.create_time),
  user_id: count(words('USER ID'), 2, (order) => order.user_id),
  quota: money(words('QUOTA'), 1, ({ quota }) => quota),
  price: number(words('PRICE'), 1, (order) => order.money / 100, { shown: (order) => formatHundredths(order.money) }),
  currency: text(words('CURRENCY'), 1, ({ currency }) => currency),
  status: word(words('STATUS'), 1, STATUS, ({ status }) => status, {
    tone: ({ status }) => (status === 'success' ? 'good' : status === 'pending' ? 'careful' : 'faint'),
  }),
  provider: text(words('SERVICE'), 3, ({ provider }) => provider),
  method: text(words('METHOD', { context: 'payment' }), 4, ({ method }) => method),
  paid: time(words('PAID', { context: 'time' }), 4, (order) => order.paid_time),
  trade_no: text(words('ORDER'), 5, (order) => order.trade_no, { identifies: 1 }),
  reported: text(words('REPORTED'), 2, ({ reports }) => reports.map(formatOrderPrice).join(', ') || null),
  note: text(words('NOTE'), 6, ({ note }) => note || null, { flexible: true, below: true }),
  provider_trade_no: text(words("SERVICE'S ORDER"), 0, (order) => order.provider_trade_no),
}
