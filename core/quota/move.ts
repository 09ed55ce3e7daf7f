// Transfers quota between accounts in one transaction. A hold reserves the quota first, so that no call spends it in
// between.
import type { Credit, Ledger } from './ledger.ts'

type Move = Pick<Credit, 'by_user_id' | 'reference' | 'beside'> & { from: number; to: number; amount: number }

/** @throws GatewayError quota.insufficient if the free balance is too small */
export async function transferQuota(ledger: Ledger, { from, to, amount, ...how }: Move): Promise<void> {
  const hold = await ledger.hold({ account_id: from, by_user_id: null, token: null }, amount)
  try {
    await ledger.credit({ account_id: to, from, kind: 'transfer', amount, ...how })
  } finally {
    await ledger.release(hold)
  }
}
