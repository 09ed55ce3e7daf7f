// Checks that the master secret is the one this database was created with, and that every value is encrypted for its
// place.
import type { Logger } from '../../ports/logger.ts'
import type { SealedPlace, SealedColumn, Secrets } from '../../ports/secrets.ts'
import { createChainKeys } from '../../quota/chain-keys.ts'
import { StartError } from '../start-error.ts'
import { createKeyRecord, encryptChainKeys } from './chain-keys.ts'
import type { Database } from './database.ts'
import { reencryptColumn, assertExclusive } from './reseal.ts'
import { sealedColumns } from './sealed-columns.ts'

const KNOWN_TEXT = 'weir'
const CHECK: SealedPlace = ['installation.secret_check', 1]

/**
 * Stores the check value of the secret in a new database, or verifies the existing one.
 * @throws StartError if the secret is different
 */
export async function checkSecret({ write }: Database, secrets: Secrets): Promise<void> {
  const chain_keys_sealed = encryptChainKeys(createChainKeys(secrets), secrets)
  const row = { id: 1, secret_check: secrets.encrypt(KNOWN_TEXT, CHECK), chain_keys_sealed }
  await write('installation').insert(row).onConflict('id').ignore()
  if (!matchesSecret(secrets, await loadSecretCheck(write))) {
    throw new StartError(
      'The master secret does not fit this database: start with the secret (or the key file) that the database was made with.',
      undefined,
      'secret',
    )
  }
}

/** True if this check value was made with this secret. */
export const matchesSecret = (secrets: Secrets, sealed: string): boolean =>
  canOpen(() => secrets.decrypt(sealed, CHECK))

/** The same for a check value of the first releases, which is not bound to its place. */
const opensUnbound = (secrets: Secrets, sealed: string): boolean => canOpen(() => secrets.decryptUnbound(sealed))

function canOpen(open: () => string): boolean {
  try {
    return open() === KNOWN_TEXT
  } catch {
    return false
  }
}

/** Returns the check value: the known text, encrypted with the database's secret. Empty before there is one. */
export const loadSecretCheck = async (from: Database['write']): Promise<string> =>
  (await from<{ id: number; secret_check: string }>('installation').where({ id: 1 }).first('secret_check'))
    ?.secret_check ?? ''

/**
 * Re-encrypts the values of the first releases, each for its place, and gives the ledger its first key. Runs once, in
 * one transaction; the form of the check value records that it is done. After that, unbound values and entries without
 * a key are rejected.
 * @throws StartError if another process, possibly an older one, runs on the database
 */
export async function bindEncryptedValues({ kind, write }: Database, secrets: Secrets, logger: Logger): Promise<void> {
  if (!opensUnbound(secrets, await loadSecretCheck(write))) return
  const count = await write.transaction(async (transaction) => {
    if (kind === 'postgres') await assertExclusive(transaction)
    // Another process may have done it by now.
    if (!opensUnbound(secrets, await loadSecretCheck(transaction))) return 0
    const reportUnreadable = ([column, row]: SealedPlace) =>
      logger.warn('a sealed value cannot be opened', { column, row })
    const how = { open: secrets.decryptUnbound, seal: secrets.encrypt, unreadable: reportUnreadable }
    let sum = 0
    for (const column of Object.keys(sealedColumns) as SealedColumn[])
      sum += await reencryptColumn(transaction, column, how)
    await createKeyRecord(transaction, secrets)
    return sum
  })
  if (count > 0) logger.info('what is encrypted was sealed anew, bound to its place', { values: count })
}
