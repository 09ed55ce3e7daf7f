// Converts between rows and entities by the entity's own schema: a new column needs a migration and a field, and no
// change here.
import type { Knex } from 'knex'
import type { z } from 'zod'
import { type PersonalEdit, lastChangeText } from '../../../contract/version.ts'
import { fail, type Words } from '../../../errors.ts'

export interface TableDefinition<Entity> {
  /** The columns to select: every field's column, under the field's name. */
  columns: string[]
  /** Returns the column of a field (`users.quota`), and whether it is a text. */
  place(field: string): { column: string; isText: boolean }
  /**
   * Converts a row to an entity. Fields without a column are left out, and `unreadable` lists those that are not exact.
   */
  entity(row: Record<string, unknown>): Entity
  /** Returns the column values of the writable fields. Other fields, known or not, are dropped. */
  values(fields: object): Record<string, unknown>
}

interface TableOptions<Field extends string> {
  /** Columns whose name differs from their field. */
  renamed?: Partial<Record<Field, string>>
  /** Fields whose columns are in another table, which queries join. */
  joined?: { table: string; fields: Field[] }
  /** Fields that have no column: the store fills them. */
  without?: Field[]
  /** Fields that this store never writes. */
  readonly: Field[]
}

type ColumnKind = 'flag' | 'number' | 'time' | 'text'

/** Describes the columns of table `name` that hold the fields of `schema`. */
export function defineTable<Shape extends z.ZodRawShape>(
  name: string,
  schema: z.ZodObject<Shape>,
  { renamed = {}, joined, without = [], readonly }: TableOptions<Extract<keyof Shape, string>>,
): TableDefinition<z.infer<z.ZodObject<Shape>>> {
  const left = new Set<string>(['unreadable', ...without])
  const fields = Object.entries(schema.shape)
    .filter(([field]) => !left.has(field))
    .map(([field, type]) => {
      const column = (renamed as Record<string, string | undefined>)[field] ?? field
      const kind: ColumnKind = column === 'deleted_at' ? 'time' : getValueKind(type as unknown as SchemaShape)
      return { field, column, kind }
    })
  const joinedFields = new Set<string>(joined?.fields ?? [])
  const closed = new Set<string>([...readonly, ...joinedFields])
  const writable = fields.filter(({ field }) => !closed.has(field))

  const getColumnName = (field: string, column: string) => `${joinedFields.has(field) ? joined?.table : name}.${column}`

  return {
    columns: fields.map(({ field, column }) => `${getColumnName(field, column)} as ${field}`),
    place(named) {
      const found = fields.find(({ field }) => field === named)
      if (!found) throw new Error(`${name} has no column for ${named}`)
      return { column: getColumnName(named, found.column), isText: found.kind === 'text' }
    },
    entity(row) {
      const entity: Record<string, unknown> = {}
      for (const { field, kind } of fields) entity[field] = decode(kind, row[field])
      const inexact = fields.filter(({ field, kind }) => kind === 'number' && isInexact(row[field]))
      if (inexact.length > 0) entity.unreadable = inexact.map(({ field }) => field)
      return entity as z.infer<z.ZodObject<Shape>>
    },
    values(given) {
      const own = given as Record<string, unknown>
      const values: Record<string, unknown> = {}
      for (const { field, column } of writable) {
        if (own[field] !== undefined) values[column] = encode(own[field])
      }
      return values
    },
  }
}

/** Returns text that both databases can store: without NUL characters and lone surrogates. */
export const toStorableText = (text: string): string => text.replace(/\0|\p{Cs}/gu, '\uFFFD')

/** Characters that cannot be stored are always written as an escape. Few rows have any. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/

/** Formats rows as one JSON value to bind, with storable texts. */
export function formatRowsAsJson(rows: readonly unknown[]): string {
  const json = JSON.stringify(rows)
  if (!UNSTORABLE.test(json)) return json
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'string' ? toStorableText(value) : value))
}

/** Returns an id that both databases accept. An invalid id matches no row. */
export const toStorableId = (id: number): number => (Number.isSafeInteger(id) ? id : 0)

/** Returns the id column of a row that has an id before it is written. */
export const getIdColumn = ({ id }: { id?: number }): { id?: number } =>
  id === undefined ? {} : { id: toStorableId(id) }

/** Builds the condition that a column contains `part` literally, in any case. */
export function columnContainsText(knex: Knex, column: string, part: string): Knex.Raw {
  return knex.raw(`lower(??) like lower(?) escape '!'`, [column, `%${escapeLikePattern(part)}%`])
}

/** Builds the condition that a comma-separated column contains this name. Its commas may be surrounded by spaces. */
export function listColumnContains(knex: Knex, column: string, name: string): Knex.Raw {
  // No name contains a comma.
  if (name.includes(',')) return knex.raw('1 = 0')
  const place = knex.client.config.client === 'pg' ? 'strpos' : 'instr'
  const list = `',' || replace(replace(??, ', ', ','), ' ,', ',') || ','`
  return knex.raw(`${place}(${list}, ?) > 0`, [column, `,${toStorableText(name)},`])
}

/** Escapes a text for a pattern of `like … escape '!'`, so that it matches literally. */
export const escapeLikePattern = (text: string): string =>
  toStorableText(text).replace(/[!%_]/g, (wildcard) => `!${wildcard}`)

/** True if the error reports a duplicate value in this unique index. */
export function violatesUniqueIndex(error: unknown, index: string): boolean {
  const { code, message, constraint } = error as { code?: string; message?: string; constraint?: string }
  if (code === '23505') return constraint === index
  return code === 'SQLITE_CONSTRAINT' && message !== undefined && message.includes(index)
}

/** The part of a schema that its kind depends on. */
interface SchemaShape {
  def: { type: string; innerType?: SchemaShape; in?: SchemaShape }
}

/** Returns the kind of a schema's values, below its defaults, checks and transformations. */
function getValueKind({ def }: SchemaShape): ColumnKind {
  if (def.type === 'boolean') return 'flag'
  if (def.type === 'number' || def.type === 'int') return 'number'
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
  return inner ? getValueKind(inner) : 'text'
}

function decode(kind: ColumnKind, value: unknown): unknown {
  if (value === null) return null
  if (kind === 'flag') return Boolean(value)
  if (kind === 'time') return new Date(Number(value) * 1000).toISOString()
  if (kind === 'number' && isInexact(value)) return Math.sign(Number(value)) * Number.MAX_SAFE_INTEGER
  return value
}

/** Both drivers silently return large integers inexactly. */
const isInexact = (value: unknown) => Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER

const encode = (value: unknown): unknown => (typeof value === 'string' ? toStorableText(value) : value)

// Returns the rows of an SQL text that the query builder cannot write.

export type SelectedRow = Record<string, number | string>

export async function selectTableRows(
  read: Knex,
  sql: string,
  bound: readonly (number | string)[],
): Promise<SelectedRow[]> {
  const reply: unknown = await read.raw(sql, bound)
  return (Array.isArray(reply) ? reply : (reply as { rows: unknown[] }).rows) as SelectedRow[]
}

// Writes users' edits in one statement that checks the version they read.

interface EditedRow {
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
export async function updateTableRow(
  on: Knex,
  { table, key = 'id', id, keys = {}, noun }: EditedRow,
  values: Record<string, unknown>,
  { version, raises }: PersonalEdit = { version: undefined, raises: false },
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

// Inserts a row whose encrypted values are bound to its id, which the database assigns.

interface NewRow {
  table: string
  values: Record<string, unknown>
  /** Returns the encrypted columns for the assigned id. */
  seal(id: number): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Names of the columns to return. */
  columns: string[]
}

/** Must run inside a transaction, so that the incomplete row is never visible. */
export async function insertWithSecrets(
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
