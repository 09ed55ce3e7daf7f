// One movement of a user's balance. Never edited, never deleted.
import { z } from 'zod'
import { Unreadable } from '../contract/amount.ts'

/** Why quota moved. `charge` is negative; a correction is a new entry with who made it. */
export const EntryKind = z.enum([
  'charge',
  'setup',
  'gift',
  'adjustment',
  'redemption',
  'topup',
  'invitation',
  'refund',
])
export type EntryKind = z.infer<typeof EntryKind>

export const LedgerEntry = z.object({
  id: z.number(),
  user_id: z.number(),
  token_id: z.number().nullable(),
  kind: EntryKind,
  /** Quota units, signed. */
  amount: z.number(),
  /** The user's quota after this entry. */
  balance_after: z.number(),
  hold_id: z.string().nullable(),
  /** What caused it; unique with the kind. */
  reference: z.string().nullable(),
  /** The model call that was charged; null for everything else. */
  request_id: z.string().nullable(),
  by_user_id: z.number().nullable(),
  /** Epoch seconds. */
  created_at: z.number(),
  /** Keyed, over this entry and the hash of the account's entry before it (see chain.ts). */
  hash: z.string(),
  unreadable: Unreadable,
})
export type LedgerEntry = z.infer<typeof LedgerEntry>
export type NewLedgerEntry = Omit<LedgerEntry, 'id' | 'unreadable'>
