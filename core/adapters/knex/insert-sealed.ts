// A row whose encrypted values are bound to its id, which the database gives it.
import type { Knex } from 'knex'

interface NewRow {
  table: string
  values: Record<string, unknown>
  /** What is encrypted, once the id is known. */
  seal(id: number): Record<string, unknown> | Promise<Record<string, unknown>>
  /** What to give back. */
  columns: string[]
}

/** Inside a transaction: nobody sees the row before it is whole. */
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
