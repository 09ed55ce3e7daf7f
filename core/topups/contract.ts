import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { filterNumber } from '../contract/filter.ts'
import { pageQuery, cursorPageSchema, walkQuery } from '../contract/page.ts'
import { words } from '../errors.ts'
import { failWith } from '../settings/setting.ts'
import { noticeFields, orderFields } from './topup-fields.data.ts'
import { TopUp, topupList } from './topup.ts'

/** The payment reply of the specification: `message` is `success`, or the sentence of the refusal as in `data`. */
const outcome = { message: z.literal('success') }

const PAYMENT_METHODS = ['zfb', 'wx', 'stripe'] as const

const orderInput = declareFields(orderFields, {
  /** Units, or quota if the site shows quota. An invalid amount counts as 0 and is refused as too small. */
  amount: z.coerce.number().catch(0).default(0),
  top_up_code: z.string().nullish(),
  /** `zfb` and `wx` pay at Epay, `stripe` at Stripe. */
  payment_method: z
    .unknown()
    .refine((method) => (PAYMENT_METHODS as readonly unknown[]).includes(method), failWith('topup.method'))
    .pipe(z.enum(PAYMENT_METHODS))
    .default('zfb'),
})

export const topups = {
  amount: endpoint({
    method: 'POST',
    path: '/api/user/amount',
    access: 'user',
    scope: 'read',
    summary: words('What a top-up would cost', '一次充值的价格'),
    row: TopUp,
    body: z.object(orderInput),
    sentenceInData: true,
    reply: z.string(),
    beside: z.object(outcome),
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/user/pay',
    access: 'user',
    scope: 'all',
    summary: words(
      'Order a top-up: the fields to post, and where to; without fields, the page to go to',
      '下单充值：需提交的字段与提交地址；没有字段时为应前往的页面',
    ),
    row: TopUp,
    body: z.object(orderInput),
    sentenceInData: true,
    reply: z.union([z.string(), z.record(z.string(), z.string())]),
    beside: z.object({ ...outcome, url: z.string().optional() }),
  }),
  verifyNotice: endpoint({
    method: 'POST',
    path: '/api/topup/verify',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'Whether the keys that are set prove a report of a payment service; nothing is credited',
      '所设密钥能否验证支付服务的通知；不入账',
    ),
    body: z.object(
      declareFields(noticeFields, {
        service: z.enum(['epay', 'stripe']),
        report: z.string().max(20_000),
        signature: z.string().max(2000).default(''),
      }),
    ),
    reply: z.object({ trade_no: z.string().nullable(), money: z.string(), currency: z.string() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/topup/',
    access: 'admin',
    scope: 'read',
    summary: words("Everybody's orders, or those of one user, newest first", '所有人或某个用户的订单，最新的在前'),
    query: z.object({ ...pageQuery, ...walkQuery(topupList), user_id: filterNumber }),
    reply: cursorPageSchema(TopUp, topupList),
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/topup/self',
    access: 'user',
    scope: 'read',
    summary: words("The signed-in user's orders, newest first", '当前用户的订单，最新的在前'),
    query: z.object({ ...pageQuery, ...walkQuery(topupList) }),
    reply: cursorPageSchema(TopUp, topupList),
  }),
}
