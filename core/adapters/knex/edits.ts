// Writes users' edits in one statement that checks the version they read.
import type { Knex } from 'knex'
import { lastChangeText, type Edit } from '../../contract/version.ts'
import { fail, type Words } from '../../errors.ts'

interface Row {
  table: string
  /** The name of its id column. */
  key?: string
  id: number | string
  /** Further key columns, for a table whose key has two columns. */
  keys?: Readonly<Record<string, unknown>>
  /** The name of the object in audit rows. */
  noun: string
}

/**
 * Returns the number of rows found, among those that `only` selects.
 * @throws GatewayError edit.conflict if the stored version differs from the one that was read; nothing is written then
 */
export async function updateRow(
  on: Knex,
  { table, key = 'id', id, keys = {}, noun }: Row,
  values: Record<string, unknown>,
  { version, raises }: Edit = { version: undefined, raises: false },
  only: (query: Knex.QueryBuilder) => void = () => undefined,
): Promise<number> {
  const isNothing = Object.keys(values).length === 0
  const row = { [key]: id, ...keys }
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

/** Returns the author and time of the last change, as far as the audit log has them. */
async function lastChange(on: Knex, noun: string, target: string): Promise<Words> {
  const row: { username: string; created_at: number } | undefined = await on('audit')
    .where({ target })
    .whereLike('action', `${noun}.%`)
    .orderBy('id', 'desc')
    .first('username', 'created_at')
  return lastChangeText(row)
}
