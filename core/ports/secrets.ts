/** Columns that hold encrypted texts, or JSON objects with one in it. */
export type StoredSecretColumn =
  | 'tokens.key_sealed'
  | 'tokens.digest_sealed'
  | 'channels.key_sealed'
  | 'channels.setting'
  | 'redemptions.key_sealed'
  | 'options.value'
  | 'users.setting'
  | 'second_factors.secret_sealed'
  | 'login_providers.client_secret_sealed'
  | 'verifications.payload_sealed'
  | 'kept_responses.sealed'
  | 'alert_rules.webhook_secret_sealed'
  | 'installation.secret_check'
  | 'installation.receipt_key_sealed'
  | 'installation.chain_keys_sealed'

/** The place of a stored text: its column, and the id of its row. */
export type StoredPlace = readonly [column: StoredSecretColumn, row: number | string]

/**
 * The place of an encrypted text. Copied to another place, it cannot be decrypted. Summaries of conversations are
 * stored by clients.
 */
export type EncryptedPlace = StoredPlace | readonly [kind: 'compaction items', owner: string]

/** All operations on the master secret and on passwords. */
export interface Secrets {
  hashPassword(password: string): Promise<string>
  /** Returns false for an empty hash as well. Takes as long as a real comparison. */
  verifyPassword(password: string, hash: string): Promise<boolean>
  /** True for the hash of another product, which is replaced once its password is known. */
  isFormerHash(hash: string): boolean
  /** Encrypts for storage (AES-256-GCM), bound to its place. */
  encrypt(text: string, place: EncryptedPlace): string
  /** @throws Error if the text was not encrypted with this secret for this place */
  decrypt(sealed: string, place: EncryptedPlace): string
  /**
   * Decrypts a value of the first releases, which is not bound to a place; for the one migration that re-encrypts it.
   * @throws Error if it is no such value, or was encrypted with another secret
   */
  decryptUnbound(sealed: string): string
  /** Returns a keyed hash for look-ups, as text. */
  hash(text: string): string
  /** Returns the SHA-256 as 64 hex digits. Unkeyed, so anyone can compute it. */
  digest(text: string): string
  /** The key that chains new ledger entries. It is derived from the master secret and reveals nothing about it. */
  chainKey: string
  /**
   * Returns a function that computes HMAC-SHA256 with such a key, as 64 hex digits. It is optimized, since every call
   * uses it.
   */
  chainDigest(key: string): (text: string) => string
  /** Returns the HMAC-SHA256 of a text with a given key, as 64 hex digits. */
  hmac(key: string, text: string): string
  /** Returns the MD5 as 32 hex digits. Only for services whose signatures require it. */
  md5(text: string): string
  /**
   * Encrypts for the owner of an age recipient (`age1…`), as one line of base64.
   * @throws Error if the recipient cannot be parsed
   */
  sealFor(recipient: string, text: string): Promise<string>
  /** Creates a private key for signatures (Ed25519), as text. */
  createSigningKey(): string
  /** Returns the public half of a private key: DER (SPKI) in base64. */
  publicKeyOf(privateKey: string): string
  /** Signs the UTF-8 bytes of a text (Ed25519), in base64url. */
  sign(text: string, privateKey: string): string
  /** True if this is the signature of the text by the owner of the public key. False for unreadable input as well. */
  signed(text: string, signature: string, publicKey: string): boolean
  /** Returns the HMAC-SHA256 in hex, keyed with the SHA-256 of the bot's token, as Telegram signs. */
  telegramHash(text: string, botToken: string): string
  /** Compares in constant time. */
  same(a: string, b: string): boolean
}
