import type { Page, Slice } from '../contract/page.ts'
import type { NewTopUp, TopUp } from './topup.ts'

export interface TopUpStore {
  insert(order: NewTopUp): Promise<void>
  findByTradeNo(tradeNo: string): Promise<TopUp | null>
  /** Of one user, or of everybody; newest first. */
  list(userId: number | undefined, slice: Slice): Promise<Page<TopUp>>
  /** Pending ones ordered before then (epoch seconds), at most `limit`. */
  unpaid(before: number, limit: number): Promise<TopUp[]>
  /** Only while it is pending. */
  expire(id: number): Promise<void>
  /** Also where it has expired. */
  markPaid(id: number, paid: { time: number; provider_trade_no: string }): Promise<void>
}
