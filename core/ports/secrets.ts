/** Everything done with the master secret and with passwords. */
export interface Secrets {
  hashPassword(password: string): Promise<string>
  /** False for an empty hash, too; takes as long as a real comparison. */
  verifyPassword(password: string, hash: string): Promise<boolean>
  /** Encrypts for storage (AES-256-GCM). */
  encrypt(text: string): string
  /** @throws Error when the text was not encrypted with this secret */
  decrypt(sealed: string): string
  /** A keyed hash for look-ups, as text. */
  hash(text: string): string
  /** Compares in constant time. */
  same(a: string, b: string): boolean
}
