// An order of quota at a payment service: pending until it is paid, expired if it was not paid in time. Late money is
// not lost: a verified report of an expired order credits the ordered amount. A cancelled order is never credited.
import { z } from 'zod'
import { UnreadableFields } from '../contract/filter.ts'
import { declareListing } from '../contract/page.ts'

export const TOPUP_STATUS = ['pending', 'success', 'expired', 'cancelled'] as const

/** Longest reason and note of an administrator, in characters. */
export const MAX_NOTE_LENGTH = 200

/** A signed report of a payment that was not credited: of another amount, or of a cancelled order. */
export const PaymentReport = z.object({
  /** Epoch seconds. */
  time: z.number(),
  provider: z.string(),
  /** The provider's own number of the payment. */
  provider_trade_no: z.string(),
  /** Hundredths of the currency. */
  money: z.number(),
  currency: z.string(),
})
z.globalRegistry.add(PaymentReport, { id: 'PaymentReport' })
export type PaymentReport = z.infer<typeof PaymentReport>

/** Time to pay, in seconds. Stripe keeps a page for a day at most, and clocks differ. */
export const ORDER_LIFETIME_SECONDS = 23 * 3600

/** How orders can be sorted. */
export const topupListOrder = declareListing({
  name: 'topups',
  columns: ['id', 'status', 'quota', 'money', 'create_time', 'paid_time'],
  first: '-id',
  sums: ['quota'],
})

export const TopupOrder = z.object({
  id: z.number(),
  user_id: z.number(),
  /** Our number of the order; what its credit is booked under. */
  trade_no: z.string(),
  provider: z.string(),
  /** How it is paid at the provider. */
  method: z.string(),
  /** The requested amount: units, or quota if the site shows quota. */
  amount: z.number(),
  /** Hundredths of the currency. */
  money: z.number(),
  currency: z.string(),
  /** Quota units that it credits, as of the order. */
  quota: z.number(),
  status: z.enum(TOPUP_STATUS),
  /** Epoch seconds. */
  create_time: z.number(),
  /** Epoch seconds; 0 until it is paid. */
  paid_time: z.number(),
  /** The provider's own number of the payment. */
  provider_trade_no: z.string(),
  /** Epoch seconds; 0 if it is not cancelled. */
  cancelled_time: z.number(),
  /** Reason of the last decision, or the last note of an administrator; shown to administrators only. */
  note: z.string(),
  /** Id of the note's author; 0 if there is no note, or if it is from the terminal on the host. */
  noted_by: z.number(),
  /** Epoch seconds; 0 if there is no note. */
  noted_time: z.number(),
  /** Reports that were not credited, oldest first. */
  reports: z.array(PaymentReport),
  /** true from a report that was not credited until an administrator decides or notes. */
  needs_review: z.boolean(),
  unreadable: UnreadableFields,
})
z.globalRegistry.add(TopupOrder, { id: 'TopUp' })
export type TopupOrder = z.infer<typeof TopupOrder>
export type NewTopUp = Pick<
  TopupOrder,
  'user_id' | 'trade_no' | 'provider' | 'method' | 'amount' | 'money' | 'currency' | 'quota' | 'create_time'
>

/** Returns an order as its payer sees it: without the notes of administrators. */
export const toPayersOrder = (order: TopupOrder): TopupOrder => ({ ...order, note: '', noted_by: 0, noted_time: 0 })

/** Hundredths as `12.30`. */
export const formatHundredths = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** Returns an amount with its currency, as `12.30 CNY`. */
export const formatOrderPrice = ({ money, currency }: Pick<TopupOrder, 'money' | 'currency'>): string =>
  `${formatHundredths(money)} ${currency.toUpperCase()}`

/** `12.3` as 1230; undefined for what is no such amount. */
export function parseHundredths(text: string): number | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim())
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined
}
