// Everything under one master secret, written anew under another, in one transaction.
import type { Knex } from 'knex'
import type { Secrets } from '../../ports/secrets.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './connect.ts'
import { checkValue, opens } from './installation.ts'
import { hashedColumns, sealedColumns, type HashedColumn, type SealedColumn } from './sealed-columns.ts'

/** Counts of values by `table.column`. */
export interface Rewritten {
  rewritten: Record<string, number>
  dropped: { column: string; count: number; loss: string }[]
}

interface RewriteOptions {
  /** Secrets that may be the present one. */
  candidates: readonly string[]
  next: string
  secretsOf(master: string): Secrets
  /** Epoch ms. */
  now: number
  /** The last moment at which nothing has changed; gets the present secret. */
  beforeCommit(present: string): Promise<void>
}

const BATCH = 500

/** @throws StartError when a process is alive on the database, or none of the candidates is its secret */
export async function rewriteSecrets(database: Database, options: RewriteOptions): Promise<Rewritten> {
  const { candidates, next, secretsOf, now, beforeCommit } = options
  return database.write.transaction(async (transaction) => {
    if (database.kind === 'postgres') await standAlone(transaction, now)
    const row = await transaction('installation').where({ id: 1 }).first('secret_check')
    const present = candidates.find((each) => opens(secretsOf(each), row?.secret_check ?? ''))
    if (present === undefined) {
      throw new StartError(
        'The present master secret does not fit this database: nothing was changed.',
        undefined,
        'secret',
      )
    }
    if (present === next) throw new StartError('The new master secret is the present one: nothing was changed.')
    const [from, to] = [secretsOf(present), secretsOf(next)]
    const result: Rewritten = { rewritten: {}, dropped: [] }
    for (const column of sealedColumns)
      result.rewritten[`${column.table}.${column.sealed}`] = await rewrite(transaction, column, from, to)
    for (const column of hashedColumns) {
      const count = await drop(transaction, column)
      if (count > 0) result.dropped.push({ column: `${column.table}.${column.hash}`, count, loss: column.loss })
    }
    await transaction('installation')
      .where({ id: 1 })
      .update({ secret_check: checkValue(to) })
    await beforeCommit(present)
    return result
  })
}

/**
 * A process that starts meanwhile waits at its look at the secret. One that had looked before has either said that it
 * is alive, or looks once more when it has.
 */
async function standAlone(transaction: Knex.Transaction, now: number): Promise<void> {
  await transaction.raw('lock table installation in access exclusive mode')
  const alive = await transaction('leases').where('expires', '>', now).first('process_id')
  if (!alive) return
  throw new StartError(
    'Weir is running on this database: stop it everywhere, wait ten seconds after a crash, and try again.',
    undefined,
    'owned',
  )
}

async function rewrite(
  transaction: Knex.Transaction,
  column: SealedColumn,
  from: Secrets,
  to: Secrets,
): Promise<number> {
  const { table, id, sealed, hash, where = {} } = column
  let count = 0
  let last: unknown
  for (;;) {
    const query = transaction(table).where(where).whereNotNull(sealed).orderBy(id).limit(BATCH).select(id, sealed)
    const rows: Record<string, unknown>[] = await (last === undefined ? query : query.where(id, '>', last as string))
    for (const row of rows) {
      const patch = renewed(column, row, from, to)
      if (!patch) continue
      await transaction(table)
        .where({ [id]: row[id] })
        .update(
          hash === undefined ? { [sealed]: patch.sealed } : { [sealed]: patch.sealed, [hash]: to.hash(patch.text) },
        )
      count += 1
    }
    if (rows.length < BATCH) return count
    last = rows.at(-1)?.[id]
  }
}

/** The stored text under the new secret and what it says; null where nothing in it is encrypted. */
function renewed(
  { table, id, sealed, member }: SealedColumn,
  row: Record<string, unknown>,
  from: Secrets,
  to: Secrets,
) {
  const stored = String(row[sealed])
  const whole = member === undefined ? null : objectIn(stored)
  const old = member === undefined ? stored : whole?.[member]
  if (typeof old !== 'string' || old === '') return null
  try {
    const text = from.decrypt(old)
    const fresh = to.encrypt(text)
    return { text, sealed: member === undefined ? fresh : JSON.stringify({ ...whole, [member]: fresh }) }
  } catch (error) {
    throw new StartError(`${table}.${sealed} of ${String(row[id])} cannot be decrypted: nothing was changed.`, error)
  }
}

/** Null for what is no JSON object: whoever reads it takes it for empty, too. */
function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

const drop = (transaction: Knex.Transaction, { table, hash, nullable }: HashedColumn): Promise<number> => {
  const rows = transaction(table).whereNotNull(hash)
  return Promise.resolve(nullable ? rows.update({ [hash]: null }) : rows.delete())
}
