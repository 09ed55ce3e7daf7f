// Every column that depends on the master secret. A new one is one line here; a test fails without it.

/** Encrypted, and maybe found by a keyed hash of the same text: written anew when the secret changes. */
export interface SealedColumn {
  table: string
  /** The column that names a row. */
  id: string
  sealed: string
  hash?: string
  /** The column is a JSON object, and this member of it is encrypted. */
  member?: string
  /** Only these rows are encrypted. */
  where?: Record<string, unknown>
}

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'tokens', id: 'id', sealed: 'key_sealed', hash: 'key_hash' },
  { table: 'channels', id: 'id', sealed: 'key_sealed', hash: 'key_hash' },
  { table: 'channels', id: 'id', sealed: 'setting', member: 'sealed' },
  { table: 'redemptions', id: 'id', sealed: 'key_sealed', hash: 'key_hash' },
  { table: 'options', id: 'key', sealed: 'value', where: { sealed: true } },
  { table: 'users', id: 'id', sealed: 'setting', member: 'webhook_secret' },
  { table: 'second_factors', id: 'user_id', sealed: 'secret_sealed' },
  { table: 'login_providers', id: 'id', sealed: 'client_secret_sealed' },
  { table: 'installation', id: 'id', sealed: 'receipt_key_sealed' },
]

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
  { table: 'verifications', hash: 'key_hash', loss: 'mailed codes and begun sign-ins: they are asked for again' },
  { table: 'users', hash: 'access_token_hash', nullable: true, loss: 'access tokens: their owners make new ones' },
  { table: 'backup_codes', hash: 'code_hash', loss: 'backup codes: their owners make new ones with their app' },
  { table: 'kept_responses', hash: 'id_hash', loss: 'kept answers: they cannot be gone on with by id' },
]
