// Builds the conditions of a log filter, and selects the index that finds its rows fastest.
import type { Knex } from 'knex'
import { truncateToColumn } from '../../../calls/log-columns.ts'
import {
  getUndecidedSeconds,
  TOTAL_MS_MARK,
  TOTAL_MS_PATTERN,
  ASKED_MODEL_MARK,
  ASKED_MODEL_PATTERN,
  parseModelFilter,
} from '../../../logs/row-filters.ts'
import type { LogFilter } from '../../../logs/log.ts'
import { toStorableId, toStorableText } from '../sql/table.ts'

/**
 * Up to this many rows of a user are found by the user's index. For more, the index by time is scanned, which contains
 * all filtered columns.
 */
const FEW_ROWS = 50_000

const CHAT = 'chat'

/** A log filter that names the user by the id, which is indexed, instead of the username. */
export interface IndexedFilter extends Omit<LogFilter, 'username'> {
  /** Scans all users' rows for those of this user. */
  walk?: boolean
}

/** Returns null if no account has the requested name. */
export async function resolveLogFilter(read: Knex, { username, ...filter }: LogFilter): Promise<IndexedFilter | null> {
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

/** Returns the filter with the fastest access path, if it has more conditions than a user and a time. */
export async function chooseIndex(read: Knex, filter: IndexedFilter): Promise<IndexedFilter> {
  const { user_id, start_timestamp, end_timestamp, token_id, request_id, ...indexed } = filter
  if (!user_id || token_id || request_id || !Object.values(indexed).some(Boolean)) return filter
  const own = applyLogFilter(read, read('logs'), { user_id, ...withTimes(start_timestamp, end_timestamp) })
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

/** Builds the condition that a name matches a pattern: `%` matches any text, and the case of letters counts. */
function like(query: Knex.QueryBuilder, name: string, pattern: string): [sql: string, values: string[]] {
  // SQLite's LIKE ignores case and uses no index; its GLOB does not have these problems.
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

/** Matches the model of the row, or the requested one. Details are read only from rows that may have one. */
function byModel(query: Knex.QueryBuilder, given: string): void {
  const filter = parseModelFilter(toStorableText(given))
  if (!filter) return
  const { text, isPattern, rowPattern } = filter
  const kind = query.client.config.client === 'pg' ? 'pg' : 'sqlite'
  const is = (name: string): [string, string[]] => (isPattern ? like(query, name, text) : [`${name} = ?`, [text]])
  const [named, name] = is('logs.model_name')
  const [requestedSql, requestedName] = is(ASKED_MODEL[kind])
  const [may, rowName] = like(query, 'logs.model_name', rowPattern)
  query.whereRaw(`(${named} or (${may} and case when ${HAS_ASKED[kind]} then ${requestedSql} else false end))`, [
    ...name,
    ...rowName,
    ...requestedName,
  ])
}

const TOTAL_MS = {
  // Longer numbers are no durations, and would not be bigints.
  pg: `left(substring(logs.other from '${TOTAL_MS_PATTERN}'), 15)::bigint`,
  sqlite: `case when instr(logs.other, '${TOTAL_MS_MARK}') > 0 and json_valid(logs.other) then json_extract(logs.other, '$.total_ms') end`,
}

/** Matches calls that took at least so many ms. Details are read only from rows that their seconds leave undecided. */
function byDuration(query: Knex.QueryBuilder, min_ms: number): void {
  const undecided = getUndecidedSeconds(min_ms)
  const kind = query.client.config.client === 'pg' ? 'pg' : 'sqlite'
  const isLong = `case when logs.use_time > ? then true else coalesce(${TOTAL_MS[kind]}, logs.use_time * 1000) >= ? end`
  query.whereRaw(`logs.use_time >= ? and ${isLong}`, [undecided, undecided, min_ms])
}

/** Adds the conditions of a filter to a query. Zero and the empty text do not filter; times are inclusive. */
export function applyLogFilter(read: Knex, query: Knex.QueryBuilder, filter: IndexedFilter): Knex.QueryBuilder {
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
    min_ms,
    min_quota,
    walk,
  } = filter
  // The plus sign only makes the database skip the user's own index.
  if (user_id) query.whereRaw(walk ? '+logs.user_id = ?' : 'logs.user_id = ?', [toStorableId(user_id)])
  if (team_id) {
    // The index by user finds the rows of its members, which include those of its tokens.
    const tokens = () => read('tokens').where({ team_id: toStorableId(team_id) })
    query.whereIn('logs.user_id', tokens().select('user_id')).whereIn('logs.token_id', tokens().select('id'))
  }
  for (const [column, value] of Object.entries({ token_id, type, channel_id })) {
    if (value) query.where(`logs.${column}`, value)
  }
  for (const [column, value] of Object.entries({ token_name, group })) {
    if (!value) continue
    query.where(`logs.${column}`, toStorableText(truncateToColumn(column, value)))
  }
  if (model_name) byModel(query, model_name)
  // Most calls are chats. PostgreSQL's statistics may not show it (rows from before operations existed have none), and
  // it would sort all of them instead of scanning by time. For `coalesce` it assumes that half of all rows match.
  if (operation === CHAT) query.whereRaw('coalesce(logs.operation = ?, false)', [CHAT])
  // The index by operation excludes chats, so the query must exclude them explicitly.
  else if (operation)
    query
      .where('logs.operation', toStorableText(operation))
      .whereRaw("logs.operation <> '' and logs.operation <> 'chat'")
  // The index by request excludes rows without one, so the query must exclude them explicitly.
  if (request_id)
    query.whereIn('logs.request_id', [request_id].flat().map(toStorableText)).where('logs.request_id', '<>', '')
  if (min_ms) byDuration(query, min_ms)
  if (min_quota) query.where('logs.quota', '>=', min_quota)
  if (filter.start_timestamp) query.where('logs.created_at', '>=', filter.start_timestamp)
  if (filter.end_timestamp) query.where('logs.created_at', '<=', filter.end_timestamp)
  return query
}
