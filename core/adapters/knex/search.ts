// Searches the names of users, channels, tokens and teams for a text. No index finds a text inside a name, so only the
// newest rows of long tables are scanned; exact matches (a whole name, an id, a key) are found by index in all rows.
import type { Knex } from 'knex'
import type { Secrets } from '../../ports/secrets.ts'
import type { SearchStore } from '../../search/store.ts'
import { parseCredentialKey } from '../../tokens/token.ts'
import type { Database } from './connection/database.ts'
import { toStorableId, columnContainsText, escapeLikePattern, toStorableText } from './sql/table.ts'

const LOOKED_THROUGH = 20_000

interface SearchedTable {
  /** The rows to search. */
  rows: () => Knex.QueryBuilder
  name: string
  /** Columns to search in addition to the name. */
  otherColumns?: string[]
  more: string[]
  /** Conditions that an index answers for rows of any age, in addition to the id. */
  exact?: Knex.Raw[]
}

export function createSearchStore({ read }: Database, secrets: Secrets): SearchStore {
  async function find<More extends string>(
    text: string,
    limit: number,
    { rows, name, otherColumns = [], more, exact = [] }: SearchedTable,
  ) {
    const columns = [...new Set(['id', name, ...otherColumns, ...more])]
    const rank = read.raw(
      `case when lower(??) = lower(?) then 0 when lower(??) like lower(?) escape '!' then 1 else 2 end as rank`,
      [name, toStorableText(text), name, `${escapeLikePattern(text)}%`],
    )
    const within = read
      .from(rows().select(columns).orderBy('id', 'desc').limit(LOOKED_THROUGH).as('rows'))
      .where((any) => {
        for (const column of [name, ...otherColumns]) any.orWhere(columnContainsText(read, column, text))
      })
      .select([...columns, rank])
      .orderByRaw('rank, id desc')
      .limit(limit)
    const wholes = /^\d{1,15}$/.test(text) ? [...exact, read.raw('id = ?', [Number(text)])] : exact
    const whole = rows()
      .where((any) => wholes.forEach((condition) => any.orWhereRaw(condition)))
      .select([...columns, read.raw('0 as rank')])
      .limit(limit)
    const found: Record<string, unknown>[] = (await Promise.all([wholes.length > 0 ? whole : [], within])).flat()
    const once = new Map([...found].reverse().map((row) => [Number(row.id), row]))
    return [...once.values()]
      .sort((one, other) => Number(one.rank) - Number(other.rank) || Number(other.id) - Number(one.id))
      .slice(0, limit)
      .map((row) => ({
        id: Number(row.id),
        name: String(row[name]),
        rank: Number(row.rank),
        more: Object.fromEntries(more.map((column) => [column, String(row[column] ?? '')])) as Record<More, string>,
      }))
  }

  return {
    users: (text, limit) =>
      find(text, limit, {
        rows: () => read('users').whereNull('deleted_at'),
        name: 'username',
        otherColumns: ['display_name', 'email'],
        more: ['display_name', 'email', 'group'],
        exact: ['username', 'email'].map((column) => read.raw('lower(??) = lower(?)', [column, toStorableText(text)])),
      }),
    channels: (text, limit) =>
      find(text, limit, {
        rows: () => read('channels'),
        name: 'name',
        otherColumns: ['tag'],
        more: ['type', 'models'],
      }),
    teams: (text, limit, userId) =>
      find<never>(text, limit, {
        rows: () => {
          const living = read('teams').whereNull('deleted_at').select({ id: 'account_id' }, 'name')
          const own = () =>
            read('team_members')
              .where({ user_id: toStorableId(userId!) })
              .select('team_id')
          return read.from((userId === null ? living : living.whereIn('account_id', own())).as('teams'))
        },
        name: 'name',
        more: [],
      }),
    async tokens(text, limit, userId) {
      const key = parseCredentialKey(text)?.key
      const found = await find<'user_id' | 'key_prefix' | 'group'>(text, limit, {
        rows: () => {
          const living = read('tokens').whereNull('deleted_at')
          return userId === null ? living : living.where({ user_id: toStorableId(userId) })
        },
        name: 'name',
        more: ['user_id', 'key_prefix', 'group'],
        exact: key ? [read.raw('key_hash = ?', [secrets.hash(key)])] : [],
      })
      const owners = found.map(({ more }) => Number(more.user_id))
      const names: { id: number; username: string }[] = owners.length
        ? await read('users').whereIn('id', owners).select('id', 'username')
        : []
      const nameOf = new Map(names.map(({ id, username }) => [Number(id), username]))
      return found.map(({ more: { user_id, ...more }, ...row }) => ({
        ...row,
        more: { ...more, username: nameOf.get(Number(user_id)) ?? '' },
      }))
    },
  }
}
