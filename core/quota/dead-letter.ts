// Charges that storage refused for what they say: kept whole, so that they can be asked for again once the reason is gone.
import { z } from 'zod'
import { namedSchemas } from '../contract/named-schemas.ts'

export const DeadLetter = z.object({
  /** The hold of its call, which is its receipt's id. */
  hold_id: z.string(),
  account_id: z.number(),
  token_id: z.number().nullable(),
  by_user_id: z.number().nullable(),
  request_id: z.string(),
  /** What it would charge, in quota units. */
  quota: z.number(),
  /** Why storage refused it. */
  reason: z.string(),
  /** Epoch seconds. */
  created_at: z.number(),
})
namedSchemas.add(DeadLetter, { id: 'DeadLetter' })
export type DeadLetter = z.infer<typeof DeadLetter>

/** With the charge itself, as the journal has it. */
export interface StoredDeadLetter extends DeadLetter {
  charge: string
}

/** Charges that were refused. Writing them is the ledger store's business. */
export interface DeadLetterStore {
  /** The latest first. */
  list(limit: number): Promise<StoredDeadLetter[]>
  count(): Promise<number>
  remove(holdId: string): Promise<void>
}
