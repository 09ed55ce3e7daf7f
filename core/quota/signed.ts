// A document signed with the installation's key. Anyone can verify it without access to this server.
import type { z } from 'zod'
import type { Secrets } from '../ports/secrets.ts'
import { formatCanonicalJson } from './canonical-json.ts'

/** The result of a check: the content, or the reason not to trust it. */
export type SignatureVerdict<T> =
  { ok: true; content: T } | { ok: false; reason: 'unreadable' | 'other_key' | 'forged'; key_id?: string }

/** Returns the id of a public key. */
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
