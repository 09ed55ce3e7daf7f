// Channel statistics by hour, in the database. Each process adds its own counts.
import { LATENCY_BOUNDS_MS } from '../../calls/histogram.ts'
import { type ChannelHour, type ChannelHourStore, ATTEMPT_FAILURE_KINDS } from '../../channels/channel-hours.ts'
import { type ChannelTestStore, KEPT_TEST_RESULTS, TestOutcome } from '../../channels/test-outcome.ts'
import type { Database } from './connection/database.ts'
import { type SqlColumns, selectFromJson, withWriteConnection } from './sql/statements.ts'
import { defineTable, formatRowsAsJson, toStorableId } from './sql/table.ts'

const PLACES = [...LATENCY_BOUNDS_MS.keys(), LATENCY_BOUNDS_MS.length]
const ADDED = [
  ...['answered', 'abandoned', 'ms', 'firsts', 'first_ms'],
  ...ATTEMPT_FAILURE_KINDS.map((kind) => `failed_${kind}`),
  ...PLACES.map((place) => `span_${place}`),
]
const LAST = ['error_at', 'error_status', 'error']
const columns: SqlColumns = Object.fromEntries([
  ...['channel_id', 'hour', 'key', ...ADDED, ...LAST].map(
    (name) => [name, name === 'key' || name === 'error' ? 'text' : 'bigint'] as const,
  ),
])
const names = Object.keys(columns)

/** The last error is the newest that any process has seen. */
const newestSql = (name: string) =>
  `${name} = case when excluded.error_at >= channel_hours.error_at then excluded.${name} else channel_hours.${name} end`

const add = (kind: Database['kind']) => `
  insert into channel_hours (${names.join(', ')}) select ${names.map((name) => `c."${name}"`).join(', ')}
  from ${selectFromJson[kind](columns)} where true
  on conflict (channel_id, hour, key) do update set
    ${ADDED.map((name) => `${name} = channel_hours.${name} + excluded.${name}`).join(', ')},
    ${LAST.map(newestSql).join(', ')}`
const SQL = { sqlite: add('sqlite'), postgres: add('postgres') }

export function createChannelHourStore(database: Database): ChannelHourStore {
  const { kind, read, write } = database
  return {
    async add(hours) {
      const rows = hours.toSorted(inOneOrder).map(toValues)
      await withWriteConnection(database, (run) =>
        run(SQL[kind], [formatRowsAsJson(kind === 'sqlite' ? rows : rows.map(toNamedRow))]),
      )
    },
    async since(hour, channelIds = []) {
      const rows = read('channel_hours').select(names).where('hour', '>=', hour).orderBy(['channel_id', 'hour', 'key'])
      if (channelIds.length > 0) rows.whereIn('channel_id', channelIds.map(toStorableId))
      return (await rows).map(parseHour)
    },
    async deleteBefore(hour) {
      await write('channel_hours').where('hour', '<', hour).delete()
    },
  }
}

/** All processes lock rows in the same order, so that none waits in a cycle. */
const inOneOrder = (one: ChannelHour, other: ChannelHour): number =>
  one.channel_id - other.channel_id || one.hour - other.hour || (one.key < other.key ? -1 : 1)

/** In the order of the columns. There is one row per used channel and hour. */
function toValues(hour: ChannelHour): (string | number)[] {
  const { channel_id, key, failed, spans, answered, abandoned, ms, firsts, first_ms } = hour
  const counts = [answered, abandoned, ms, firsts, first_ms]
  for (const kind of ATTEMPT_FAILURE_KINDS) counts.push(failed[kind])
  for (const place of PLACES) counts.push(spans[place] ?? 0)
  return [channel_id, hour.hour, key, ...counts, hour.error_at, hour.error_status, hour.error]
}

/** Builds the row for PostgreSQL. A loop: with Object.fromEntries a row took four times as long. */
function toNamedRow(values: readonly (string | number)[]): Record<string, string | number | undefined> {
  const row: Record<string, string | number | undefined> = {}
  for (const [place, name] of names.entries()) row[name] = values[place]
  return row
}

function parseHour(row: Record<string, unknown>): ChannelHour {
  const number = (name: string) => Number(row[name])
  return {
    channel_id: number('channel_id'),
    key: String(row.key),
    hour: number('hour'),
    answered: number('answered'),
    abandoned: number('abandoned'),
    failed: Object.fromEntries(
      ATTEMPT_FAILURE_KINDS.map((kind) => [kind, number(`failed_${kind}`)]),
    ) as ChannelHour['failed'],
    spans: PLACES.map((place) => number(`span_${place}`)),
    ms: number('ms'),
    firsts: number('firsts'),
    first_ms: number('first_ms'),
    error_at: number('error_at'),
    error_status: number('error_status'),
    error: String(row.error),
  }
}

// The results of channel tests, in the database.

const table = defineTable('channel_tests', TestOutcome, { readonly: [] })

export function createChannelTestStore({ read, write }: Database): ChannelTestStore {
  const rows = () => read('channel_tests').select(table.columns)
  return {
    insert: (outcome) =>
      write.transaction(async (transaction) => {
        await transaction('channel_tests').insert(table.values(outcome))
        const { channel_id } = outcome
        const tests = transaction('channel_tests').where({ channel_id }).select('id').orderBy('id', 'desc')
        const oldest = await tests.offset(KEPT_TEST_RESULTS).first()
        if (oldest) await transaction('channel_tests').where({ channel_id }).where('id', '<=', oldest.id).delete()
      }),
    ofChannel: async (id) =>
      (
        await rows()
          .where({ channel_id: toStorableId(id) })
          .orderBy('id', 'desc')
      ).map(table.entity),
    last: async () =>
      (await rows().whereIn('id', read('channel_tests').max('id').groupBy('channel_id'))).map(table.entity),
    async deleteOrphans() {
      await write('channel_tests').whereNotIn('channel_id', write('channels').select('id')).delete()
    },
  }
}
