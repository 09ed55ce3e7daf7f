/** Columns that hold encrypted texts, or JSON objects with one in it. */
export type SealedColumn =
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

/** Where a stored text belongs: its column, and what names its row. */
export type StoredPlace = readonly [column: SealedColumn, row: number | string]

/** Where an encrypted text belongs; copied to another place it does not open. Callers keep summaries of conversations themselves. */
export type SealedPlace = StoredPlace | readonly [kind: 'compaction items', owner: string]

/** Everything done with the master secret and with passwords. */
export interface Secrets {
  hashPassword(password: string): Promise<string>
  /** False for an empty hash, too; takes as long as a real comparison. */
  verifyPassword(password: string, hash: string): Promise<boolean>
  /** Is it another product's, which is written anew once its password is known? */
  isFormerHash(hash: string): boolean
  /** Encrypts for storage (AES-256-GCM), bound to its place. */
  encrypt(text: string, place: SealedPlace): string
  /** @throws Error when the text was not encrypted with this secret for this place */
  decrypt(sealed: string, place: SealedPlace): string
  /**
   * Opens what the first releases encrypted, bound to no place; for the one step that seals it anew.
   * @throws Error when it is none of those, or was encrypted with another secret
   */
  decryptUnbound(sealed: string): string
  /** A keyed hash for look-ups, as text. */
  hash(text: string): string
  /** SHA-256 as 64 hex digits, without any key: everybody comes to the same one. */
  digest(text: string): string
  /** What new entries of the ledger are chained with: derived from the master secret, which it tells nothing of. */
  chainKey: string
  /** HMAC-SHA256 with such a key, as 64 hex digits: as fast as it can be, since every call makes one. */
  chainDigest(key: string): (text: string) => string
  /** HMAC-SHA256 of a text with somebody else's key, as 64 hex digits. */
  hmac(key: string, text: string): string
  /** MD5 as 32 hex digits: for services that sign so, and for nothing else. */
  md5(text: string): string
  /**
   * Encrypts for the owner of an age recipient (`age1…`), as one line of base64.
   * @throws Error where the recipient cannot be read
   */
  sealFor(recipient: string, text: string): Promise<string>
  /** A new private key for signatures (Ed25519), as text. */
  createSigningKey(): string
  /** The public half of a private key: DER (SPKI) in base64. */
  publicKeyOf(privateKey: string): string
  /** Signs the UTF-8 bytes of a text (Ed25519), in base64url. */
  sign(text: string, privateKey: string): string
  /** Is this the signature of the text by the owner of the public key? False for what cannot be read, too. */
  signed(text: string, signature: string, publicKey: string): boolean
  /** HMAC-SHA256 in hex, keyed with the SHA-256 of the bot's token, as Telegram signs. */
  telegramHash(text: string, botToken: string): string
  /** Compares in constant time. */
  same(a: string, b: string): boolean
}
