// Every column that depends on the master secret. A new one is one line here; a test fails without it.
import type { SealedColumn } from '../../ports/secrets.ts'

/** Encrypted, and maybe found by a keyed hash of the same text: written anew when the secret changes. */
export interface Sealing {
  /** The column that names a row. */
  id: string
  hash?: string
  /** The column is a JSON object, and this member of it is encrypted. */
  member?: string
  /** Only these rows are encrypted. */
  where?: Record<string, unknown>
  /** Its row is found by a keyed hash alone: it goes when the secret changes. */
  passing?: true
}

export const sealedColumns: Readonly<Record<SealedColumn, Sealing>> = {
  'tokens.key_sealed': { id: 'id', hash: 'key_hash' },
  'channels.key_sealed': { id: 'id', hash: 'key_hash' },
  'channels.setting': { id: 'id', member: 'sealed' },
  'redemptions.key_sealed': { id: 'id', hash: 'key_hash' },
  'options.value': { id: 'key', where: { sealed: true } },
  'users.setting': { id: 'id', member: 'webhook_secret' },
  'second_factors.secret_sealed': { id: 'user_id' },
  'login_providers.client_secret_sealed': { id: 'id' },
  'verifications.payload_sealed': { id: 'key_hash', passing: true },
  'kept_responses.sealed': { id: 'id_hash', passing: true },
  'installation.receipt_key_sealed': { id: 'id' },
  'installation.chain_keys_sealed': { id: 'id' },
  'installation.secret_check': { id: 'id' },
}

/** Kept as a keyed hash alone: nobody can say what the new hash would be, so it goes when the secret changes. */
export interface HashedColumn {
  table: string
  hash: string
  /** What goes is only this value, not its row. */
  nullable?: true
  /** What its owners lose, for the operator. */
  loss: string
}

// The counters of failed sign-ins are by keyed hash too: they begin anew, and the old ones run out by themselves.
export const hashedColumns: readonly HashedColumn[] = [
  { table: 'sessions', hash: 'id_hash', loss: 'sessions: their owners sign in again' },
  { table: 'known_browsers', hash: 'browser_hash', loss: 'known browsers: they are known again when they sign in' },
  { table: 'verifications', hash: 'key_hash', loss: 'mailed codes and begun sign-ins: they are asked for again' },
  { table: 'access_tokens', hash: 'token_hash', loss: 'access tokens: their owners make new ones' },
  { table: 'backup_codes', hash: 'code_hash', loss: 'backup codes: their owners make new ones with their app' },
  { table: 'kept_responses', hash: 'id_hash', loss: 'kept answers: they cannot be gone on with by id' },
]
