// Writes what people edited, in one statement with the version they read.
import type { Knex } from 'knex'
import { lastChangeText, type Edit } from '../../contract/version.ts'
import { fail, type Words } from '../../errors.ts'

interface Row {
  table: string
  /** Its column of ids. */
  key?: string
  id: number | string
  /** What else says which row it is, of a table whose key has two columns. */
  beside?: Readonly<Record<string, unknown>>
  /** What rows of the audit call it. */
  noun: string
}

/**
 * Gives how many rows there were, of those that `only` leaves.
 * @throws GatewayError edit.conflict where another version is stored than was read; nothing is written then
 */
export async function updateRow(
  on: Knex,
  { table, key = 'id', id, beside = {}, noun }: Row,
  values: Record<string, unknown>,
  { version, raises }: Edit = { version: undefined, raises: false },
  only: (query: Knex.QueryBuilder) => void = () => undefined,
): Promise<number> {
  const isNothing = Object.keys(values).length === 0
  const row = { [key]: id, ...beside }
  const query = on(table).where(row)
  if (version !== undefined) query.where({ version })
  only(query)
  const changed: number = await query.update(
    raises || isNothing ? { ...values, version: on.raw(raises ? 'version + 1' : 'version') } : values,
  )
  if (changed > 0 || version === undefined) return changed
  const found: { version: number } | undefined = await on(table).where(row).first('version')
  if (found && found.version !== version) fail('edit.conflict', { last: await lastChange(on, noun, String(id)) })
  return 0
}

/** Who changed it last and when, as far as the audit knows. */
async function lastChange(on: Knex, noun: string, target: string): Promise<Words> {
  const row: { username: string; created_at: number } | undefined = await on('audit')
    .where({ target })
    .whereLike('action', `${noun}.%`)
    .orderBy('id', 'desc')
    .first('username', 'created_at')
  return lastChangeText(row)
}
