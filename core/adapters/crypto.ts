// All operations on the master secret and on passwords.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { EncryptedPlace, Secrets } from '../ports/secrets.ts'
import { nodeSignatures } from './signatures.ts'
import { StartError } from './start-error.ts'

// HMAC-SHA256 built from two one-shot hashes (RFC 2104), at a third of the cost of Node's HMAC object.

const BLOCK = 64
const DIGEST = 32
const ROOM = 4096

/**
 * Returns a function that computes the digest of a text's UTF-8 bytes as 64 hex digits. The key is base64url, at most
 * one block long.
 */
export function createChainDigest(key: string): (text: string) => string {
  const bytes = Buffer.from(key, 'base64url')
  const inner = Buffer.alloc(BLOCK + ROOM, 0x36)
  const outer = Buffer.alloc(BLOCK + DIGEST, 0x5c)
  for (const [at, byte] of bytes.entries()) {
    inner[at] = 0x36 ^ byte
    outer[at] = 0x5c ^ byte
  }
  return (text) => {
    // A character has three bytes at most.
    if (text.length * 3 > ROOM) return createHmac('sha256', bytes).update(text).digest('hex')
    const length = inner.write(text, BLOCK, 'utf8')
    outer.write(hash('sha256', inner.subarray(0, BLOCK + length), 'binary'), BLOCK, 'latin1')
    return hash('sha256', outer, 'hex')
  }
}

/** The prefix of values that are not bound to a place, from the first releases. */
const UNBOUND = 'v1.'
const BOUND = 'v2.'
const IV_BYTES = 12
const TAG_BYTES = 16
/** The cost of hashing a password (Argon2id). */
export interface PasswordCost {
  /** Unit: KiB. */
  memoryCost: number
  /** Number of passes over that memory. */
  timeCost: number
  parallelism: number
}

const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Builds a hash that no password matches, at the given cost. Passwords are compared with it if there is no usable hash.
 */
const writeDecoy = ({ memoryCost, timeCost, parallelism }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$d2VpciBkZWNveSBzYWx0IQ$qk3hX3pIoYzr0wQk7C0bCB2qH1Sp8sB0m2rC1uQk1dA`

/**
 * Creates the secrets of one installation. Encryption and look-up use separate keys, both derived from `master`, so
 * neither use can weaken the other. New password hashes have the given cost; only tests choose a lower one.
 * @throws StartError if `master` is empty
 */
export function createSecrets(master: string, passwordCost: PasswordCost = PASSWORD_COST): Secrets {
  if (master === '')
    throw new StartError('The master secret is empty: set it to a long random text.', undefined, 'secret')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'weir', purpose, 32))
  const sealKey = derive('encryption')
  const hashKey = derive('lookup')
  const hmac = (text: string) => createHmac('sha256', hashKey).update(text)
  const decoy = writeDecoy(passwordCost)

  function open(version: string, sealed: string, aad?: Buffer): string {
    if (!sealed.startsWith(version)) throw new Error('This text was not encrypted by Weir')
    const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error('This encrypted text is cut short')
    const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    if (aad) decipher.setAAD(aad)
    const head = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
    return Buffer.concat([head, decipher.final()]).toString('utf8')
  }

  return {
    chainKey: derive('ledger').toString('base64url'),
    chainDigest: createChainDigest,
    hmac: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
    md5: (text) => createHash('md5').update(text).digest('hex'),
    async sealFor(recipient, text) {
      // Loaded on demand: no call needs it.
      const { Encrypter } = await import('age-encryption')
      const encrypter = new Encrypter()
      encrypter.addRecipient(recipient)
      return Buffer.from(await encrypter.encrypt(text)).toString('base64')
    },
    hashPassword: async (password) => (await loadArgon2()).hash(password, { ...passwordCost }),
    verifyPassword: (password, hash) => verifyPassword(password, hash, decoy),
    isFormerHash: isBcrypt,
    encrypt(text, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(boundTo(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return BOUND + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    decrypt: (sealed, place) => open(BOUND, sealed, boundTo(place)),
    decryptUnbound: (sealed) => open(UNBOUND, sealed),
    ...nodeSignatures,
    hash: (text) => hmac(text).digest('base64url'),
    telegramHash: (text, botToken) =>
      createHmac('sha256', createHash('sha256').update(botToken).digest()).update(text).digest('hex'),
    // Both sides are hashed first, so that the time reveals neither length nor content.
    same: (a, b) => timingSafeEqual(hmac(a).digest(), hmac(b).digest()),
  }
}

/** No column name contains a blank. */
const boundTo = ([column, row]: EncryptedPlace): Buffer => Buffer.from(`${column} ${row}`, 'utf8')

/** Loaded with the first password. */
const loadArgon2 = () => import('@node-rs/argon2')

/** The password hashes of other products. New ones are never created here. */
const isBcrypt = (hash: string): boolean => /^\$2[abxy]\$/.test(hash)

async function verifyPassword(password: string, hash: string, decoy: string): Promise<boolean> {
  if (hash !== '') {
    try {
      if (isBcrypt(hash)) return await (await import('bcryptjs')).compare(password, hash)
      return await (await loadArgon2()).verify(hash, password)
    } catch {
      // An unreadable hash is treated like a wrong password, below.
    }
  }
  await (await loadArgon2()).verify(decoy, password)
  return false
}
