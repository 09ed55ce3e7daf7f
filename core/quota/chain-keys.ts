// The keys that chain the entries of all accounts, one after the other. Entries of the first releases have no key; the
// state of their accounts when the first key was created is stored with the keys.
import type { Secrets } from '../ports/secrets.ts'
import type { ChainedAccount } from './entry-store.ts'
import { CHAIN_START, type DigestFunction } from './chain.ts'

/** Entries after `after` (an id) are chained with `key`, up to the next key's `after`. null for no key. */
export interface ChainKey {
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
export interface UnkeyedPrefix {
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
