// Log rows in ClickHouse: one partition per day, sorted by time. https://clickhouse.com/docs
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import { LOG_COLUMN_LIST, type LogColumn } from '../../calls/log-columns.ts'
import type { IdSpan, LogHome } from '../../logs/home.ts'
import { TOTAL_MS_PATTERN, ASKED_MODEL_PATTERN } from '../../logs/row-filters.ts'
import type { ExpiredRows } from '../../logs/log.ts'
import { StartError } from '../start-error.ts'
import { yieldRowGroups } from './in-turns.ts'
import type { BoundCondition, SqlEngine, BoundValue } from './questions.ts'
import { joinAllConditions, isWithinSpan, isExpiredRow, findMissingColumns, createLogQueries } from './questions.ts'

/** Longer than a batch takes, and shorter than a claim. */
const PATIENCE_MS = 30_000
/** Number of insert tokens that ClickHouse remembers. */
const REMEMBERED_INSERTS = 1000
const ROWS_AT_ONCE = 10_000
const DAY = 86_400

const TYPES: Record<LogColumn['kind'], string> = { whole: 'Int64', flag: 'Bool', text: 'String CODEC(ZSTD(3))' }
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Opens `clickhouse://user:password@host:8123/database`, with `clickhouses:` for TLS and `?table=` for a table other
 * than `weir_logs`.
 * @throws StartError for an invalid address
 */
export function openClickhouse(address: URL): LogHome {
  const { hostname, port, username, password } = address
  const isSafe = address.protocol === 'clickhouses:'
  const database = decodeURIComponent(address.pathname.slice(1)) || 'default'
  const table = address.searchParams.get('table') ?? 'weir_logs'
  if (!hostname || !NAME.test(database) || !NAME.test(table))
    throw new StartError(
      'The address of ClickHouse cannot be read: write it as clickhouse://user:password@host:8123/database.',
    )
  const host = `${hostname}:${port || (isSafe ? '8443' : '8123')}`
  const client = createClient({
    url: `${isSafe ? 'https' : 'http'}://${host}`,
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    database,
    application: 'weir',
    // The caller reports errors.
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: PATIENCE_MS,
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      // A deletion is complete when it is answered.
      lightweight_deletes_sync: '2',
    },
  })
  const engine = createEngine(client, table)
  const count = (condition: BoundCondition) => countRows(engine, condition)

  async function removeWhere({ sql, values }: BoundCondition): Promise<void> {
    const { text, params } = bindValues(`delete from ${table} where ${sql}`, values)
    await client.command({ query: text, query_params: params })
  }

  /** Drops whole days without reading their rows. */
  async function dropDays(before: number): Promise<void> {
    const end = new Date((before - (before % DAY)) * 1000).toISOString().slice(0, 10).replaceAll('-', '')
    const answer = await client.query({
      query: `select distinct partition from system.parts
        where active and database = currentDatabase() and table = {name:String} and partition < {end:String}`,
      query_params: { name: table, end },
      format: 'JSONEachRow',
    })
    for (const { partition } of await answer.json<{ partition: string }>())
      await client.command({ query: `alter table ${table} drop partition ${partition}` })
  }

  return {
    name: `${address.protocol}//${host}/${database}${table === 'weir_logs' ? '' : `?table=${table}`}`,
    age: 0,
    batch: ROWS_AT_ONCE,
    async prepare() {
      const columns = LOG_COLUMN_LIST.map(declareColumn)
      await client.command({
        query: `create table if not exists ${table} (${columns.join(', ')}) engine = MergeTree
          partition by toYYYYMMDD(toDateTime("created_at", 'UTC')) order by ("created_at", "id")
          settings non_replicated_deduplication_window = ${REMEMBERED_INSERTS}`,
      })
      const answer = await client.query({
        query: 'select name from system.columns where database = currentDatabase() and table = {name:String}',
        query_params: { name: table },
        format: 'JSONEachRow',
      })
      const added = findMissingColumns(await answer.json<{ name: string }>()).map(
        (column) => `add column if not exists ${declareColumn(column)}`,
      )
      if (added.length > 0) await client.command({ query: `alter table ${table} ${added.join(', ')}` })
    },
    async append(rows, { from, to }) {
      if (rows.length === 0) return
      await client.insert({
        table,
        values: Readable.from(yieldRowGroups(rows)).map(toStoredRow),
        format: 'JSONEachRow',
        clickhouse_settings: {
          // A batch without an answer is sent again under the same token.
          insert_deduplication_token: `${from}-${to}`,
          // An import may contain many days.
          max_partitions_per_insert_block: 0 as never,
        },
      })
    },
    count: (span: IdSpan) => count(isWithinSpan(span)),
    remove: (span: IdSpan) => removeWhere(isWithinSpan(span)),
    upTo: (id) => createLogQueries(engine, id),
    async deleteOutdated(outdated: ExpiredRows) {
      const rows = await count(isExpiredRow(outdated))
      if (rows === 0) return 0
      if (isOfEverybody(outdated)) await dropDays(outdated.before)
      await removeWhere(isExpiredRow(outdated))
      return rows
    },
    close: () => client.close(),
  }
}

/** In older rows a new column has the type's default, which equals Weir's. */
const declareColumn = ({ name, kind, few }: (typeof LOG_COLUMN_LIST)[number]): string =>
  `"${name}" ${few ? 'LowCardinality(String)' : TYPES[kind]}`

const isOfEverybody = ({ types, user_id, from }: ExpiredRows): boolean =>
  types === undefined && user_id === undefined && from === undefined

function createEngine(client: ClickHouseClient, table: string): SqlEngine {
  return {
    async ask<Row>(sql: (from: string) => string, values: readonly BoundValue[]): Promise<Row[]> {
      const { text, params } = bindValues(sql(table), values)
      const answer = await client.query({ query: text, query_params: params, format: 'JSONEachRow' })
      return answer.json<Row>()
    },
    like: (column, pattern) => ({ sql: `${column} like ?`, values: [pattern.replace(/[\\_]/g, '\\$&')] }),
    askedModel: `extract("other", '${ASKED_MODEL_PATTERN}')`,
    totalMs: `toInt64OrZero(extract("other", '${TOTAL_MS_PATTERN}'))`,
    beginsWith: (column, beginning) => ({ sql: `startsWith(${column}, ?)`, values: [beginning] }),
  }
}

async function countRows(engine: SqlEngine, condition: BoundCondition): Promise<number> {
  const { sql, values } = joinAllConditions(condition)
  const [row] = await engine.ask<{ n: number }>((from) => `select count(*) as n from ${from} where ${sql}`, values)
  return Number(row?.n ?? 0)
}

/** Replaces the placeholders by ClickHouse's, each with its type. */
function bindValues(sql: string, values: readonly BoundValue[]): { text: string; params: Record<string, BoundValue> } {
  let place = 0
  const text = sql.replace(/\?/g, () => {
    const value = values[place]
    place += 1
    return `{v${place}:${typeof value === 'number' ? 'Int64' : 'String'}}`
  })
  return { text, params: Object.fromEntries(values.map((value, at) => [`v${at + 1}`, value])) }
}

/** Selects the stored columns of a row. */
const toStoredRow = (row: object): Record<string, unknown> =>
  Object.fromEntries(LOG_COLUMN_LIST.map(({ name }) => [name, (row as Record<string, unknown>)[name]]))
