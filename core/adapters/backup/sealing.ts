// Encrypted backups are age files (age-encryption.org/v1), for a passphrase or the owner of an age key.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type * as Age from 'age-encryption'
import { fail, GatewayError } from '../../errors.ts'

/** The recipient of an encrypted backup. */
export interface BackupRecipient {
  passphrase?: string
  /** age's public key, `age1…`. */
  recipient?: string
}

/** The credentials that decrypt it. */
export interface BackupCredentials {
  passphrase?: string
  /** age's secret key, `AGE-SECRET-KEY-1…`. */
  identity?: string
}

export const AGE_MAGIC = 'age-encryption.org/v1'

type Bytes = AsyncIterable<Uint8Array>
type WebBytes = Parameters<InstanceType<typeof Age.Decrypter>['decrypt']>[0] & globalThis.ReadableStream<Uint8Array>

/**
 * Encrypts a stream. A file for a foreign key is also encrypted for a temporary key of this run, so that it can be read
 * back.
 * @throws GatewayError backup.recipient for an invalid recipient
 */
export async function encryptBackup(
  { passphrase, recipient }: BackupRecipient,
  bytes: Bytes,
): Promise<{ sealed: Bytes; opener: BackupCredentials }> {
  const { Encrypter, generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const encrypter = new Encrypter()
  const opener: BackupCredentials =
    passphrase === undefined ? { identity: await generateX25519Identity() } : { passphrase }
  try {
    if (passphrase !== undefined) encrypter.setPassphrase(passphrase)
    else {
      encrypter.addRecipient(recipient ?? '')
      encrypter.addRecipient(await identityToRecipient(opener.identity ?? ''))
    }
  } catch (error) {
    throw new GatewayError('backup.recipient', {}, { cause: error })
  }
  return { sealed: fromWeb(await encrypter.encrypt(toWeb(bytes))), opener }
}

/** Decrypts a stream. @throws GatewayError backup.locked if the credentials do not match */
export async function decryptBackup({ passphrase, identity }: BackupCredentials, bytes: Bytes): Promise<Bytes> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  try {
    if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
    if (identity !== undefined) decrypter.addIdentity(identity)
    if (passphrase === undefined && identity === undefined) fail('backup.encrypted')
    return fromWeb(await decrypter.decrypt(toWeb(bytes)))
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('backup.locked', {}, { cause: error })
  }
}

/** Node's web streams are compatible with those of the platform. */
const toWeb = (bytes: Bytes) => Readable.toWeb(Readable.from(bytes, { objectMode: false })) as unknown as WebBytes
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>): Bytes =>
  Readable.fromWeb(stream as unknown as ReadableStream) as Bytes
