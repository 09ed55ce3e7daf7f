// Texts of decisions about orders.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    complete: 'Complete',
    cancel: 'Cancel the order',
    note: 'Note',
    completeTitle: 'Complete order {order}',
    cancelTitle: 'Cancel order {order}',
    noteTitle: 'Note on order {order}',
    completeBody: 'Credits what was ordered, once. A later report of the payment is not credited again.',
    cancelBody: 'The order can no longer be completed, and later reports of its payment are not credited.',
    noteBody: 'Only administrators see the note. The reports of the order count as reviewed.',
    completeDone: 'order completed',
    cancelDone: 'order cancelled',
    noteDone: 'note saved',
    price: 'Price',
    quota: 'Quota',
    reported: 'Reported payment',
  },
  zh: {
    complete: '补单',
    cancel: '取消订单',
    note: '备注',
    completeTitle: '为订单 {order} 补单',
    cancelTitle: '取消订单 {order}',
    noteTitle: '订单 {order} 的备注',
    completeBody: '按订单入账，仅一次。之后收到的支付通知不会重复入账。',
    cancelBody: '订单将无法再补单，之后收到的支付通知也不再入账。',
    noteBody: '备注仅管理员可见。该订单的支付通知将视为已核查。',
    completeDone: '补单成功',
    cancelDone: '订单已取消',
    noteDone: '备注已保存',
    price: '金额',
    quota: '额度',
    reported: '未入账通知',
  },
})
