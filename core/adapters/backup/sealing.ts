// Backups that are encrypted are age files (age-encryption.org/v1): by a passphrase, or for whoever has a key of age's.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type * as Age from 'age-encryption'
import { fail, GatewayError } from '../../errors.ts'

/** For whom a backup is encrypted. */
export interface Sealed {
  passphrase?: string
  /** age's public key, `age1…`. */
  recipient?: string
}

/** What opens it. */
export interface Opener {
  passphrase?: string
  /** age's secret key, `AGE-SECRET-KEY-1…`. */
  identity?: string
}

export const AGE_BEGINS = 'age-encryption.org/v1'

type Bytes = AsyncIterable<Uint8Array>
type WebBytes = Parameters<InstanceType<typeof Age.Decrypter>['decrypt']>[0] & globalThis.ReadableStream<Uint8Array>

/**
 * Encrypts what comes. What is for a key of somebody else's is for one of this very run as well, which nobody keeps: with it
 * the file is read back.
 * @throws GatewayError backup.recipient for one that is none
 */
export async function sealedFor(
  { passphrase, recipient }: Sealed,
  bytes: Bytes,
): Promise<{ sealed: Bytes; opener: Opener }> {
  const { Encrypter, generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const encrypter = new Encrypter()
  const opener: Opener = passphrase === undefined ? { identity: await generateX25519Identity() } : { passphrase }
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

/** Decrypts what comes. @throws GatewayError backup.locked where this does not open it */
export async function decrypted({ passphrase, identity }: Opener, bytes: Bytes): Promise<Bytes> {
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

/** Node's streams of the web are those of the web. */
const toWeb = (bytes: Bytes) => Readable.toWeb(Readable.from(bytes, { objectMode: false })) as unknown as WebBytes
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>): Bytes =>
  Readable.fromWeb(stream as unknown as ReadableStream) as Bytes
