import type { Page, Slice } from '../contract/page.ts'
import type { NewTopUp, TopUp } from './topup.ts'

export interface TopUpStore {
  insert(order: NewTopUp): Promise<void>
  findByTradeNo(tradeNo: string): Promise<TopUp | null>
  /** Lists the orders of one user, or of all; newest first. */
  list(userId: number | undefined, slice: Slice): Promise<Page<TopUp>>
  /** Pending ones ordered before then (epoch seconds), at most `limit`. */
  unpaid(before: number, limit: number): Promise<TopUp[]>
  /** Expires a pending order. */
  expire(id: number): Promise<void>
  /** Marks an order as paid, also an expired one. */
  markPaid(id: number, paid: { time: number; provider_trade_no: string }): Promise<void>
}
