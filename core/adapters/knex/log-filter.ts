// Which rows of the log a filter asks for, and by which of its indexes they are found.
import type { Knex } from 'knex'
import { keptText } from '../../calls/log-columns.ts'
import type { LogFilter } from '../../logs/log.ts'
import { ASKED_MODEL_MARK, ASKED_MODEL_PATTERN, parseModelFilter } from '../../logs/model-filter.ts'
import { asId, toStorableText } from './table.ts'

/** So many rows of a user are found by the user's own index; for more the one by time is walked, which holds all that is asked. */
const FEW_ROWS = 50_000

const CHAT = 'chat'

/** A filter by what the indexes know: users by id. */
export interface FoundFilter extends Omit<LogFilter, 'username'> {
  /** Finds the user's rows among everybody's. */
  walk?: boolean
}

/** Null where no account has the name that is asked for. */
export async function foundFilter(read: Knex, { username, ...filter }: LogFilter): Promise<FoundFilter | null> {
  if (!username) return filter
  const name = toStorableText(username)
  const account = await read('users')
    .whereRaw('lower(username) = lower(?)', [name])
    .where({ username: name })
    .first('id')
  const id = Number(account?.id ?? 0)
  if (id === 0 || (filter.user_id && filter.user_id !== id)) return null
  return { ...filter, user_id: id }
}

/** The same filter, with the quicker way to its rows where it asks for more than a user and a time. */
export async function byQuickestWay(read: Knex, filter: FoundFilter): Promise<FoundFilter> {
  const { user_id, start_timestamp, end_timestamp, token_id, request_id, ...indexed } = filter
  if (!user_id || token_id || request_id || !Object.values(indexed).some(Boolean)) return filter
  const own = matching(read, read('logs'), { user_id, ...withTimes(start_timestamp, end_timestamp) })
  const found = await read
    .from(own.select(read.raw('1 as one')).limit(FEW_ROWS).as('some'))
    .count({ total: '*' })
    .first()
  return { ...filter, walk: Number(found?.total) === FEW_ROWS }
}

const withTimes = (start?: number, end?: number) => ({
  ...(start ? { start_timestamp: start } : {}),
  ...(end ? { end_timestamp: end } : {}),
})

/** A condition that a name is like a pattern: `%` stands for anything, letters are as they are written. */
function like(query: Knex.QueryBuilder, name: string, pattern: string): [sql: string, values: string[]] {
  // SQLite's LIKE takes small letters for great ones and no index; its GLOB does neither.
  return query.client.config.client === 'pg'
    ? [`${name} like ? escape '!'`, [pattern.replace(/[!_]/g, '!$&')]]
    : [`${name} glob ?`, [pattern.replace(/[*?[]/g, '[$&]').replaceAll('%', '*')]]
}

const HAS_ASKED = {
  pg: `strpos(logs.other, '${ASKED_MODEL_MARK}') > 0`,
  sqlite: `instr(logs.other, '${ASKED_MODEL_MARK}') > 0 and json_valid(logs.other)`,
}
const ASKED_MODEL = {
  pg: `substring(logs.other from '${ASKED_MODEL_PATTERN}')`,
  sqlite: `json_extract(logs.other, '$.asked_model')`,
}

/** Models by the name of the row, or by the one that was asked for: details are read of rows alone that may have one. */
function byModel(query: Knex.QueryBuilder, given: string): void {
  const filter = parseModelFilter(toStorableText(given))
  if (!filter) return
  const { text, isPattern, rowPattern } = filter
  const kind = query.client.config.client === 'pg' ? 'pg' : 'sqlite'
  const is = (name: string): [string, string[]] => (isPattern ? like(query, name, text) : [`${name} = ?`, [text]])
  const [named, name] = is('logs.model_name')
  const [asked, askedName] = is(ASKED_MODEL[kind])
  const [may, rowName] = like(query, 'logs.model_name', rowPattern)
  query.whereRaw(`(${named} or (${may} and case when ${HAS_ASKED[kind]} then ${asked} else false end))`, [
    ...name,
    ...rowName,
    ...askedName,
  ])
}

/** Those rows of a query that a filter asks for. Zero and the empty text do not filter; times are inclusive. */
export function matching(read: Knex, query: Knex.QueryBuilder, filter: FoundFilter): Knex.QueryBuilder {
  const {
    user_id,
    team_id,
    token_id,
    type,
    channel: channel_id,
    token_name,
    model_name,
    group,
    operation,
    request_id,
    walk,
  } = filter
  // The plus sign is nothing but a sign to the database to leave the user's own index alone.
  if (user_id) query.whereRaw(walk ? '+logs.user_id = ?' : 'logs.user_id = ?', [asId(user_id)])
  if (team_id) {
    // Its people's rows are found by their index, and those of its tokens are among them.
    const tokens = () => read('tokens').where({ team_id: asId(team_id) })
    query.whereIn('logs.user_id', tokens().select('user_id')).whereIn('logs.token_id', tokens().select('id'))
  }
  for (const [column, value] of Object.entries({ token_id, type, channel_id })) {
    if (value) query.where(`logs.${column}`, value)
  }
  for (const [column, value] of Object.entries({ token_name, group })) {
    if (!value) continue
    query.where(`logs.${column}`, toStorableText(keptText(column, value)))
  }
  if (model_name) byModel(query, model_name)
  // Most calls are chats. PostgreSQL's statistics may not know (rows from before there were operations have none), and it
  // would sort all of them instead of walking by time; of `coalesce` it takes for granted that half of all rows fit.
  if (operation === CHAT) query.whereRaw('coalesce(logs.operation = ?, false)', [CHAT])
  // The index by operation leaves chats out, and has to be told that none is meant.
  else if (operation)
    query
      .where('logs.operation', toStorableText(operation))
      .whereRaw("logs.operation <> '' and logs.operation <> 'chat'")
  // The index by request leaves out rows that belong to none, and has to be told that none of those is meant.
  if (request_id) query.where('logs.request_id', toStorableText(request_id)).where('logs.request_id', '<>', '')
  if (filter.start_timestamp) query.where('logs.created_at', '>=', filter.start_timestamp)
  if (filter.end_timestamp) query.where('logs.created_at', '<=', filter.end_timestamp)
  return query
}
