// What the books had come to at one entry, signed: whoever keeps it can prove later that nothing before it was changed,
// not even by whoever has the database and every key.
import { z } from 'zod'
import type { Secrets } from '../ports/secrets.ts'
import { CHAIN_START } from './chain.ts'
import type { Chain } from './chain-keys.ts'
import type { LedgerBooks } from './entry-store.ts'
import { verifySignature, keyId, signDocument, type SignatureVerdict } from './signed.ts'

export const CHECKPOINT_VERSION = 1

export const Checkpoint = z.object({
  version: z.literal(CHECKPOINT_VERSION),
  /** Address of the site, or its name. */
  issuer: z.string(),
  /** Which key signed: the SHA-256 of the public key's text, as hex. */
  key_id: z.string(),
  /** Epoch seconds of the signature. */
  time: z.number(),
  /** Everything up to this entry is in it. */
  last_entry: z.number(),
  entries: z.number(),
  /** Accounts that have entries. */
  accounts: z.number(),
  /** Over the hash and the balance that each account had come to, in the order of their ids. */
  accounts_hash: z.string(),
  /** Which key chains the entries behind which one. */
  chain: z.array(z.object({ after_entry: z.number(), fingerprint: z.string().nullable() })),
})
export type Checkpoint = z.infer<typeof Checkpoint>

export const SignedCheckpoint = z.object({ checkpoint: Checkpoint, public_key: z.string(), signature: z.string() })
export type SignedCheckpoint = z.infer<typeof SignedCheckpoint>

/** What stands in the books up to an entry. */
export type LedgerState = Pick<Checkpoint, 'last_entry' | 'entries' | 'accounts' | 'accounts_hash'>

export async function readLedgerState(
  books: LedgerBooks,
  last_entry: number,
  digest: Secrets['digest'],
): Promise<LedgerState> {
  const { entries, accounts } = await books.standing(last_entry)
  const accounts_hash = accounts.reduce(
    (hash, { account_id, entry_hash, balance_after }) => digest(`${hash} ${account_id} ${entry_hash} ${balance_after}`),
    CHAIN_START,
  )
  return { last_entry, entries, accounts: accounts.length, accounts_hash }
}

export function signCheckpoint(
  secrets: Pick<Secrets, 'digest' | 'publicKeyOf' | 'sign'>,
  privateKey: string,
  { standing, chain, issuer, time }: { standing: LedgerState; chain: Chain; issuer: string; time: number },
): SignedCheckpoint {
  const key_id = keyId(secrets, secrets.publicKeyOf(privateKey))
  const keys = chain.keys.filter(({ after_entry }) => after_entry <= standing.last_entry)
  const checkpoint: Checkpoint = { version: CHECKPOINT_VERSION, issuer, key_id, time, ...standing, chain: keys }
  return { checkpoint, ...signDocument(secrets, privateKey, checkpoint) }
}

/** Checks a checkpoint by its signature alone; `issuerKey` is the public key that is known to be the issuer's. */
export const checkCheckpoint = (
  secrets: Pick<Secrets, 'digest' | 'signed'>,
  document: unknown,
  issuerKey?: string,
): SignatureVerdict<Checkpoint> =>
  verifySignature(secrets, { schema: SignedCheckpoint, member: 'checkpoint' }, document, issuerKey)

/** Do the books still say what they said? Both as of the same entry. */
export const matchesLedger = (then: Checkpoint, now: Checkpoint): boolean =>
  (['last_entry', 'entries', 'accounts', 'accounts_hash'] as const).every((field) => then[field] === now[field])
