// Inserts a row whose encrypted values are bound to its id, which the database assigns.
import type { Knex } from 'knex'

interface NewRow {
  table: string
  values: Record<string, unknown>
  /** Returns the encrypted columns for the assigned id. */
  seal(id: number): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Names of the columns to return. */
  columns: string[]
}

/** Must run inside a transaction, so that the incomplete row is never visible. */
export async function insertSealed(
  transaction: Knex.Transaction,
  { table, values, seal, columns }: NewRow,
): Promise<Record<string, unknown>> {
  const [added]: { id: number }[] = await transaction(table).insert(values).returning('id')
  const id = Number(added?.id)
  const [row] = await transaction(table)
    .where({ id })
    .update(await seal(id))
    .returning(columns)
  return row as Record<string, unknown>
}
