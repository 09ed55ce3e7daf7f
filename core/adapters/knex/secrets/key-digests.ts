// Keys that were imported as their SHA-256 alone. The digest has separate columns until the key is first presented.
import type { EncryptedPlace, Secrets } from '../../../ports/secrets.ts'
import type { Database } from '../connection/database.ts'

export const toDigestPlace = (id: number): EncryptedPlace => ['tokens.digest_sealed', id]

/** The prefix of the digest that earlier releases stored in place of such a key. */
const STAND_IN = 'sha256:'
const AT_ONCE = 500

/** Builds the columns of a token with an unknown key: it is found by its digest, and no text matches its key. */
export const buildUnknownKey = (id: number, digest: string, secrets: Secrets) => ({
  // No keyed hash has a space.
  key_hash: `unknown ${id}`,
  key_prefix: '',
  key_sealed: secrets.encrypt('', ['tokens.key_sealed', id]),
  digest_hash: secrets.hash(digest),
  digest_sealed: secrets.encrypt(digest, toDigestPlace(id)),
})

/**
 * Moves the placeholder digests of earlier releases out of the key column. A row that another process has moved is
 * skipped.
 */
export async function moveKeyDigests({ read, write }: Database, secrets: Secrets): Promise<void> {
  for (let last = 0; ;) {
    const rows: { id: number; key_hash: string; key_sealed: string }[] = await read('tokens')
      .where({ key_prefix: '', digest_hash: null })
      .whereNot({ key_sealed: '' })
      .where('id', '>', last)
      .orderBy('id')
      .limit(AT_ONCE)
      .select('id', 'key_hash', 'key_sealed')
    for (const { id, key_hash, key_sealed } of rows) {
      const key = secrets.decrypt(key_sealed, ['tokens.key_sealed', Number(id)])
      if (!key.startsWith(STAND_IN)) continue
      await write('tokens')
        .where({ id, key_hash })
        .update(buildUnknownKey(Number(id), key.slice(STAND_IN.length), secrets))
    }
    if (rows.length < AT_ONCE) return
    last = Number(rows.at(-1)?.id)
  }
}
