// The queries of the log, in the SQL that column stores share. Placeholders `?` are bound in order.
import { truncateToColumn, LOG_COLUMN_LIST } from '../../calls/log-columns.ts'
import { LOG_ROW_TYPE, type StoredLogRow } from '../../calls/log-entry.ts'
import type { ListOrder } from '../../contract/page.ts'
import { fail, GatewayError } from '../../errors.ts'
import type { LogHomeQueries, IdSpan, RowFilter } from '../../logs/home.ts'
import { getUndecidedSeconds, parseModelFilter } from '../../logs/row-filters.ts'
import { type ExpiredRows, MAX_SORTED_ROWS, MAX_COUNTED_TOTAL, type LogStatistics } from '../../logs/log.ts'
import { toStorableText } from '../knex/sql/table.ts'

export type BoundValue = string | number

/** A condition with the values of its placeholders. */
export interface BoundCondition {
  sql: string
  values: BoundValue[]
}

/** The parts that differ between stores. */
export interface SqlEngine {
  /** Runs a query; integers are returned as numbers. `from` is the table expression. */
  ask<Row>(sql: (from: string) => string, values: readonly BoundValue[]): Promise<Row[]>
  /** Builds the condition that a text matches a pattern in which `%` matches any text and all else is literal. */
  like(column: string, pattern: string): BoundCondition
  beginsWith(column: string, beginning: string): BoundCondition
  /** Expression for the requested model in a row's detail; null or the empty text if a row has none. */
  askedModel: string
  /** Expression for the ms of the whole call in a row's detail; null or 0 if a row has none. */
  totalMs: string
  /** A condition on the id that the planner does not use as the access path: nearly all rows match it. */
  idUpTo?: string
}

/** Period of rpm and tpm, in seconds. */
const MINUTE = 60
const DAY = 86_400
/** Number of rows that a search scans, as in the database. */
const SEARCHED = 100_000
const NEWEST: ListOrder = { column: 'created_at', descending: true }
const SUMS = ['quota', 'prompt_tokens', 'completion_tokens'] as const
const SELECTED = LOG_COLUMN_LIST.map(({ name }) => `"${name}"`).join(', ')

/** Returns the columns that a store of an earlier release lacks. */
export function findMissingColumns(has: readonly { name: string }[]): typeof LOG_COLUMN_LIST {
  const names = new Set(has.map(({ name }) => name))
  return LOG_COLUMN_LIST.filter(({ name }) => !names.has(name))
}

type Maybe = BoundCondition | undefined | false

const joinConditions = (word: 'and' | 'or', conditions: readonly Maybe[]): BoundCondition => {
  const held = conditions.filter((each) => each !== undefined && each !== false)
  return {
    sql: held.length === 0 ? 'true' : held.map(({ sql }) => `(${sql})`).join(` ${word} `),
    values: held.flatMap(({ values }) => values),
  }
}
export const joinAllConditions = (...conditions: Maybe[]): BoundCondition => joinConditions('and', conditions)
const joinAlternatives = (...conditions: Maybe[]): BoundCondition => joinConditions('or', conditions)
const that = (sql: string, ...values: BoundValue[]): BoundCondition => ({ sql, values })
/** An empty list matches nothing. */
const among = (column: string, values: readonly BoundValue[]): BoundCondition =>
  values.length === 0 ? that('false') : that(`"${column}" in (${values.map(() => '?').join(', ')})`, ...values)

/** An index may exclude rows without a request, so the query must exclude them explicitly. */
const HAS_REQUEST = that(`"request_id" <> ''`)

export const isWithinSpan = ({ from, to }: IdSpan): BoundCondition => that('"id" > ? and "id" <= ?', from, to)

export const isExpiredRow = ({ before, from, types, user_id }: ExpiredRows): BoundCondition =>
  joinAllConditions(
    that('"created_at" < ?', before),
    from !== undefined && that('"created_at" >= ?', from),
    types && among('type', types),
    user_id !== undefined && that('"user_id" = ?', user_id),
  )

/** Matches the model of the row, or the requested one. Details are read only from rows that may have one. */
function byModel(engine: SqlEngine, given: string): BoundCondition | undefined {
  const filter = parseModelFilter(toStorableText(given))
  if (!filter) return undefined
  const { text, isPattern, rowPattern } = filter
  const is = (name: string) => (isPattern ? engine.like(name, text) : that(`${name} = ?`, text))
  const isAsked = joinAllConditions(engine.like('"model_name"', rowPattern), is(engine.askedModel))
  return joinAlternatives(is('"model_name"'), isAsked)
}

/** Matches calls that took at least so many ms. Details are read only from rows that their seconds leave undecided. */
function byDuration({ totalMs }: SqlEngine, min_ms: number): BoundCondition {
  const undecided = getUndecidedSeconds(min_ms)
  const ms = `coalesce(nullif(${totalMs}, 0), "use_time" * 1000)`
  return that(`"use_time" >= ? and ("use_time" > ? or ${ms} >= ?)`, undecided, undecided, min_ms)
}

/** Zero and the empty text do not filter; times are inclusive. */
function matches(engine: SqlEngine, filter: RowFilter): BoundCondition {
  const { token_ids, start_timestamp, end_timestamp, model_name, operation, request_id, min_ms, min_quota, ...equal } =
    filter
  const texts = Object.entries(equal).map(([column, value]) => {
    if (!value) return undefined
    if (typeof value === 'number') return that(`"${column}" = ?`, Number.isSafeInteger(value) ? value : 0)
    return that(`"${column}" = ?`, toStorableText(truncateToColumn(column, value)))
  })
  return joinAllConditions(
    ...texts,
    model_name ? byModel(engine, model_name) : undefined,
    operation ? that('"operation" = ?', toStorableText(operation)) : undefined,
    request_id
      ? joinAllConditions(among('request_id', [request_id].flat().map(toStorableText)), HAS_REQUEST)
      : undefined,
    token_ids && among('token_id', token_ids),
    min_ms ? byDuration(engine, min_ms) : undefined,
    min_quota ? that('"quota" >= ?', min_quota) : undefined,
    start_timestamp ? that('"created_at" >= ?', start_timestamp) : undefined,
    end_timestamp ? that('"created_at" <= ?', end_timestamp) : undefined,
  )
}

/** Users get a generic error and may retry. The store's error is its cause. */
const orAway = (engine: SqlEngine): SqlEngine => ({
  ...engine,
  ask: (...args) =>
    engine.ask(...args).catch((cause: unknown) => {
      throw cause instanceof GatewayError ? cause : new GatewayError('log.away', {}, { cause })
    }) as never,
})

/**
 * @param until the largest id to read
 * @returns queries that throw GatewayError log.away while the store is unavailable
 */
export function createLogQueries(store: SqlEngine, until: number): LogHomeQueries {
  const engine = orAway(store)
  const shown = that(engine.idUpTo ?? '"id" <= ?', until)

  const rows = (condition: BoundCondition, order: string, limit: number, offset = 0): Promise<StoredLogRow[]> => {
    const { sql, values } = joinAllConditions(shown, condition)
    return engine.ask<StoredLogRow>(
      (from) => `select ${SELECTED} from ${from} where ${sql} order by ${order} limit ${limit} offset ${offset}`,
      values,
    )
  }
  async function one<Row>(select: string, condition: BoundCondition): Promise<Row | undefined> {
    const { sql, values } = joinAllConditions(shown, condition)
    return (await engine.ask<Row>((from) => `select ${select} from ${from} where ${sql}`, values))[0]
  }
  /** Counts up to `most` rows. */
  async function count(condition: BoundCondition, most: number): Promise<number> {
    const { sql, values } = joinAllConditions(shown, condition)
    const [found] = await engine.ask<{ n: number }>(
      (from) => `select count(*) as n from (select 1 from ${from} where ${sql} limit ${most}) as counted`,
      values,
    )
    return Number(found?.n ?? 0)
  }

  async function sumCharged(filter: RowFilter): Promise<Omit<LogStatistics, 'rpm' | 'tpm'>> {
    const sums = SUMS.map((name) => `${sumSql(`"${name}"`)} as "sum_${name}"`).join(', ')
    const row = await one<Record<string, number>>(
      `count(*) as calls, ${sums}`,
      matches(engine, { ...filter, type: LOG_ROW_TYPE.consumption }),
    )
    return {
      calls: Number(row?.calls ?? 0),
      quota: Number(row?.sum_quota ?? 0),
      prompt_tokens: Number(row?.sum_prompt_tokens ?? 0),
      completion_tokens: Number(row?.sum_completion_tokens ?? 0),
    }
  }

  return {
    async list(filter, { offset, limit, order = NEWEST, after, sums }) {
      const condition = matches(engine, filter)
      const [items, total, quota] = await Promise.all([
        rows(joinAllConditions(condition, after && buildAfterCondition(order, after)), inOrder(order), limit, offset),
        count(condition, order.column === NEWEST.column ? MAX_COUNTED_TOTAL : MAX_SORTED_ROWS + 1),
        sums ? sumCharged(filter) : undefined,
      ])
      return { items, total, ...(quota ? { sums: { quota: quota.quota } } : {}) }
    },
    newest: (filter, limit, row) =>
      rows(
        joinAllConditions(
          matches(engine, filter),
          row && that('"created_at" < ? or ("created_at" = ? and "id" < ?)', row.created_at, row.created_at, row.id),
        ),
        inOrder(NEWEST),
        limit,
      ),
    search: (keyword, limit) =>
      rows(
        joinAllConditions(
          that('"id" > ?', until - SEARCHED),
          joinAlternatives(
            engine.beginsWith('"content"', toStorableText(keyword)),
            /^\d{1,9}$/.test(keyword) && that('"type" = ?', Number(keyword)),
          ),
        ),
        '"id" desc',
        limit,
      ),
    async oldest() {
      const row = await one<{ n: number; oldest: number }>('count(*) as n, min("created_at") as oldest', that('true'))
      return Number(row?.n ?? 0) === 0 ? null : Number(row?.oldest)
    },
    after: (id, limit, only) =>
      rows(
        joinAllConditions(
          that('"id" > ?', id),
          only && joinAllConditions(matches(engine, only.filter), that('"id" <= ?', only.until)),
        ),
        '"id"',
        limit,
      ),
    newestIds: (limit) =>
      engine.ask(
        (from) => `select "id", "created_at" from ${from} where "id" <= ? order by "id" desc limit ${limit}`,
        [until],
      ),
    async extent(outdated) {
      const row = await one<Record<'n' | 'oldest' | 'newest', number>>(
        'count(*) as n, min("created_at") as oldest, max("created_at") as newest',
        isExpiredRow(outdated),
      )
      const found = Number(row?.n ?? 0)
      return found === 0
        ? { rows: 0, oldest: 0, newest: 0 }
        : { rows: found, oldest: Number(row?.oldest), newest: Number(row?.newest) }
    },
    async ofRequests(requestIds) {
      const ids = [...new Set(requestIds.map(toStorableText))].filter((id) => id !== '')
      return ids.length === 0
        ? []
        : rows(joinAllConditions(among('request_id', ids), HAS_REQUEST), '"id"', MOST_OF_REQUESTS)
    },
    async statistics({ start_timestamp, end_timestamp, ...always }, now) {
      const range = { ...(start_timestamp ? { start_timestamp } : {}), ...(end_timestamp ? { end_timestamp } : {}) }
      const [sums, minute] = await Promise.all([
        sumCharged({ ...always, ...range }),
        one<{ rpm: number; tpm: number }>(
          `count(*) as rpm, ${sumSql('"prompt_tokens" + "completion_tokens"')} as tpm`,
          matches(engine, { ...always, type: LOG_ROW_TYPE.consumption, start_timestamp: now - MINUTE }),
        ),
      ])
      return { ...sums, rpm: Number(minute?.rpm ?? 0), tpm: Number(minute?.tpm ?? 0) }
    },
    async days() {
      const found = await engine.ask<Record<'began' | 'n' | 'charged' | 'used', number>>(
        (from) =>
          `select ("created_at" - "created_at" % ${DAY}) as began, count(*) as n, ${sumSql('"quota"')} as charged,
            ${sumSql('"prompt_tokens" + "completion_tokens"')} as used
          from ${from} where "id" <= ? group by began order by began`,
        [until],
      )
      return found.map(({ began, n, charged: sumCharged, used }) => ({
        day: began,
        rows: n,
        quota: sumCharged,
        tokens: used,
      }))
    },
  }
}

/** A call has few rows; a session has one per turn. */
const MOST_OF_REQUESTS = 1_000_000

/** The sum of no rows is 0, and a sum of integers is an integer. */
const sumSql = (what: string): string => `cast(coalesce(sum(${what}), 0) as bigint)`

const NUMBERS: ReadonlySet<string> = new Set(
  LOG_COLUMN_LIST.filter(({ kind }) => kind === 'whole').map(({ name }) => name),
)

const getOrderColumn = ({ column }: ListOrder): string => {
  if (!NUMBERS.has(column)) throw new Error(`the log is not sorted by ${column}`)
  return `"${column}"`
}

function inOrder(order: ListOrder): string {
  const way = order.descending ? 'desc' : 'asc'
  return `${getOrderColumn(order)} ${way}, "id" ${way}`
}

function buildAfterCondition(order: ListOrder, { value, id }: { value: string | number; id: number }): BoundCondition {
  if (typeof value === 'string') fail('list.cursor')
  const than = order.descending ? '<' : '>'
  const column = getOrderColumn(order)
  return that(`${column} ${than} ? or (${column} = ? and "id" ${than} ?)`, value, value, id)
}
