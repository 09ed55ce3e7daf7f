// The fields of an order of quota.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const orderFields = {
  amount: {
    label: words('Amount', '充值数量'),
    help: words('How much quota to buy, in the unit that the site shows', '购买数量，以站点显示的单位计'),
    example: 10,
  },
  top_up_code: {
    label: words('Discount code', '优惠码'),
    help: words('Code for a discount', '优惠码'),
    example: '',
  },
  payment_method: {
    label: words('Payment method', '支付方式'),
    help: words('How to pay: zfb or wx at Epay, or stripe', '支付方式：易支付的 zfb 或 wx，或 stripe'),
    example: 'zfb',
  },
} as const satisfies Record<string, Field>

/** What an administrator decides about an order. */
export const decisionFields = {
  trade_no: {
    label: words('Order', '订单号'),
    help: words('Number of the order', '订单号'),
    example: 'USR2NO1',
  },
  reason: {
    label: words('Reason', '原因'),
    help: words('Why, for the record; 1 to 200 characters', '原因，供记录；1 到 200 个字符'),
    example: 'the payment stands in the account statement',
  },
  note: {
    label: words('Note', '备注'),
    help: words(
      'Note for administrators, up to 200 characters; empty removes the one before',
      '仅管理员可见的备注，最多 200 个字符；留空则删除原备注',
    ),
    example: 'the customer was asked for the difference',
  },
} as const satisfies Record<string, Field>

/** A report of a payment service, to be tried out. */
export const noticeFields = {
  service: {
    label: words('Payment service', '支付服务'),
    help: words('Service of the report: epay or stripe', '通知来自哪个服务：epay 或 stripe'),
    example: 'epay',
  },
  report: {
    label: words('Report', '通知内容'),
    help: words(
      'The report of the service: for Epay the query of the address, for Stripe the body',
      '服务发送的内容：易支付为地址的查询部分，Stripe 为请求体',
    ),
    kind: 'long_text',
    example: 'pid=1001&out_trade_no=USR2NO1&trade_status=TRADE_SUCCESS&sign=0123456789abcdef0123456789abcdef',
  },
  signature: {
    label: words('Signature', '签名'),
    help: words('Of Stripe the header Stripe-Signature', 'Stripe 的 Stripe-Signature 请求头'),
    example: '',
  },
} as const satisfies Record<string, Field>
