import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { filterByNumber, queryFlag } from '../contract/filter.ts'
import { pageQueryFields, cursorPageSchema, cursorQueryFields } from '../contract/page.ts'
import { words } from '../errors.ts'
import { failWithCode } from '../settings/setting.ts'
import { decisionFields, noticeFields, orderFields } from './topup-fields.data.ts'
import { MAX_NOTE_LENGTH, TopupOrder, topupListOrder } from './topup.ts'

/** The payment reply of the specification: `message` is `success`, or the sentence of the refusal as in `data`. */
const outcome = { message: z.literal('success') }

/** The accepted payment methods: the first two pay at Epay. */
export const PAYMENT_METHODS = ['zfb', 'wx', 'stripe'] as const

const orderInput = declareShapeFields(orderFields, {
  /** Units, or quota if the site shows quota. An invalid amount counts as 0 and is refused as too small. */
  amount: z.coerce.number().catch(0).default(0),
  top_up_code: z.string().nullish(),
  /** `zfb` and `wx` pay at Epay, `stripe` at Stripe. */
  payment_method: z
    .unknown()
    .refine((method) => (PAYMENT_METHODS as readonly unknown[]).includes(method), failWithCode('topup.method'))
    .pipe(z.enum(PAYMENT_METHODS))
    .default('zfb'),
})

/** The decision of an administrator on an order, and its reason. */
export const OrderDecision = z.object(
  declareShapeFields(decisionFields, {
    trade_no: z.string().min(1),
    reason: z.string().trim().min(1).max(MAX_NOTE_LENGTH),
  }),
)

/** An administrator's note on an order. */
export const OrderNoteForm = z.object(
  declareShapeFields(decisionFields, { trade_no: z.string().min(1), note: z.string().trim().max(MAX_NOTE_LENGTH) }),
)

export const topupsContract = {
  amount: endpoint({
    method: 'POST',
    path: '/api/user/amount',
    access: 'user',
    scope: 'read',
    summary: words('The price of a top-up'),
    row: TopupOrder,
    body: z.object(orderInput),
    sentenceInData: true,
    reply: z.string(),
    replyFields: z.object(outcome),
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/user/pay',
    access: 'user',
    scope: 'all',
    summary: words('Order a top-up: the fields to post, and where to; without fields, the page to go to'),
    row: TopupOrder,
    body: z.object(orderInput),
    sentenceInData: true,
    reply: z.union([z.string(), z.record(z.string(), z.string())]),
    replyFields: z.object({ ...outcome, url: z.string().optional() }),
  }),
  verifyNotice: endpoint({
    method: 'POST',
    path: '/api/topup/verify',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Whether the keys that are set prove a report of a payment service; nothing is credited'),
    body: z.object(
      declareShapeFields(noticeFields, {
        service: z.enum(['epay', 'stripe']),
        report: z.string().max(20_000),
        signature: z.string().max(2000).default(''),
      }),
    ),
    reply: z.object({ trade_no: z.string().nullable(), money: z.string(), currency: z.string() }),
  }),
  complete: endpoint({
    method: 'POST',
    path: '/api/topup/complete',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Complete a pending or expired order whose payment arrived without a matching report: credits what was ordered, once',
    ),
    body: OrderDecision,
    reply: TopupOrder,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/topup/cancel',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Cancel a pending or expired order for good: later reports of its payment are not credited'),
    body: OrderDecision,
    reply: TopupOrder,
  }),
  note: endpoint({
    method: 'POST',
    path: '/api/topup/note',
    access: 'admin',
    scope: 'all',
    summary: words('Note something at an order for other administrators; ends the review of its reports'),
    body: OrderNoteForm,
    reply: TopupOrder,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/topup/',
    access: 'admin',
    scope: 'read',
    summary: words('Orders of all users, of one user, or with reports to review; newest first'),
    query: z.object({
      ...pageQueryFields,
      ...cursorQueryFields(topupListOrder),
      user_id: filterByNumber,
      needs_review: queryFlag,
    }),
    reply: cursorPageSchema(TopupOrder, topupListOrder),
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/topup/self',
    access: 'user',
    scope: 'read',
    summary: words("The signed-in user's orders, newest first"),
    query: z.object({ ...pageQueryFields, ...cursorQueryFields(topupListOrder) }),
    reply: cursorPageSchema(TopupOrder, topupListOrder),
  }),
}
