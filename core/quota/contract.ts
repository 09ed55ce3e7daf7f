import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields, type FieldDeclaration } from '../contract/field.ts'
import { filterByNumber } from '../contract/filter.ts'
import { buildPageSchema, pageQueryFields } from '../contract/page.ts'
import { words } from '../errors.ts'
import { DeadLetter } from './dead-letters.ts'
import { AccountKind, LedgerEntry } from './ledger-entry.ts'
import { SignedCheckpoint, SignedReceipt } from './receipts.ts'

// The fields of operations on the ledger.

const retryFields = {
  hold_ids: {
    label: words('Charges'),
    help: words('The holds of the refused charges to ask for again'),
    example: ['m3k9f2a-hold'],
  },
} as const satisfies Record<string, FieldDeclaration>

/** Times in epoch seconds, inclusive; 0 does not filter. */
const range = { ...pageQueryFields, start_timestamp: filterByNumber, end_timestamp: filterByNumber }

/** An entry of a statement, with the model of a charge (empty if no log row names it), its author and the reason. */
export const StatementEntry = LedgerEntry.extend({
  model_name: z.string(),
  by_username: z.string(),
  reason: z.string(),
})
z.globalRegistry.add(StatementEntry, { id: 'StatementEntry' })
export type StatementEntry = z.infer<typeof StatementEntry>

/** A page of movements, newest first. The balances are those before and after the whole range, in quota units. */
const EntryPage = buildPageSchema(StatementEntry).extend({
  account_id: z.number(),
  account_kind: AccountKind,
  /** The user's name or the team's. */
  account_name: z.string(),
  opening_balance: z.number(),
  closing_balance: z.number(),
})
type EntryPage = z.infer<typeof EntryPage>

/**
 * A fault and its place. `balance`: not the sum of the entries; `inexact`: too large to be one; `held`, `token_held`:
 * not the sum of the open holds; `charged_hold`: charged and still open; `orphaned_hold`: its process is gone; `chain`:
 * an entry was changed, or one before it removed, added or moved; `chain_end`: the latest entry is not the one that the
 * account remembers; `chain_ground`: entries from before the first key were changed, of an account that has no later
 * ones; `running_balance`: an entry does not follow from the one before it.
 */
export const QuotaFault = z.object({
  kind: z.enum([
    'balance',
    'inexact',
    'held',
    'token_held',
    'charged_hold',
    'orphaned_hold',
    'chain',
    'chain_end',
    'chain_ground',
    'running_balance',
  ]),
  account_id: z.number(),
  token_id: z.number().nullable(),
  hold_id: z.string().nullable(),
  entry_id: z.number().nullable(),
  /** Quota units, or hashes of entries. */
  expected: z.union([z.number(), z.string()]),
  found: z.union([z.number(), z.string()]),
})
z.globalRegistry.add(QuotaFault, { id: 'QuotaFault' })
export type QuotaFault = z.infer<typeof QuotaFault>

/** An account below zero, in quota units. */
const OwingAccount = z.object({
  account_id: z.number(),
  account_kind: AccountKind,
  /** The user's name or the team's. */
  account_name: z.string(),
  quota: z.number(),
})
z.globalRegistry.add(OwingAccount, { id: 'OwingAccount' })

export const quota = {
  verify: endpoint({
    method: 'GET',
    path: '/api/quota/verify',
    access: 'root',
    scope: 'read',
    summary: words(
      "Prove the ledger: balances equal entries, each account's chain of entries is whole, holds are resolved or alive",
    ),
    query: z.object({ account_id: z.coerce.number().int().positive().optional() }),
    reply: z.object({
      ok: z.boolean(),
      open_holds: z.number(),
      accounts: z.number(),
      entries: z.number(),
      /**
       * The chain keys, and the entry after which each of them applies. null means no key; the last one is the current
       * one.
       */
      chain: z.array(z.object({ after_entry: z.number(), fingerprint: z.string().nullable() })),
      /** At most the first thousand. */
      faults: z.array(QuotaFault),
      /** Accounts with a negative balance, which is not a fault: the lowest first, at most the first thousand. */
      below_zero: z.array(OwingAccount),
    }),
  }),
  checkpoint: endpoint({
    method: 'GET',
    path: '/api/quota/checkpoint',
    access: 'root',
    scope: 'read',
    summary: words(
      'The totals of the ledger, signed with the receipt key: stored elsewhere, they prove later that nothing was changed',
    ),
    /** As of an earlier entry; 0 for the latest. */
    query: z.object({ last_entry: filterByNumber }),
    reply: SignedCheckpoint,
  }),
  pending: endpoint({
    method: 'GET',
    path: '/api/quota/pending',
    access: 'root',
    scope: 'read',
    summary: words(
      'Charges that are not booked: those that wait for storage, and those that it refused for their content',
    ),
    reply: z.object({
      /** Pending charges of the process that answers. */
      waiting: z.object({
        charges: z.number(),
        /** Age of the oldest waiting charge, in ms. */
        waited_ms: z.number(),
        /** True if they survive the end of the process. */
        safe: z.boolean(),
      }),
      /** Latest first, at most the last thousand. */
      refused: z.array(DeadLetter),
    }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/quota/retry',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Retry rejected charges; each is booked once, or stays as it is'),
    body: z.object(declareShapeFields(retryFields, { hold_ids: z.array(z.string()).min(1).max(1000) })),
    reply: z.array(
      z.object({
        hold_id: z.string(),
        booked: z.boolean(),
        /** The reason for the new rejection; empty if the charge was booked. */
        reason: z.string(),
      }),
    ),
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/quota/entries',
    access: 'user',
    scope: 'read',
    summary: words(
      "The movements of an account's balance, newest first; the account of a user has the user's id. For administrators, its user, and the owners of its team",
    ),
    query: z.object({ account_id: z.coerce.number().int(), ...range }),
    reply: EntryPage,
  }),
  entriesSelf: endpoint({
    method: 'GET',
    path: '/api/quota/entries/self',
    access: 'user',
    scope: 'read',
    summary: words("The movements of the signed-in user's balance, newest first"),
    query: z.object(range),
    reply: EntryPage,
  }),
  receiptKey: endpoint({
    method: 'GET',
    path: '/api/receipts/key',
    access: 'public',
    summary: words('The public key that receipts are signed with (Ed25519, SPKI in base64)'),
    reply: z.object({ key_id: z.string(), public_key: z.string(), pem: z.string() }),
  }),
  receipt: endpoint({
    method: 'GET',
    path: '/api/receipts/{receipt_id}',
    access: 'user',
    scope: 'read',
    summary: words(
      'The signed receipt of a charge, for who was charged and for administrators; its id is in x-weir-receipt',
    ),
    params: z.object({ receipt_id: z.string() }),
    reply: SignedReceipt,
  }),
}
