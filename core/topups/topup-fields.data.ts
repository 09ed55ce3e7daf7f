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
