// Entries of one account, chained by hash: no past entry can be changed, removed, added or moved without a trace.
import type { LedgerEntry } from './ledger-entry.ts'

/** The hash of a text as 64 hex digits: keyed (see chain-keys.ts), or SHA-256 for the entries of the first releases. */
export type Digest = (text: string) => string

/** What an entry's hash stands for: everything in it but the database's own number. */
export type HashedEntry = Omit<LedgerEntry, 'id' | 'hash'>

/** The hash before an account's first entry. */
export const CHAIN_START = ''

/** What is hashed. 1: entries of the time before accounts, of which nothing says what was charged. */
type Form = 1 | 2
const FORM = 2

/**
 * The hash of an entry: over the hash of the account's entry before it and its own fields, as one JSON array in fixed
 * order. Texts count as the databases keep them.
 */
export function entryHash(digest: Digest, previous: string, entry: HashedEntry, form: Form = FORM): string {
  const { account_id, token_id, kind, amount, balance_after, hold_id, reference, request_id, by_user_id, created_at } =
    entry
  const before = `${form},${json(previous)},${account_id},${token_id},${json(kind)},${amount},${balance_after}`
  const fields = `${before},${json(hold_id)},${json(reference)},${json(request_id)},${by_user_id},${created_at}`
  return digest(form === 1 ? `[${fields}]` : `[${fields},${json(entry.detail)},${entry.cost}]`)
}

/** As JSON. Databases keep no NUL and no halves of characters; such texts come from outside and are rare. */
function json(text: string | null): string {
  if (text === null) return 'null'
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text.replace(/\0|\p{Cs}/gu, '\uFFFD'))
}

/** Texts that stand in JSON as they are. */
const PLAIN = /^[ !#-[\]-~]*$/

/** A break in an account's chain. */
export interface ChainFault {
  kind: 'chain' | 'running_balance' | 'chain_end' | 'chain_ground'
  account_id: number
  /** The entry where it shows; null for the end of the chain. */
  entry_id: number | null
  expected: string | number
  found: string | number
}

/** Follows the entries of one account, in their order. */
export interface ChainWalk {
  next(entry: LedgerEntry): ChainFault[]
  /** After the last entry: `end` is the hash that the account remembers. */
  end(end: string): ChainFault[]
  /** The hash of its last entry up to `ground`, a walk's own; null where there is none. */
  ground(): string | null
}

/**
 * Starts at an account's first entry. A fault is told once: the walk goes on from what the entry says of itself. `ground`
 * is the id of the last entry of a time that is sealed as a whole.
 */
export function walkChain(digestOf: (entryId: number) => Digest, accountId: number, ground = 0): ChainWalk {
  let previous = CHAIN_START
  let last: string | null = null
  let balance = 0
  // Once an entry has the present form no later one has an earlier form, and none that says more than that one covers.
  let form: Form = 1
  const hashOf = (entry: LedgerEntry) => {
    const digest = digestOf(entry.id)
    if (form === 1 && entry.detail === null && entry.cost === null) {
      const earlier = entryHash(digest, previous, entry, 1)
      if (earlier === entry.hash) return earlier
    }
    const present = entryHash(digest, previous, entry)
    if (present === entry.hash) form = FORM
    return present
  }
  return {
    next(entry) {
      const faults: ChainFault[] = []
      const at = { account_id: accountId, entry_id: entry.id }
      const expected = hashOf(entry)
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
