// Every column that depends on the master secret. A new one must be added here, or a test fails.
import type { Knex } from 'knex'
import { words, type Words } from '../../../errors.ts'
import type { StoredSecretColumn, EncryptedPlace } from '../../../ports/secrets.ts'
import { StartError } from '../../start-error.ts'
import { DATABASE_TIME_MS } from '../connection/connection.ts'

/** An encrypted column, possibly found by a keyed hash of the same text. It is re-encrypted when the secret changes. */
export interface EncryptedColumn {
  /** The column that identifies a row. */
  id: string
  hash?: string
  /** The column is a JSON object, and this member of it is encrypted. */
  member?: string
  /** Selects the rows that are encrypted. */
  where?: Record<string, unknown>
  /** The row is found by a keyed hash alone, so it is deleted when the secret changes. */
  passing?: true
}

export const encryptedColumns: Readonly<Record<StoredSecretColumn, EncryptedColumn>> = {
  'tokens.key_sealed': { id: 'id', hash: 'key_hash' },
  'tokens.digest_sealed': { id: 'id', hash: 'digest_hash' },
  'channels.key_sealed': { id: 'id', hash: 'key_hash' },
  'channels.setting': { id: 'id', member: 'sealed' },
  'redemptions.key_sealed': { id: 'id', hash: 'key_hash' },
  'options.value': { id: 'key', where: { sealed: true } },
  'users.setting': { id: 'id', member: 'webhook_secret' },
  'second_factors.secret_sealed': { id: 'user_id' },
  'login_providers.client_secret_sealed': { id: 'id' },
  'verifications.payload_sealed': { id: 'key_hash', passing: true },
  'kept_responses.sealed': { id: 'id_hash', passing: true },
  'alert_rules.webhook_secret_sealed': { id: 'id' },
  'installation.receipt_key_sealed': { id: 'id' },
  'installation.chain_keys_sealed': { id: 'id' },
  'installation.secret_check': { id: 'id' },
}

/** A value stored only as a keyed hash. The new hash cannot be computed, so it is deleted when the secret changes. */
export interface KeyedHashColumn {
  table: string
  hash: string
  /** Only this value is deleted, not its row. */
  nullable?: true
  /** The consequence for its owners, shown to the operator. */
  loss: Words
}

// The counters of failed sign-ins use keyed hashes as well: they restart, and the old ones expire.
export const keyedHashColumns: readonly KeyedHashColumn[] = [
  { table: 'sessions', hash: 'id_hash', loss: words('sessions: their owners sign in again') },
  {
    table: 'known_browsers',
    hash: 'browser_hash',
    loss: words('known browsers: they are known again when they sign in'),
  },
  {
    table: 'verifications',
    hash: 'key_hash',
    loss: words('emailed codes and unfinished sign-ins: they must be requested again'),
  },
  {
    table: 'access_tokens',
    hash: 'token_hash',
    loss: words('access tokens: their owners make new ones'),
  },
  {
    table: 'device_requests',
    hash: 'device_hash',
    loss: words('pending sign-ins by code: they start over'),
  },
  {
    table: 'backup_codes',
    hash: 'code_hash',
    loss: words('backup codes: their owners make new ones with their app'),
  },
  {
    table: 'kept_responses',
    hash: 'id_hash',
    loss: words('stored responses: they cannot be continued by id'),
  },
]

// Re-encrypts a column, in a transaction that has the database to itself.

/** The functions that decrypt values and encrypt them again. */
export interface ReencryptionSteps {
  open(sealed: string, place: EncryptedPlace): string
  seal(text: string, place: EncryptedPlace): string
  /** Computes the keyed hash of a text, if it changes as well. */
  hash?(text: string): string
  /** Receives each value that cannot be decrypted and stays as it is. Without it, such a value throws. */
  unreadable?(place: EncryptedPlace): void
}

const BATCH = 100

/** Returns the number of values. @throws StartError for one that cannot be decrypted */
export async function reencryptColumn(
  transaction: Knex.Transaction,
  column: StoredSecretColumn,
  how: ReencryptionSteps,
): Promise<number> {
  const { id, hash, where = {} } = encryptedColumns[column]
  const [table = '', name = ''] = column.split('.')
  let count = 0
  let last: unknown
  for (;;) {
    const query = transaction(table).where(where).whereNotNull(name).orderBy(id).limit(BATCH).select(id, name)
    const rows: Record<string, unknown>[] = await (last === undefined ? query : query.where(id, '>', last as string))
    for (const row of rows) {
      const fresh = reencryptValue(column, [column, row[id] as number | string], String(row[name]), how)
      if (!fresh) continue
      // An unknown key is the empty text, and its row has a mark instead of a hash.
      const found = hash && how.hash && fresh.text !== '' ? { [hash]: how.hash(fresh.text) } : {}
      await transaction(table)
        .where({ [id]: row[id] })
        .update({ [name]: fresh.stored, ...found })
      count += 1
    }
    if (rows.length < BATCH) return count
    last = rows.at(-1)?.[id]
  }
}

/** Returns the new stored value and its text; null if nothing in it is encrypted. */
function reencryptValue(
  column: StoredSecretColumn,
  place: EncryptedPlace,
  stored: string,
  { open, seal, unreadable }: ReencryptionSteps,
) {
  const { member }: EncryptedColumn = encryptedColumns[column]
  const whole = member === undefined ? null : parseObject(stored)
  const old = member === undefined ? stored : whole?.[member]
  if (typeof old !== 'string' || old === '') return null
  try {
    const text = open(old, place)
    const fresh = seal(text, place)
    return { text, stored: member === undefined ? fresh : JSON.stringify({ ...whole, [member]: fresh }) }
  } catch (error) {
    if (unreadable) return unreadable(place) ?? null
    throw new StartError(`${column} of ${place[1]} cannot be decrypted: nothing was changed.`, error)
  }
}

/** Returns null for text that is not a JSON object. Readers treat it as empty as well. */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

/**
 * Locks out other processes: one that starts now waits when it checks the secret. One that had checked it earlier
 * either has a lease by now, or checks again when it gets one.
 * @throws StartError if a process runs on the database
 */
export async function lockOutProcesses(transaction: Knex.Transaction): Promise<void> {
  await transaction.raw('lock table installation in access exclusive mode')
  await assertNoRunningProcess(transaction)
}

/** @throws StartError if a process runs on this PostgreSQL database */
export async function assertNoRunningProcess(database: Knex): Promise<void> {
  const alive = await database('leases').whereRaw(`expires > ${DATABASE_TIME_MS.postgres}`).first('process_id')
  if (!alive) return
  throw new StartError(
    'Weir is running on this database: stop it everywhere, wait ten seconds after a crash, and try again.',
    undefined,
    'owned',
  )
}
