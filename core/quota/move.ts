// Quota from one account to another, in one transaction. What is moved is held first, so that no call spends it meanwhile.
import type { Credit, Ledger } from './ledger.ts'

type Move = Pick<Credit, 'by_user_id' | 'reference' | 'beside'> & { from: number; to: number; amount: number }

/** @throws GatewayError quota.insufficient where there is not so much that no call holds */
export async function transferQuota(ledger: Ledger, { from, to, amount, ...how }: Move): Promise<void> {
  const hold = await ledger.hold({ account_id: from, by_user_id: null, token: null }, amount)
  try {
    await ledger.credit({ account_id: to, from, kind: 'transfer', amount, ...how })
  } finally {
    await ledger.release(hold)
  }
}
