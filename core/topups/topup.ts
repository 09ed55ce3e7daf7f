// An order of quota at a payment service: pending until it is paid, expired if it was not paid in time. Late money is
// not lost: a verified report of an expired order credits the ordered amount.
import { z } from 'zod'
import { Unreadable } from '../contract/filter.ts'
import { namedSchemas } from '../contract/named-schemas.ts'
import { listing } from '../contract/page.ts'

export const TOPUP_STATUS = ['pending', 'success', 'expired'] as const

/** Time to pay, in seconds. Stripe keeps a page for a day at most, and clocks differ. */
export const ORDER_LIFE = 23 * 3600

/** How orders can be sorted. */
export const topupList = listing({
  name: 'topups',
  columns: ['id', 'status', 'quota', 'money', 'create_time', 'paid_time'],
  first: '-id',
  sums: ['quota'],
})

export const TopUp = z.object({
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
  unreadable: Unreadable,
})
namedSchemas.add(TopUp, { id: 'TopUp' })
export type TopUp = z.infer<typeof TopUp>
export type NewTopUp = Omit<TopUp, 'id' | 'status' | 'paid_time' | 'provider_trade_no'>

/** Hundredths as `12.30`. */
export const moneyText = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** `12.3` as 1230; undefined for what is no such amount. */
export function hundredths(text: string): number | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim())
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined
}
