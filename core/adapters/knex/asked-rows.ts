// Returns the rows of an SQL text that the query builder cannot write.
import type { Knex } from 'knex'

export type SelectedRow = Record<string, number | string>

export async function selectRows(read: Knex, sql: string, bound: readonly (number | string)[]): Promise<SelectedRow[]> {
  const reply: unknown = await read.raw(sql, bound)
  return (Array.isArray(reply) ? reply : (reply as { rows: unknown[] }).rows) as SelectedRow[]
}
