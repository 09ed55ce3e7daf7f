// The keys that the entries of all accounts are chained with, one after the other. Entries of the first releases are
// chained without one; what their accounts had come to when the first key came is kept beside the keys.
import type { Secrets } from '../ports/secrets.ts'
import type { ChainedAccount } from './entry-store.ts'
import { CHAIN_START, type Digest } from './chain.ts'

/** Entries behind `after` (an id) are chained with `key`, up to the next one's; null for none. */
export interface ChainKey {
  after: number
  key: string | null
}

export interface ChainKeys {
  /** By `after`, upwards. */
  keys: ChainKey[]
  /** Over the ends of all chains when the first key came; null where entries had one from the beginning. */
  ground: string | null
}

export interface Chain {
  /** Hashes a new entry. */
  digest: Digest
  /** Hashes the entry of this id. */
  digestOf(entryId: number): Digest
  /** What stands in `quota.verify`: which key counts from where, by its fingerprint. */
  keys: { after_entry: number; fingerprint: string | null }[]
  ground: UnkeyedPrefix | null
}

/** Where chains had come to without a key: the last such entry, and a keyed hash over the ends of all accounts. */
export interface UnkeyedPrefix {
  entry_id: number
  hash: string
  /** Adds the end of an account to such a hash; accounts come in the order of their ids. */
  add(hash: string, account: ChainedAccount): string
}

type Digests = Pick<Secrets, 'digest' | 'chainKey' | 'chainDigest'>

const FINGERPRINT_LENGTH = 16

/** @throws Error when there is no key, which never happens to a record that was made here */
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

/** The keys of a new ledger. */
export const createChainKeys = ({ chainKey }: Pick<Digests, 'chainKey'>): ChainKeys => ({
  keys: [{ after: 0, key: chainKey }],
  ground: null,
})

/** The keys of a ledger that had none up to the entry `after`; the accounts are in the order of their ids. */
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

/** Goes on with another key; the ones before stay, so that what they chained can be checked. */
export const appendChainKey = ({ keys, ground }: ChainKeys, after: number, key: string): ChainKeys => ({
  keys: [...keys, { after, key }],
  ground,
})

function adding(secrets: Digests, key: string): UnkeyedPrefix['add'] {
  const digest = secrets.chainDigest(key)
  return (hash, { id, entries_hash }) => digest(`${hash} ${id} ${entries_hash}`)
}
