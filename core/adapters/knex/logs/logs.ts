// The usage log in the database.
import type { Knex } from 'knex'
import { LOG_COLUMN_LIST, type LogColumn } from '../../../calls/log-columns.ts'
import { type StoredLogRow, LOG_ROW_TYPE, LogEntry, type NewLogEntry } from '../../../calls/log-entry.ts'
import type { ListOrder } from '../../../contract/page.ts'
import { fail } from '../../../errors.ts'
import type { DaySum, RowFilter } from '../../../logs/home.ts'
import { type ExpiredRows, MAX_SORTED_ROWS, MAX_COUNTED_TOTAL, type LogFilter } from '../../../logs/log.ts'
import type { DatabaseLogRows, LogStore } from '../../../logs/store.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Logger } from '../../../ports/logger.ts'
import type { Database } from '../connection/database.ts'
import { applyLogFilter, chooseIndex, type IndexedFilter, resolveLogFilter } from './log-filter.ts'
import { createLogMonths } from './log-months.ts'
import { createNewestIdReader, createSettledIdReader } from './log-places.ts'
import { applyPageOrder, applySlice, readTotals } from '../sql/paging.ts'
import { type SqlColumns, encodeBoundRows, selectFromJson, withWriteConnection } from '../sql/statements.ts'
import { defineTable, escapeLikePattern, toStorableId, toStorableText } from '../sql/table.ts'

// Writes log rows, for the log's store and for the ledger inside a charge's transaction.

/** SQL types for unfolding JSON. */
const TYPES = { whole: 'bigint', flag: 'boolean', text: 'text' } as const

const written = LOG_COLUMN_LIST.flatMap(({ name, ...column }) => (name === 'id' ? [] : [{ ...column, name }]))
/** Returns the SQL types of these columns. */
export const getColumnTypes = (columns: readonly (LogColumn & { name: string })[]): SqlColumns =>
  Object.fromEntries(columns.map(({ name, kind }) => [name, TYPES[kind]]))
const fields = getColumnTypes(written)

/** Returns the values of a row in the order of its columns. */
export const toLogValues = (row: NewLogEntry): unknown[] => written.map(({ name }) => row[name])

const columns = written.map(({ name, column }) => `"${column ?? name}"`).join(', ')
const bounded = written
  .map(({ name, maxLength }) => (maxLength === undefined ? `"${name}"` : `substr("${name}", 1, ${maxLength})`))
  .join(', ')
const insert = (rows: string) => `insert into logs (${columns}) select ${bounded} from ${rows}`

/** Inserts the rows of one bound value. */
export const insertLogRows = {
  sqlite: insert(selectFromJson.sqlite(fields)),
  postgres: insert(selectFromJson.postgres(fields)),
} as const

const table = defineTable('logs', LogEntry, {
  renamed: { channel: 'channel_id' },
  without: ['channel_name'],
  readonly: [],
})

/** Period of rpm and tpm, in seconds. */
const MINUTE = 60
const DAY = 86_400
const NEWEST: ListOrder = { column: 'created_at', descending: true }
const NEWEST_FIRST = [
  { column: 'logs.created_at', order: 'desc' as const },
  { column: 'logs.id', order: 'desc' as const },
]
const SUMS = ['quota', 'prompt_tokens', 'completion_tokens'] as const
type Sums = Record<(typeof SUMS)[number], number>
type ChargedSums = Sums & { calls: number }
const NOTHING_CHARGED: ChargedSums = { calls: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }
/** Number of rows that a search scans, because no index helps it. */
const SEARCHED = 100_000

/** Creates the store of the log in the database. Rows that were moved to another store are not part of it. */
export function createLogStore(
  database: Database,
  { clock, logger }: { clock: Clock; logger: Logger },
): DatabaseLogRows {
  const { kind, read, write, patient } = database
  const settled = kind === 'sqlite' ? createNewestIdReader(read) : createSettledIdReader(read)
  return {
    ...logsBehind(database, 0),
    ...(patient ? { months: createLogMonths({ patient, clock, logger }) } : {}),
    behind: (id) => logsBehind(database, toStorableId(id)),
    named: (rows) => withChannelNames(read, rows),
    rowFilter: (filter) => rowFilter(read, filter),
    settledId: settled,
    removeUpTo: (id, limit) =>
      write('logs')
        .whereIn('id', write('logs').where('id', '<=', toStorableId(id)).orderBy('id').select('id').limit(limit))
        .delete(),
    async days({ from, to }) {
      const day = read.raw(`created_at - created_at % ${DAY}`)
      const sum = (what: string, name: string) => read.raw(`cast(coalesce(sum(${what}), 0) as bigint) as ${name}`)
      const found: Record<keyof DaySum, number>[] = await read('logs')
        .where('id', '>', toStorableId(from))
        .where('id', '<=', toStorableId(to))
        .select({ day }, read.raw('count(*) as rows'), sum('quota', 'quota'))
        .select(sum('prompt_tokens + completion_tokens', 'tokens'))
        .groupBy(day)
        .orderBy('day')
      return found.map(({ day: at, rows, quota, tokens }) => ({
        day: Number(at),
        rows: Number(rows),
        quota: Number(quota),
        tokens: Number(tokens),
      }))
    },
    async restore(rows) {
      const values = rows.map((row) => ({ id: row.id, ...table.values(row) }))
      await write('logs').insert(values).onConflict().ignore()
    },
  }
}

/** Reads only rows with larger ids than `behind`; 0 for all. */
function logsBehind(database: Database, behind: number): LogStore {
  const { kind, write, read } = database
  const all = (from: Knex = read) => (behind > 0 ? from('logs').where('logs.id', '>', behind) : from('logs'))
  const queryMatching = (filter: IndexedFilter) => applyLogFilter(read, all(), filter)
  const withNames = (rows: Record<string, unknown>[]) => withChannelNames(read, rows.map(table.entity))

  /** Counts the charged rows and sums them up. The index that finds them contains all the columns. */
  async function sumCharged(filter: IndexedFilter): Promise<ChargedSums> {
    const rows = queryMatching(await chooseIndex(read, { ...filter, type: LOG_ROW_TYPE.consumption }))
    const sums = SUMS.map((name) => read.raw(`cast(coalesce(sum(${name}), 0) as bigint) as ${name}`))
    const row = await rows.count({ calls: '*' }).select(sums).first()
    return {
      calls: Number(row?.calls),
      ...(Object.fromEntries(SUMS.map((name) => [name, Number(row?.[name])])) as Sums),
    }
  }

  return {
    async insert(entries) {
      if (entries.length === 0) return
      await withWriteConnection(database, (run) =>
        run(insertLogRows[kind], [encodeBoundRows(kind, entries, toLogValues)]),
      )
    },
    async list(filter, slice) {
      const found = await resolveLogFilter(read, filter)
      if (!found) return { items: [], total: 0 }
      const rows = queryMatching(await chooseIndex(read, found))
      const sums = slice.sums ? { sums: { quota: (await sumCharged(found)).quota } } : {}
      const { order = NEWEST, after, offset, limit } = slice
      const inPlace = (query: Knex.QueryBuilder) => applyPageOrder(query.select(table.columns), table, order, after)
      if (order.column !== NEWEST.column) {
        const { total } = await readTotals(
          read.from(
            rows
              .clone()
              .select('logs.id')
              .limit(MAX_SORTED_ROWS + 1)
              .as('some'),
          ),
          {},
          table,
        )
        if (total > MAX_SORTED_ROWS) fail('list.too_many', { max: MAX_SORTED_ROWS, column: order.column })
        return {
          items: await withNames(await applySlice(inPlace(rows), slice)),
          total: Math.min(total, MAX_COUNTED_TOTAL),
          ...sums,
        }
      }
      // One scan returns both the page and the total. It reads ids only, which the indexes contain.
      const ids = await read
        .from(applyPageOrder(rows.clone().select('logs.id'), table, order).limit(MAX_COUNTED_TOTAL).as('some'))
        .select(read.raw(`${kind === 'sqlite' ? 'json_group_array' : 'json_agg'}(id) as ids`))
        .first()
        .then((row) => (typeof row?.ids === 'string' ? JSON.parse(row.ids) : row?.ids) as number[] | null)
        .then((known) => known ?? [])
      const page =
        after || offset + limit > MAX_COUNTED_TOTAL
          ? applySlice(inPlace(rows), slice)
          : inPlace(read('logs').whereIn('id', ids.slice(offset, offset + limit)))
      return { items: await withNames(await page), total: ids.length, ...sums }
    },
    async newest(filter, limit, row) {
      const found = await resolveLogFilter(read, filter)
      if (!found) return []
      const query = queryMatching(await chooseIndex(read, found))
      if (row) query.whereRaw('(logs.created_at, logs.id) < (?, ?)', [row.created_at, row.id])
      return withNames(await query.select(table.columns).orderBy(NEWEST_FIRST).limit(limit))
    },
    async search(keyword, limit) {
      const beginning = `${escapeLikePattern(keyword)}%`
      const newest = await all().max({ id: 'id' }).first()
      const rows = await all()
        .where('id', '>', Number(newest?.id ?? 0) - SEARCHED)
        .where((either) => {
          either.whereRaw(`content like ? escape '!'`, [beginning])
          if (/^\d{1,9}$/.test(keyword)) either.orWhere({ type: Number(keyword) })
        })
        .select(table.columns)
        .orderBy('id', 'desc')
        .limit(limit)
      return withNames(rows)
    },
    async oldest() {
      const row = await all().min({ oldest: 'created_at' }).first()
      return row?.oldest == null ? null : Number(row.oldest)
    },
    async after(id, limit, only) {
      const found = only && (await resolveLogFilter(read, only.filter))
      if (found === null) return []
      const query = found ? queryMatching(found) : all()
      query.where('logs.id', '>', toStorableId(id))
      if (only) query.where('logs.id', '<=', only.until)
      return withNames(await query.select(table.columns).orderBy('logs.id').limit(limit))
    },
    newestIds: async (limit) => all().select('id', 'created_at').orderBy('id', 'desc').limit(limit),
    async extent(outdated) {
      const row: Record<'total' | 'oldest' | 'newest', unknown> | undefined = await whereOutdated(all(), outdated)
        .select(read.raw('count(*) as total, min(created_at) as oldest, max(created_at) as newest'))
        .first()
      return { rows: Number(row?.total), oldest: Number(row?.oldest ?? 0), newest: Number(row?.newest ?? 0) }
    },
    deleteOutdated: (outdated, limit) =>
      write('logs')
        .whereIn('id', whereOutdated(all(write), outdated).select('id').limit(limit))
        .delete(),
    async ofRequests(requestIds) {
      // The empty id marks rows that belong to no call.
      const ids = [...new Set(requestIds.map(toStorableText))].filter((id) => id !== '')
      if (ids.length === 0) return []
      const rows = await all()
        .select(table.columns)
        .whereIn('request_id', ids)
        .where('request_id', '<>', '')
        .orderBy('id')
      return withNames(rows)
    },
    async statistics(filter, now) {
      const found = await resolveLogFilter(read, { ...filter, type: LOG_ROW_TYPE.consumption })
      if (!found) return { ...NOTHING_CHARGED, rpm: 0, tpm: 0 }
      const { start_timestamp: _, end_timestamp: __, ...always } = found
      const [sums, minute] = await Promise.all([
        sumCharged(found),
        queryMatching({ ...always, start_timestamp: now - MINUTE })
          .select(
            read.raw('count(*) as rpm'),
            read.raw('cast(coalesce(sum(prompt_tokens + completion_tokens), 0) as bigint) as tpm'),
          )
          .first(),
      ])
      return { ...sums, rpm: Number(minute?.rpm), tpm: Number(minute?.tpm) }
    },
  }
}

/** Loads the channels of a page in one query. */
async function withChannelNames<Row extends StoredLogRow>(read: Knex, rows: readonly Row[]) {
  const ids = [...new Set(rows.map(({ channel }) => channel).filter((id) => id > 0))]
  const found = ids.length === 0 ? [] : await read<NumberedName>('channels').select('id', 'name').whereIn('id', ids)
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, channel_name: names.get(row.channel) ?? '' }))
}

type NumberedName = { id: number; name: string }

/** Resolves the users and teams of a filter to the values in the rows. */
async function rowFilter(read: Knex, filter: LogFilter): Promise<RowFilter | null> {
  const { team_id, walk: _, ...found } = (await resolveLogFilter(read, filter)) ?? {}
  if (filter.username && !found.user_id) return null
  if (!team_id) return found
  const tokens: { id: number }[] = await read('tokens')
    .where({ team_id: toStorableId(team_id) })
    .select('id')
  return { ...found, token_ids: tokens.map(({ id }) => id) }
}

function whereOutdated(query: Knex.QueryBuilder, { before, types, from, user_id }: ExpiredRows): Knex.QueryBuilder {
  query.where('created_at', '<', before)
  if (from !== undefined) query.where('created_at', '>=', from)
  if (types) query.whereIn('type', [...types])
  if (user_id !== undefined) query.where({ user_id: toStorableId(user_id) })
  return query
}
