// A signed summary of the ledger up to one entry. Anyone who keeps it can prove later that no earlier entry was
// changed, even by somebody who has the database and all keys.
import { z } from 'zod'
import type { Secrets } from '../ports/secrets.ts'
import { CHAIN_START } from './chain.ts'
import type { Chain } from './chain-keys.ts'
import type { LedgerSnapshot } from './entry-store.ts'
import { verifySignature, getKeyId, signDocument, type SignatureVerdict } from './signed.ts'

export const CHECKPOINT_VERSION = 1

export const Checkpoint = z.object({
  version: z.literal(CHECKPOINT_VERSION),
  /** Address of the site, or its name. */
  issuer: z.string(),
  /** Id of the signing key: the SHA-256 of the public key's text, as hex. */
  key_id: z.string(),
  /** Epoch seconds of the signature. */
  time: z.number(),
  /** The last entry that it covers. */
  last_entry: z.number(),
  entries: z.number(),
  /** Accounts that have entries. */
  accounts: z.number(),
  /** Hash over the last hash and the balance of each account, in the order of their ids. */
  accounts_hash: z.string(),
  /** The chain keys, and the entry after which each of them applies. */
  chain: z.array(z.object({ after_entry: z.number(), fingerprint: z.string().nullable() })),
})
export type Checkpoint = z.infer<typeof Checkpoint>

export const SignedCheckpoint = z.object({ checkpoint: Checkpoint, public_key: z.string(), signature: z.string() })
export type SignedCheckpoint = z.infer<typeof SignedCheckpoint>

/** The state of the ledger up to an entry. */
export type LedgerState = Pick<Checkpoint, 'last_entry' | 'entries' | 'accounts' | 'accounts_hash'>

export async function readLedgerState(
  books: LedgerSnapshot,
  last_entry: number,
  digest: Secrets['digest'],
): Promise<LedgerState> {
  const { entries, accounts } = await books.readState(last_entry)
  const accounts_hash = accounts.reduce(
    (hash, { account_id, entry_hash, balance_after }) => digest(`${hash} ${account_id} ${entry_hash} ${balance_after}`),
    CHAIN_START,
  )
  return { last_entry, entries, accounts: accounts.length, accounts_hash }
}

export function signCheckpoint(
  secrets: Pick<Secrets, 'digest' | 'publicKeyOf' | 'sign'>,
  privateKey: string,
  { state, chain, issuer, time }: { state: LedgerState; chain: Chain; issuer: string; time: number },
): SignedCheckpoint {
  const key_id = getKeyId(secrets, secrets.publicKeyOf(privateKey))
  const keys = chain.keys.filter(({ after_entry }) => after_entry <= state.last_entry)
  const checkpoint: Checkpoint = { version: CHECKPOINT_VERSION, issuer, key_id, time, ...state, chain: keys }
  return { checkpoint, ...signDocument(secrets, privateKey, checkpoint) }
}

/** Checks a checkpoint by its signature alone. `issuerKey` is the public key that is known to be the issuer's. */
export const verifyCheckpoint = (
  secrets: Pick<Secrets, 'digest' | 'signed'>,
  document: unknown,
  issuerKey?: string,
): SignatureVerdict<Checkpoint> =>
  verifySignature(secrets, { schema: SignedCheckpoint, member: 'checkpoint' }, document, issuerKey)

/** True if the ledger still matches the checkpoint. Both must be of the same entry. */
export const matchesLedger = (then: Checkpoint, now: Checkpoint): boolean =>
  (['last_entry', 'entries', 'accounts', 'accounts_hash'] as const).every((field) => then[field] === now[field])
