// Display of orders of quota.
import { words } from '../../core/errors.ts'
import { moneyText, priceText, type TopUp } from '../../core/topups/topup.ts'
import { count, money, number, text, time, word, type View } from '../view.ts'

const STATUS = {
  pending: words('pending', '待支付'),
  success: words('paid', '已支付'),
  expired: words('expired', '已过期'),
  cancelled: words('cancelled', '已取消'),
}

export const topupView: View<TopUp> = {
  id: count(words('ID', '编号'), 1, ({ id }) => id),
  time: time(words('TIME', '时间'), 2, (order) => order.create_time),
  user_id: count(words('USER ID', '用户编号'), 2, (order) => order.user_id),
  quota: money(words('QUOTA', '额度'), 1, ({ quota }) => quota),
  price: number(words('PRICE', '价格'), 1, (order) => order.money / 100, { shown: (order) => moneyText(order.money) }),
  currency: text(words('CURRENCY', '货币'), 1, ({ currency }) => currency),
  status: word(words('STATUS', '状态'), 1, STATUS, ({ status }) => status, {
    tone: ({ status }) => (status === 'success' ? 'good' : status === 'pending' ? 'careful' : 'faint'),
  }),
  provider: text(words('SERVICE', '支付服务'), 3, ({ provider }) => provider),
  method: text(words('METHOD', '支付方式'), 4, ({ method }) => method),
  paid: time(words('PAID', '支付时间'), 4, (order) => order.paid_time),
  trade_no: text(words('ORDER', '订单号'), 5, (order) => order.trade_no),
  reported: text(words('REPORTED', '未入账通知'), 2, ({ reports }) => reports.map(priceText).join(', ') || null),
  note: text(words('NOTE', '备注'), 3, ({ note }) => note || null, { flexible: true }),
  provider_trade_no: text(words("SERVICE'S ORDER", '支付服务订单号'), 0, (order) => order.provider_trade_no),
}
