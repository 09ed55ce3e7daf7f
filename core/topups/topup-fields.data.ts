// The fields of an order of quota.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const orderFields = {
  amount: {
    label: words('Amount', { context: 'topup' }),
    help: words('How much quota to buy, in the unit that the site shows'),
    example: 10,
  },
  top_up_code: {
    label: words('Discount code'),
    help: words('Code for a discount'),
    example: '',
  },
  payment_method: {
    label: words('Payment method'),
    help: words('How to pay: zfb or wx at Epay, or stripe'),
    example: 'zfb',
  },
} as const satisfies Record<string, FieldDeclaration>

/** Fields of an administrator's decision about an order. */
export const decisionFields = {
  trade_no: {
    label: words('Order'),
    help: words('Number of the order'),
    example: 'USR2NO1',
  },
  reason: {
    label: words('Reason'),
    help: words('Why, for the record; 1 to 200 characters'),
    example: 'the payment stands in the account statement',
  },
  note: {
    label: words('Note'),
    help: words('Note for administrators, up to 200 characters; empty removes the one before'),
    example: 'the customer was asked for the difference',
  },
} as const satisfies Record<string, FieldDeclaration>

/** A report of a payment service, to be tried out. */
export const noticeFields = {
  service: {
    label: words('Payment service'),
    help: words('Service of the report: epay or stripe'),
    example: 'epay',
  },
  report: {
    label: words('Report'),
    help: words('The report of the service: for Epay the query of the address, for Stripe the body'),
    kind: 'long_text',
    example: 'pid=1001&out_trade_no=USR2NO1&trade_status=TRADE_SUCCESS&sign=0123456789abcdef0123456789abcdef',
  },
  signature: {
    label: words('Signature'),
    help: words('Of Stripe the header Stripe-Signature'),
    example: '',
  },
} as const satisfies Record<string, FieldDeclaration>
