// Re-encrypts everything with a new master secret, in one transaction.
import type { Knex } from 'knex'
import type { Words } from '../../../errors.ts'
import type { StoredSecretColumn, Secrets } from '../../../ports/secrets.ts'
import { rehashManagedEntries } from '../../../state/carry-out.ts'
import { createSystemClock } from '../../platform.ts'
import { StartError } from '../../start-error.ts'
import type { KeyedHashColumn } from './secret-rotation.ts'
import { lockOutProcesses, keyedHashColumns, reencryptColumn, encryptedColumns } from './secret-rotation.ts'
import { createStoresWithin } from '../change-stores.ts'
import { saveNextKey } from './signing-keys.ts'
import type { Database } from '../connection/database.ts'
import { matchesMasterSecret } from '../schema/installation.ts'

/** Counts of values by `table.column`. */
export interface RewrittenValueCounts {
  rewritten: Record<string, number>
  dropped: { column: string; count: number; loss: Words }[]
}

interface RewriteOptions {
  /** Secrets that may be the current one. */
  candidates: readonly string[]
  next: string
  secretsOf(master: string): Secrets
  /** Called with the current secret, at the last moment before the change. */
  beforeCommit(present: string): Promise<void>
}

/** @throws StartError if a process runs on the database, or none of the candidates is its secret */
export async function rewriteStoredSecrets(database: Database, options: RewriteOptions): Promise<RewrittenValueCounts> {
  const { candidates, next, secretsOf, beforeCommit } = options
  return database.write.transaction(async (transaction) => {
    if (database.kind === 'postgres') await lockOutProcesses(transaction)
    const row = await transaction('installation').where({ id: 1 }).first('secret_check')
    const present = candidates.find((each) => matchesMasterSecret(secretsOf(each), row?.secret_check ?? ''))
    if (present === undefined) {
      throw new StartError(
        'The present master secret does not fit this database: nothing was changed.',
        undefined,
        'secret',
      )
    }
    if (present === next) throw new StartError('The new master secret is the present one: nothing was changed.')
    const [from, to] = [secretsOf(present), secretsOf(next)]
    await rehashManagedEntries(createStoresWithin(database, from, createSystemClock())(transaction), from, to)
    const result: RewrittenValueCounts = { rewritten: {}, dropped: [] }
    const how = { open: from.decrypt, seal: to.encrypt, hash: to.hash }
    const permanent = Object.entries(encryptedColumns).filter(([, { passing }]) => !passing)
    for (const [column] of permanent)
      result.rewritten[column] = await reencryptColumn(transaction, column as StoredSecretColumn, how)
    await saveNextKey(transaction, to)
    for (const column of keyedHashColumns) {
      const count = await drop(transaction, column)
      if (count > 0) result.dropped.push({ column: `${column.table}.${column.hash}`, count, loss: column.loss })
    }
    await beforeCommit(present)
    return result
  })
}

const drop = (transaction: Knex.Transaction, { table, hash, nullable }: KeyedHashColumn): Promise<number> => {
  const rows = transaction(table).whereNotNull(hash)
  return Promise.resolve(nullable ? rows.update({ [hash]: null }) : rows.delete())
}
