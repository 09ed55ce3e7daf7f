// A charge that the database has rejected, as a dead letter.
import type { Storage } from '../../core/ports/storage.ts'
import { type StoredDeadLetter, toDeadLetter } from '../../core/quota/dead-letters.ts'
import { ledgerWrite, newLog } from '../storage/samples.ts'

const MADE = new WeakMap<Storage, number>()

/** The first of a storage is `refused1`, whatever other tests of this process have made. */
export async function refuseCharge(
  storage: Storage,
  { account_id, token_id, quota }: { account_id: number; token_id: number | null; quota: number },
): Promise<StoredDeadLetter> {
  const made = (MADE.get(storage) ?? 0) + 1
  MADE.set(storage, made)
  const hold = { id: `refused${made}`, account_id, by_user_id: null, token_id, amount: quota }
  const settlement = { quota, channel_id: 0, billable: true, request_id: `request${made}` }
  const log = newLog({ user_id: account_id, quota, request_id: `request${made}` })
  const letter = toDeadLetter({ kind: 'settle', hold, settlement, log }, 'it was too much', 1_700_000_000)
  await storage.ledger.commit(ledgerWrite({ letters: [letter] }))
  return letter
}
