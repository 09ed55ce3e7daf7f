// Charges that the database rejected because of their content. They are stored whole, so that they can be retried once
// the reason is gone.
import { z } from 'zod'

export const DeadLetter = z.object({
  /** The hold of the call, which is also the id of its receipt. */
  hold_id: z.string(),
  account_id: z.number(),
  token_id: z.number().nullable(),
  by_user_id: z.number().nullable(),
  request_id: z.string(),
  /** The amount of the charge, in quota units. */
  quota: z.number(),
  /** The reason for the rejection. */
  reason: z.string(),
  /** Epoch seconds. */
  created_at: z.number(),
})
z.globalRegistry.add(DeadLetter, { id: 'DeadLetter' })
export type DeadLetter = z.infer<typeof DeadLetter>

/** Includes the charge itself, as the journal stores it. */
export interface StoredDeadLetter extends DeadLetter {
  charge: string
}

/** Reads rejected charges. The ledger store writes them. */
export interface DeadLetterStore {
  /** Latest first. */
  list(limit: number): Promise<StoredDeadLetter[]>
  count(): Promise<number>
  remove(holdId: string): Promise<void>
}
