// Entries of one account, chained by hash: no past entry can be changed, removed, added or moved without a trace.
import type { LedgerEntry } from './ledger-entry.ts'

/** The hash of a text as 64 hex digits: keyed (see chain-keys.ts), or SHA-256 for the entries of the first releases. */
export type DigestFunction = (text: string) => string

/** The fields of an entry that its hash covers: all except the database's own number. */
export type HashedEntry = Omit<LedgerEntry, 'id' | 'hash'>

/** The hash before an account's first entry. */
export const CHAIN_START = ''

/** The list of hashed fields. 1: entries from before accounts, which record no charge details. */
type Form = 1 | 2
const FORM = 2

/**
 * Hashes an entry: the hash of the account's previous entry and its own fields, as one JSON array in fixed order. Texts
 * are hashed as the databases store them.
 */
export function hashEntry(digest: DigestFunction, previous: string, entry: HashedEntry, form: Form = FORM): string {
  const { account_id, token_id, kind, amount, balance_after, hold_id, reference, request_id, by_user_id, created_at } =
    entry
  const before = `${form},${json(previous)},${account_id},${token_id},${json(kind)},${amount},${balance_after}`
  const fields = `${before},${json(hold_id)},${json(reference)},${json(request_id)},${by_user_id},${created_at}`
  return digest(form === 1 ? `[${fields}]` : `[${fields},${json(entry.detail)},${entry.cost}]`)
}

/** Formats a text as JSON. Databases store no NUL and no lone surrogates; such texts come from outside and are rare. */
function json(text: string | null): string {
  if (text === null) return 'null'
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text.replace(/\0|\p{Cs}/gu, '\uFFFD'))
}

/** Texts that need no escaping in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/

/** A break in an account's chain. */
export interface ChainFault {
  kind: 'chain' | 'running_balance' | 'chain_end' | 'chain_ground'
  account_id: number
  /** The first entry that shows the break; null for the end of the chain. */
  entry_id: number | null
  expected: string | number
  found: string | number
}

/** Verifies the entries of one account, in their order. */
export interface ChainWalk {
  next(entry: LedgerEntry): ChainFault[]
  /** Call after the last entry. `end` is the hash that the account stores. */
  end(end: string): ChainFault[]
  /** Returns the hash of its last entry up to the `ground` of the walk, or null if it has none. */
  ground(): string | null
}

/**
 * Starts at an account's first entry. Each fault is reported once: the walk continues from the entry's own values.
 * `ground` is the id of the last entry of the unkeyed prefix, which is sealed as a whole.
 */
export function walkChain(digestOf: (entryId: number) => DigestFunction, accountId: number, ground = 0): ChainWalk {
  let previous = CHAIN_START
  let last: string | null = null
  let balance = 0
  // Once an entry has the current form, no later one has an earlier form, or has fields that the earlier form does not
  // cover.
  let form: Form = 1
  const hashInForm = (entry: LedgerEntry) => {
    const digest = digestOf(entry.id)
    if (form === 1 && entry.detail === null && entry.cost === null) {
      const earlier = hashEntry(digest, previous, entry, 1)
      if (earlier === entry.hash) return earlier
    }
    const present = hashEntry(digest, previous, entry)
    if (present === entry.hash) form = FORM
    return present
  }
  return {
    next(entry) {
      const faults: ChainFault[] = []
      const at = { account_id: accountId, entry_id: entry.id }
      const expected = hashInForm(entry)
      if (expected !== entry.hash) faults.push({ kind: 'chain', ...at, expected, found: entry.hash })
      if (balance + entry.amount !== entry.balance_after) {
        faults.push({
          kind: 'running_balance',
          ...at,
          expected: balance + entry.amount,
          found: entry.balance_after,
        })
      }
      previous = entry.hash
      if (entry.id <= ground) last = entry.hash
      balance = entry.balance_after
      return faults
    },
    end: (end) =>
      end === previous
        ? []
        : [{ kind: 'chain_end', account_id: accountId, entry_id: null, expected: previous, found: end }],
    ground: () => last,
  }
}
