// How channels did by hour, in the database: each process adds what it has counted.
import { SPANS_MS } from '../../calls/histogram.ts'
import { FAILURE_KINDS, type ChannelHour, type ChannelHourStore } from '../../channels/channel-hours.ts'
import type { Database } from './database.ts'
import { withConnection } from './statements.ts'
import { asId } from './table.ts'
import { boundRows, inOrderOf, unfold, type Columns } from './unfold.ts'

type Row = Record<string, string | number>

const PLACES = [...SPANS_MS.keys(), SPANS_MS.length]
const ADDED = [
  ...['answered', 'abandoned', 'ms', 'firsts', 'first_ms'],
  ...FAILURE_KINDS.map((kind) => `failed_${kind}`),
  ...PLACES.map((place) => `span_${place}`),
]
const LAST = ['error_at', 'error_status', 'error']
const columns: Columns = Object.fromEntries([
  ...['channel_id', 'hour', 'key', ...ADDED, ...LAST].map(
    (name) => [name, name === 'key' || name === 'error' ? 'text' : 'bigint'] as const,
  ),
])
const names = Object.keys(columns)

/** The last error is the newest of those that any process has seen. */
const newest = (name: string) =>
  `${name} = case when excluded.error_at >= channel_hours.error_at then excluded.${name} else channel_hours.${name} end`

const add = (kind: Database['kind']) => `
  insert into channel_hours (${names.join(', ')}) select ${names.map((name) => `c."${name}"`).join(', ')}
  from ${unfold[kind](columns)} where true
  on conflict (channel_id, hour, key) do update set
    ${ADDED.map((name) => `${name} = channel_hours.${name} + excluded.${name}`).join(', ')},
    ${LAST.map(newest).join(', ')}`
const SQL = { sqlite: add('sqlite'), postgres: add('postgres') }

export function createChannelHourStore(database: Database): ChannelHourStore {
  const { kind, read, write } = database
  return {
    async add(hours) {
      // In one order for all processes, so that none waits for one that waits for it.
      const rows = hours.map(rowOf).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
      await withConnection(database, (run) => run(SQL[kind], [boundRows(kind, rows, inOrderOf<Row>(columns))]))
    },
    async since(hour, channelIds = []) {
      const rows = read('channel_hours').select(names).where('hour', '>=', hour).orderBy(['channel_id', 'hour', 'key'])
      if (channelIds.length > 0) rows.whereIn('channel_id', channelIds.map(asId))
      return (await rows).map(hourOf)
    },
    async deleteBefore(hour) {
      await write('channel_hours').where('hour', '<', hour).delete()
    },
  }
}

const nameOf = ({ channel_id, hour, key }: Row) => `${channel_id} ${hour} ${key}`

const rowOf = ({ failed, spans, ...hour }: ChannelHour): Row => ({
  ...hour,
  ...Object.fromEntries(FAILURE_KINDS.map((kind) => [`failed_${kind}`, failed[kind]])),
  ...Object.fromEntries(PLACES.map((place) => [`span_${place}`, spans[place] ?? 0])),
})

function hourOf(row: Record<string, unknown>): ChannelHour {
  const number = (name: string) => Number(row[name])
  return {
    ...{ channel_id: number('channel_id'), key: String(row.key), hour: number('hour') },
    ...{ answered: number('answered'), abandoned: number('abandoned') },
    failed: Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, number(`failed_${kind}`)])) as ChannelHour['failed'],
    spans: PLACES.map((place) => number(`span_${place}`)),
    ...{ ms: number('ms'), firsts: number('firsts'), first_ms: number('first_ms') },
    ...{ error_at: number('error_at'), error_status: number('error_status'), error: String(row.error) },
  }
}
