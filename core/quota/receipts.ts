// A receipt: a signed proof of what was charged for a call. Anyone can verify it without access to this server.
import { z } from 'zod'
import type { Secrets } from '../ports/secrets.ts'
import { getExplainedLine } from '../pricing/charge-lines.ts'
import { type Chain, CHAIN_START } from './chain.ts'
import { type ChargeDetail, getCallerId, type LedgerEntry } from './ledger-entry.ts'
import type { LedgerSnapshot } from './store.ts'

// A unique text for each value, which signatures are computed over.

/**
 * Formats JSON without blanks, with object keys in the order of their UTF-16 units and numbers as JavaScript writes
 * them: the JSON canonicalization scheme (RFC 8785).
 */
export function formatCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => formatCanonicalJson(each ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${formatCanonicalJson(each)}`).join(',')}}`
}

// A document signed with the installation's key. Anyone can verify it without access to this server.

/** The result of a check: the content, or the reason not to trust it. */
export type SignatureVerdict<T> =
  { ok: true; content: T } | { ok: false; reason: 'unreadable' | 'other_key' | 'forged'; key_id?: string }

export const getKeyId = (secrets: Pick<Secrets, 'digest'>, publicKey: string) => secrets.digest(publicKey)

/** `signature`: Ed25519 over the content's canonical JSON, base64url; `public_key`: SPKI in base64. */
export const signDocument = (secrets: Pick<Secrets, 'publicKeyOf' | 'sign'>, privateKey: string, content: unknown) => ({
  public_key: secrets.publicKeyOf(privateKey),
  signature: secrets.sign(formatCanonicalJson(content), privateKey),
})

/**
 * Verifies a document from any source: nothing in its `member` was changed since it was signed and, if the public key
 * of its issuer is given, that issuer signed it.
 */
export function verifySignature<Document extends Parts, Member extends keyof Document & string>(
  secrets: Pick<Secrets, 'digest' | 'signed'>,
  { schema, member }: { schema: z.ZodType<Document>; member: Member },
  document: unknown,
  issuerKey?: string,
): SignatureVerdict<Document[Member]> {
  const parsed = schema.safeParse(document)
  if (!parsed.success) return { ok: false, reason: 'unreadable' }
  const { public_key, signature } = parsed.data
  const content = parsed.data[member]
  const key_id = getKeyId(secrets, public_key)
  if (issuerKey !== undefined && issuerKey !== public_key) return { ok: false, reason: 'other_key', key_id }
  // The signature covers the whole content, including fields that this version does not know.
  const canonical = formatCanonicalJson((document as Record<Member, unknown>)[member])
  if ((content as { key_id?: unknown }).key_id !== key_id || !secrets.signed(canonical, signature, public_key)) {
    return { ok: false, reason: 'forged', key_id }
  }
  return { ok: true, content }
}

interface Parts {
  public_key: string
  signature: string
}

/** Stores the one private key that signs receipts. */
export interface ReceiptKeyStore {
  /** Returns the key, created by `make` on first use. It is the same for every process on the database. */
  getOrCreate(make: () => string): Promise<string>
}

export const RECEIPT_VERSION = 1

/** Amounts in quota units. Model, usage and lines are missing for charges of earlier versions whose log row is gone. */
export const Receipt = z.object({
  version: z.literal(RECEIPT_VERSION),
  /** Address of the site, or its name. */
  issuer: z.string(),
  /** Id of the signing key: the SHA-256 of the public key's text, as hex. */
  key_id: z.string(),
  receipt_id: z.string(),
  request_id: z.string().nullable(),
  /** The user who made the call. */
  user_id: z.number(),
  /** The account that paid, if it is not the user's own. */
  account_id: z.number().optional(),
  token_id: z.number().nullable(),
  /** Epoch seconds of the charge. */
  time: z.number(),
  model: z.string().nullable(),
  /** Tokens, seconds, images and characters by their names in the log. */
  usage: z.record(z.string(), z.number()).nullable(),
  lines: z.array(getExplainedLine()),
  /**
   * The method that estimated the usage, if the provider did not report it (`sound_size`: audio whose length cannot be
   * read).
   */
  estimated_by: z.string().optional(),
  /** The charged amount. */
  amount: z.number(),
  balance_after: z.number(),
  /** Hash of the charge in the account's chain of entries. */
  entry_hash: z.string(),
})
z.globalRegistry.add(Receipt, { id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>

/** `signature`: Ed25519 over the receipt's canonical JSON, base64url; `public_key`: SPKI in base64. */
export const SignedReceipt = z.object({ receipt: Receipt, public_key: z.string(), signature: z.string() })
export type SignedReceipt = z.infer<typeof SignedReceipt>

export type ReceiptSigner = Pick<Secrets, 'digest' | 'publicKeyOf' | 'sign'>
export type ReceiptVerifier = Pick<Secrets, 'digest' | 'signed'>

/** Signs the receipt of a charge. */
export function signReceipt(
  secrets: ReceiptSigner,
  privateKey: string,
  { entry, charge, issuer }: { entry: LedgerEntry; charge: ChargeDetail | null; issuer: string },
): SignedReceipt {
  const receipt: Receipt = {
    version: RECEIPT_VERSION,
    issuer,
    key_id: getKeyId(secrets, secrets.publicKeyOf(privateKey)),
    receipt_id: entry.hold_id ?? '',
    request_id: entry.request_id,
    user_id: getCallerId(entry),
    ...(entry.by_user_id === null ? {} : { account_id: entry.account_id }),
    token_id: entry.token_id,
    time: entry.created_at,
    model: charge?.model ?? null,
    usage: charge?.usage ?? null,
    lines: charge?.lines ?? [],
    ...(charge?.estimated_by === undefined ? {} : { estimated_by: charge.estimated_by }),
    amount: 0 - entry.amount,
    balance_after: entry.balance_after,
    entry_hash: entry.hash,
  }
  return { receipt, ...signDocument(secrets, privateKey, receipt) }
}

/** The result of a check: the receipt, or the reason not to trust it. */
export type ReceiptVerdict = { ok: true; receipt: Receipt } | Extract<SignatureVerdict<Receipt>, { ok: false }>

/**
 * Verifies a receipt from any source: nothing in it was changed since it was signed and, if the public key of its
 * issuer is given, that issuer signed it.
 */
export function verifyReceipt(secrets: ReceiptVerifier, document: unknown, issuerKey?: string): ReceiptVerdict {
  const verdict = verifySignature(secrets, { schema: SignedReceipt, member: 'receipt' }, document, issuerKey)
  return verdict.ok ? { ok: true, receipt: verdict.content } : verdict
}

/** Parses a public key in a common form (PEM, plain base64, or the JSON of the key's endpoint) into base64. */
export function readPublicKey(text: string): string {
  const json = /^\s*\{/.test(text) ? (JSON.parse(text) as { data?: unknown; public_key?: unknown }) : undefined
  const key = (json?.data as { public_key?: unknown } | undefined)?.public_key ?? json?.public_key
  return (typeof key === 'string' ? key : text).replace(/-----[A-Z ]+-----|\s/g, '')
}

/** Formats a public key as PEM, for other programs. */
export const toPem = (publicKey: string) =>
  `-----BEGIN PUBLIC KEY-----\n${publicKey.replace(/.{64}(?=.)/g, '$&\n')}\n-----END PUBLIC KEY-----\n`

// A signed summary of the ledger up to one entry. Anyone who keeps it can prove later that no earlier entry was
// changed, even by somebody who has the database and all keys.

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
