import type { Page, Slice } from '../contract/page.ts'
import type { NewTopUp, TopUp } from './topup.ts'

export interface TopUpStore {
  insert(order: NewTopUp): Promise<void>
  findByTradeNo(tradeNo: string): Promise<TopUp | null>
  /** Of one user, or of everybody; newest first. */
  list(userId: number | undefined, slice: Slice): Promise<Page<TopUp>>
  markPaid(id: number, paid: { time: number; provider_trade_no: string }): Promise<void>
}
