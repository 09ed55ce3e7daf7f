// A receipt: a signed proof of what was charged for a call. Anyone can verify it without access to this server.
import { z } from 'zod'
import { namedSchemas } from '../contract/named-schemas.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { ChargeDetail } from './charge-detail.ts'
import { ExplainedLine } from '../pricing/charge-lines.ts'
import { getCallerId, type LedgerEntry } from './ledger-entry.ts'
import { verifySignature, getKeyId, signDocument, type SignatureVerdict } from './signed.ts'

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
  lines: z.array(ExplainedLine),
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
namedSchemas.add(Receipt, { id: 'Receipt' })
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
