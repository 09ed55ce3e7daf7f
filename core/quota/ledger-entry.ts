// One movement of an account's balance. Entries are never edited or deleted.
import { z } from 'zod'
import { Unreadable } from '../contract/amount.ts'
import { namedSchemas } from '../contract/named-schemas.ts'

/** The kind of movement. `charge` is negative; a correction is a new entry with its author. */
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
  /** The cause of the entry; unique with the kind. */
  reference: z.string().nullable(),
  /** The model call that was charged; null for everything else. */
  request_id: z.string().nullable(),
  /** The author, if it was not the account's own user. */
  by_user_id: z.number().nullable(),
  /** Epoch seconds. */
  created_at: z.number(),
  /**
   * JSON text: for a charge its details (see ../pricing/charge-lines.ts), for a manual entry `{reason}` if one was
   * given; null for everything else, and for entries of earlier versions.
   */
  detail: z.string().nullable(),
  /** The operator's cost of the call, in quota units; null if unknown. */
  cost: z.number().nullable(),
  /** Keyed hash over this entry and the hash of the account's previous entry (see chain.ts). */
  hash: z.string(),
  unreadable: Unreadable,
})
namedSchemas.add(LedgerEntry, { id: 'LedgerEntry' })
export type LedgerEntry = z.infer<typeof LedgerEntry>
/** Returns the user who made the call: the account's own user, or a member of the team. */
export const getCallerId = ({ account_id, by_user_id }: Pick<LedgerEntry, 'account_id' | 'by_user_id'>): number =>
  by_user_id ?? account_id

export type NewLedgerEntry = Omit<LedgerEntry, 'id' | 'unreadable'>

/** Removes the operator's cost, which the owner of the account must not see. */
export const withoutCost = <E extends Pick<LedgerEntry, 'cost'>>(entry: E): E => ({ ...entry, cost: null })
