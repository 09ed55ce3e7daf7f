// One movement of an account's balance. Never edited, never deleted.
import { z } from 'zod'
import { Unreadable } from '../contract/amount.ts'
import { namedSchemas } from '../contract/named-schemas.ts'

/** Why quota moved. `charge` is negative; a correction is a new entry with who made it. */
export const EntryKind = z.enum([
  'charge',
  'setup',
  'gift',
  'adjustment',
  'redemption',
  'topup',
  'invitation',
  'transfer',
  'refund',
  'opening',
])
export type EntryKind = z.infer<typeof EntryKind>

export const LedgerEntry = z.object({
  id: z.number(),
  /** The account of a user has the user's id. */
  account_id: z.number(),
  token_id: z.number().nullable(),
  kind: EntryKind,
  /** Quota units, signed. */
  amount: z.number(),
  /** The account's quota after this entry. */
  balance_after: z.number(),
  hold_id: z.string().nullable(),
  /** What caused it; unique with the kind. */
  reference: z.string().nullable(),
  /** The model call that was charged; null for everything else. */
  request_id: z.string().nullable(),
  /** Who did it, where it was not the account's own user. */
  by_user_id: z.number().nullable(),
  /** Epoch seconds. */
  created_at: z.number(),
  /**
   * JSON text: of a charge what was charged (see ../pricing/charge-lines.ts), of what somebody did `{reason}` where they said one;
   * null for everything else, and for what earlier versions wrote.
   */
  detail: z.string().nullable(),
  /** What the call costs us, in quota units; null where it is not known. */
  cost: z.number().nullable(),
  /** Keyed, over this entry and the hash of the account's entry before it (see chain.ts). */
  hash: z.string(),
  unreadable: Unreadable,
})
namedSchemas.add(LedgerEntry, { id: 'LedgerEntry' })
export type LedgerEntry = z.infer<typeof LedgerEntry>
/** Whose call was charged: the account's own user, or a member of the team. */
export const getCallerId = ({ account_id, by_user_id }: Pick<LedgerEntry, 'account_id' | 'by_user_id'>): number =>
  by_user_id ?? account_id

export type NewLedgerEntry = Omit<LedgerEntry, 'id' | 'unreadable'>

/** As whose account it is may see it: what the operator pays is nobody else's business. */
export const withoutCost = <E extends Pick<LedgerEntry, 'cost'>>(entry: E): E => ({ ...entry, cost: null })
