// Entries of all accounts, chained by hash with secret keys: no past entry can be changed, removed, added or moved
// without a trace. Entries of the first releases have no key; the state of their accounts when the first key was created
// is stored with the keys.
import type { Secrets } from '../ports/secrets.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import type { ChainedAccount, EntryStore, LedgerSnapshot } from './store.ts'

// Entries of one account, chained by hash: no past entry can be changed, removed, added or moved without a trace.

/** The hash of a text as 64 hex digits: keyed by a chain key, or SHA-256 for the entries of the first releases. */
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
interface ChainFault {
  kind: 'chain' | 'running_balance' | 'chain_end' | 'chain_ground'
  account_id: number
  /** The first entry that shows the break; null for the end of the chain. */
  entry_id: number | null
  expected: string | number
  found: string | number
}

/** Verifies the entries of one account, in their order. */
interface ChainWalk {
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

/** Entries after `after` (an id) are chained with `key`, up to the next key's `after`. null for no key. */
interface ChainKey {
  after: number
  key: string | null
}

export interface ChainKeys {
  /** In ascending order of `after`. */
  keys: ChainKey[]
  /** Hash over the ends of all chains when the first key was created. null if entries had a key from the beginning. */
  ground: string | null
}

export interface Chain {
  /** Hashes a new entry. */
  digest: DigestFunction
  /** Hashes the entry of this id. */
  digestOf(entryId: number): DigestFunction
  /** The keys as `quota.verify` reports them: the first entry and the fingerprint of each. */
  keys: { after_entry: number; fingerprint: string | null }[]
  ground: UnkeyedPrefix | null
}

/** The unkeyed part of the chains: its last entry, and a keyed hash over the ends of all accounts. */
interface UnkeyedPrefix {
  entry_id: number
  hash: string
  /** Adds the end of an account to such a hash. Accounts must be added in the order of their ids. */
  add(hash: string, account: ChainedAccount): string
}

type Digests = Pick<Secrets, 'digest' | 'chainKey' | 'chainDigest'>

const FINGERPRINT_LENGTH = 16

/** @throws Error if there is no key, which never happens to a record of this installation */
export function createChain(secrets: Digests, { keys, ground }: ChainKeys): Chain {
  const periods = keys.map(({ after, key }) => ({
    after,
    digest: key === null ? secrets.digest : secrets.chainDigest(key),
    fingerprint: key === null ? null : secrets.digest(key).slice(0, FINGERPRINT_LENGTH),
  }))
  const newest = periods.at(-1)
  const first = keys.find(({ key }) => key !== null)
  if (!newest || !first?.key) throw new Error('The ledger has no key')
  return {
    digest: newest.digest,
    digestOf: (entryId) => (periods.findLast(({ after }) => entryId > after) ?? newest).digest,
    keys: periods.map(({ after, fingerprint }) => ({ after_entry: after, fingerprint })),
    ground: ground === null ? null : { entry_id: first.after, hash: ground, add: adding(secrets, first.key) },
  }
}

/** Creates the keys of a new ledger. */
export const createChainKeys = ({ chainKey }: Pick<Digests, 'chainKey'>): ChainKeys => ({
  keys: [{ after: 0, key: chainKey }],
  ground: null,
})

/**
 * Creates the keys of a ledger that had none up to the entry `after`. The accounts must be in the order of their ids.
 */
export function addFirstChainKey(secrets: Digests, after: number, accounts: readonly ChainedAccount[]): ChainKeys {
  if (after === 0) return createChainKeys(secrets)
  const add = adding(secrets, secrets.chainKey)
  return {
    keys: [
      { after: 0, key: null },
      { after, key: secrets.chainKey },
    ],
    ground: accounts.reduce((hash, account) => add(hash, account), CHAIN_START),
  }
}

/** Adds another key for new entries. Earlier keys stay, so that their entries can be verified. */
export const appendChainKey = ({ keys, ground }: ChainKeys, after: number, key: string): ChainKeys => ({
  keys: [...keys, { after, key }],
  ground,
})

function adding(secrets: Digests, key: string): UnkeyedPrefix['add'] {
  const digest = secrets.chainDigest(key)
  return (hash, { id, entries_hash }) => digest(`${hash} ${id} ${entries_hash}`)
}

// Checks every account's chain of entries page by page, so that a million entries never sit in memory.

interface ChainAudit {
  accounts: number
  entries: number
  faults: ChainFault[]
}

const ACCOUNTS_PER_PAGE = 500
const ENTRIES_PER_PAGE = 2000

/**
 * Verifies the chains of all accounts, or of one. Each page of accounts is read from one snapshot, so charges may
 * continue. Stops after `limit` faults.
 */
export async function auditChains(
  store: EntryStore,
  chain: Pick<Chain, 'digestOf' | 'ground'>,
  { account_id, limit }: { account_id?: number; limit: number },
): Promise<ChainAudit> {
  const audit: ChainAudit = { accounts: 0, entries: 0, faults: [] }
  let after = 0
  let ground = CHAIN_START
  for (;;) {
    const page = await store.audit(async (books) => {
      const found = account_id === undefined ? null : await books.account(account_id)
      const accounts =
        account_id === undefined ? await books.accounts(after, ACCOUNTS_PER_PAGE) : found === null ? [] : [found]
      ground = await auditPage(books, accounts, chain, audit, ground)
      return accounts
    })
    audit.accounts += page.length
    after = page.at(-1)?.id ?? after
    if (account_id !== undefined || page.length < ACCOUNTS_PER_PAGE || audit.faults.length >= limit) break
  }
  const { entry_id, hash: expected } = chain.ground ?? { entry_id: 0, hash: '' }
  // Not for a check of one account, which sees no others, or one that stopped at its limit and has not read every row.
  if (chain.ground && account_id === undefined && audit.faults.length < limit && ground !== expected)
    audit.faults.push({ kind: 'chain_ground', account_id: 0, entry_id, expected, found: ground })
  return { ...audit, faults: audit.faults.slice(0, limit) }
}

/**
 * Verifies the entries of some accounts, which arrive in the order of the accounts. Returns the hash of the unkeyed
 * prefix with theirs added.
 */
async function auditPage(
  books: LedgerSnapshot,
  accounts: ChainedAccount[],
  { digestOf, ground }: Pick<Chain, 'digestOf' | 'ground'>,
  audit: ChainAudit,
  before: string,
): Promise<string> {
  let hash = before
  const [first, last] = [accounts[0]?.id, accounts.at(-1)?.id]
  if (first === undefined || last === undefined) return hash
  const queue = accounts.map(({ id, entries_hash }) => ({
    id,
    entries_hash,
    walk: walkChain(digestOf, id, ground?.entry_id),
  }))
  let at = 0
  const finishUntil = (accountId: number) => {
    for (let account = queue[at]; account && account.id < accountId; account = queue[(at += 1)]) {
      audit.faults.push(...account.walk.end(account.entries_hash))
      const entries_hash = account.walk.ground()
      if (ground && entries_hash !== null) hash = ground.add(hash, { id: account.id, entries_hash })
    }
  }
  let after = { account_id: first, id: 0 }
  for (;;) {
    const entries = await books.entries(last, after, ENTRIES_PER_PAGE)
    for (const entry of entries) {
      finishUntil(entry.account_id)
      const account = queue[at]
      if (account?.id === entry.account_id) audit.faults.push(...account.walk.next(entry))
    }
    audit.entries += entries.length
    const reached = entries.at(-1)
    if (!reached || entries.length < ENTRIES_PER_PAGE) break
    after = { account_id: reached.account_id, id: reached.id }
  }
  finishUntil(Infinity)
  return hash
}
