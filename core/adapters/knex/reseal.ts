// Re-encrypts a column, in a transaction that has the database to itself.
import type { Knex } from 'knex'
import type { SealedPlace, SealedColumn } from '../../ports/secrets.ts'
import { StartError } from '../start-error.ts'
import { NOW_MS } from './now.ts'
import { sealedColumns, type EncryptedColumn } from './sealed-columns.ts'

/** The functions that decrypt values and encrypt them again. */
export interface ReencryptionSteps {
  open(sealed: string, place: SealedPlace): string
  seal(text: string, place: SealedPlace): string
  /** Computes the keyed hash of a text, if it changes as well. */
  hash?(text: string): string
  /** Receives each value that cannot be decrypted and stays as it is. Without it, such a value throws. */
  unreadable?(place: SealedPlace): void
}

const BATCH = 100

/** Returns the number of values. @throws StartError for one that cannot be decrypted */
export async function reencryptColumn(
  transaction: Knex.Transaction,
  column: SealedColumn,
  how: ReencryptionSteps,
): Promise<number> {
  const { id, hash, where = {} } = sealedColumns[column]
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
  column: SealedColumn,
  place: SealedPlace,
  stored: string,
  { open, seal, unreadable }: ReencryptionSteps,
) {
  const { member }: EncryptedColumn = sealedColumns[column]
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
export async function assertExclusive(transaction: Knex.Transaction): Promise<void> {
  await transaction.raw('lock table installation in access exclusive mode')
  await assertNoRunningProcess(transaction)
}

/** @throws StartError if a process runs on this PostgreSQL database */
export async function assertNoRunningProcess(database: Knex): Promise<void> {
  const alive = await database('leases').whereRaw(`expires > ${NOW_MS.postgres}`).first('process_id')
  if (!alive) return
  throw new StartError(
    'Weir is running on this database: stop it everywhere, wait ten seconds after a crash, and try again.',
    undefined,
    'owned',
  )
}
