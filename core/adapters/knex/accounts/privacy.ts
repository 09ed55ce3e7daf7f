// Personal data in the database: exported and erased table by table, as the holdings declare.
import type { Knex } from 'knex'
import type { Holding, Mentions } from '../../../privacy/holdings.data.ts'
import { HOLDINGS, isHolding, LOG_TABLE, MENTIONS, FORGOTTEN_NAME, OWN_NAME } from '../../../privacy/holdings.data.ts'
import type { UserErasure, PersonalDataStore } from '../../../privacy/store.ts'
import type { User } from '../../../users/user.ts'
import type { Database } from '../connection/database.ts'
import { toStorableId, columnContainsText } from '../sql/table.ts'
import { readTableShapes, type ColumnShape } from '../schema/table-shapes.ts'

/** Followed by a number, it is a name that no one can register: usernames contain no @. */
const NAME_BEFORE_NUMBER = 'forgotten@'
const buildForgottenName = (id: number): string => `${NAME_BEFORE_NUMBER}${id}`

/** Members of JSON that contain names of users. */
const NAMING = new Set(['username', 'display_name', 'email', 'user'])

/**
 * Replaces a user's names in JSON: the given names, or with 'any' every value of a naming member, if the text is only
 * about that user.
 * @returns the same text if it does not name the user, or is not JSON
 */
function removeUserNames(json: string, names: ReadonlySet<string> | 'any', instead: string): string {
  const isTheirs = (key: string, value: unknown) =>
    NAMING.has(key) && typeof value === 'string' && value !== '' && (names === 'any' || names.has(value))
  try {
    let replaced = false
    const parsed: unknown = JSON.parse(json, (key, value: unknown) => {
      if (!isTheirs(key, value)) return value
      replaced = true
      return instead
    })
    return replaced ? JSON.stringify(parsed) : json
  } catch {
    return json
  }
}

type PersonalRow = Record<string, unknown>

const ROWS = 500
const HELD = Object.entries(HOLDINGS).filter((each): each is [string, Holding] => isHolding(each[1]))
/** The log's rows are erased separately. */
const EMPTIED = HELD.filter(([table]) => table !== LOG_TABLE)

export function createPrivacyStore({ kind, write, read }: Database): PersonalDataStore {
  /** Returns a function that converts a row to the same values on both databases. */
  async function reader(table: string, given: readonly string[]): Promise<(row: PersonalRow) => PersonalRow> {
    const columns = (await readTableShapes({ kind }, read)).find(({ name }) => name === table)?.columns ?? []
    const kinds = new Map(columns.map(({ name, kind }) => [name, kind]))
    return (row) => Object.fromEntries(given.map((column) => [column, toPlainValue(row[column], kinds.get(column))]))
  }

  const queryForgotten = (on: Knex = write) => on<UserErasure>('forgotten')

  /** Updates or deletes the rows of a user as their holding declares. */
  async function empty(table: string, { of, forgotten: afterwards }: Holding, id: number): Promise<void> {
    const rows = () => write(table).where({ [of]: toStorableId(id) })
    if (afterwards === 'removed') return void (await rows().delete())
    const values = Object.entries(afterwards).map(([column, value]) => {
      if (value === OWN_NAME) return [column, write.raw(`'${NAME_BEFORE_NUMBER}' || cast(id as text)`)]
      return [column, value === FORGOTTEN_NAME ? buildForgottenName(id) : value]
    })
    if (values.length > 0) await rows().update(Object.fromEntries(values) as object)
  }

  /** Removes the user's names from texts recorded about others. */
  async function unname(table: string, { key, columns, about }: Mentions, user: User): Promise<void> {
    const names = new Set([user.username, user.display_name, user.email].filter((name) => name !== ''))
    const isAbout = write.raw(
      about ? '(?? = ? and action like ?)' : '1 = 0',
      about ? [about.target, String(user.id), about.actions] : [],
    )
    const rows: PersonalRow[] = await write(table)
      .where((any) => {
        any.where(isAbout)
        for (const column of columns)
          for (const name of names) any.orWhere(columnContainsText(write, column, inJson(name)))
      })
      .select(key, ...columns, { about: write.raw(`case when ? then 1 else 0 end`, [isAbout]) })
    for (const row of rows) {
      const known = row.about ? 'any' : names
      const texts = columns.map((column) => [
        column,
        removeUserNames(String(row[column]), known, buildForgottenName(user.id)),
      ])
      const changed = texts.filter(([column, text]) => text !== row[String(column)])
      if (changed.length > 0)
        await write(table)
          .where({ [key]: row[key] })
          .update(Object.fromEntries(changed) as object)
    }
  }

  return {
    async *pages(table, userId) {
      const { of, given } = getHolding(table)
      if (given.length === 0) return
      const shown = await reader(table, given)
      const rows = () =>
        read(table)
          .where({ [of]: toStorableId(userId) })
          .select([...given])
      if (!given.includes('id')) return yield ((await rows()) as PersonalRow[]).map(shown)
      for (let last: unknown; ;) {
        const query = rows().orderBy('id').limit(ROWS)
        const page: PersonalRow[] = await (last === undefined ? query : query.where('id', '>', last as string))
        if (page.length > 0) yield page.map(shown)
        if (page.length < ROWS) return
        last = page.at(-1)?.id
      }
    },
    async forget(user, now) {
      for (const [table, holding] of EMPTIED) await empty(table, holding, user.id)
      for (const [table, mentions] of Object.entries(MENTIONS)) await unname(table, mentions, user)
      await queryForgotten().insert({ user_id: user.id, asked_at: now, done_at: null }).onConflict('user_id').ignore()
    },
    async forgetAgain(userId) {
      for (const [table, holding] of EMPTIED) await empty(table, holding, userId)
    },
    find: async (userId) =>
      toForgetting(
        await queryForgotten(read)
          .where({ user_id: toStorableId(userId) })
          .first(),
      ),
    pending: async () =>
      (await queryForgotten(read).whereNull('done_at').orderBy('asked_at')).flatMap((row) => toForgetting(row) ?? []),
    async done(userId, now) {
      await queryForgotten()
        .where({ user_id: toStorableId(userId) })
        .update({ done_at: now })
    },
  }
}

/** Formats a text as it appears inside JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function toPlainValue(value: unknown, kind?: ColumnShape['kind']): unknown {
  if (value === null) return null
  if (kind === 'flag') return Boolean(value)
  return kind === 'whole' ? Number(value) : value
}

function getHolding(table: string): Holding {
  const holding = HOLDINGS[table]
  if (!isHolding(holding)) throw new Error(`${table} holds nothing of anybody`)
  return holding
}

const toForgetting = (row: UserErasure | undefined): UserErasure | null =>
  row
    ? {
        user_id: Number(row.user_id),
        asked_at: Number(row.asked_at),
        done_at: row.done_at === null ? null : Number(row.done_at),
      }
    : null
