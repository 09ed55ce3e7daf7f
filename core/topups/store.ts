import type { RowPage, ListSlice } from '../contract/page.ts'
import type { NewTopUp, PaymentReport, TopupOrder } from './topup.ts'

/** A note of an administrator on an order. */
export type OrderNote = Pick<TopupOrder, 'note' | 'noted_by' | 'noted_time'>

export interface OrderFilter {
  /** Orders of this user; undefined for all. */
  user_id?: number
  /** true for orders with reports that no administrator has reviewed. */
  needs_review?: boolean
}

export interface TopUpStore {
  insert(order: NewTopUp): Promise<void>
  findByTradeNo(tradeNo: string): Promise<TopupOrder | null>
  /** Lists orders, newest first. */
  list(filter: OrderFilter, slice: ListSlice): Promise<RowPage<TopupOrder>>
  /** Pending ones ordered before then (epoch seconds), at most `limit`. */
  unpaid(before: number, limit: number): Promise<TopupOrder[]>
  /** Expires a pending order. */
  expire(id: number): Promise<void>
  /** Marks an order as paid, also an expired one; false if it is already paid, or cancelled. */
  markPaid(id: number, paid: { time: number; provider_trade_no: string }): Promise<boolean>
  /** Stores the provider's number of the payment of a paid order that has none. */
  nameProviderOrder(id: number, providerTradeNo: string): Promise<void>
  /** Cancels an order that is pending or expired; false if it is paid, or already cancelled. */
  cancel(id: number, time: number): Promise<boolean>
  /** Stores the note in place of the one before, and ends the review of the order. */
  annotate(id: number, note: OrderNote): Promise<void>
  /** Adds a report to the order, which is then to be reviewed. A report that is stored already changes nothing. */
  addReport(id: number, report: PaymentReport): Promise<void>
}
