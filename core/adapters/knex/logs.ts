// The usage log in the database.
import type { Knex } from 'knex'
import { LARGEST_TOTAL, LOG_TYPE, LogEntry, type LogFilter } from '../../logs/log.ts'
import type { LogStore } from '../../logs/store.ts'
import type { Database } from './connect.ts'
import { insertLogs } from './log-rows.ts'
import { withConnection } from './statements.ts'
import { jsonRows, literal, sliced, storable, tableOf } from './table.ts'

const table = tableOf('logs', LogEntry, {
  renamed: { channel: 'channel_id' },
  without: ['channel_name'],
  readonly: [],
})

/** rpm and tpm look back this far, in seconds. */
const MINUTE = 60
/** A search looks through so many rows: no index helps it. */
const SEARCHED = 100_000

export function createLogStore(database: Database): LogStore {
  const { write, read } = database

  async function named(rows: Record<string, unknown>[]): Promise<LogEntry[]> {
    const names = await channelNames(
      read,
      rows.map((row) => row.channel as number),
    )
    return rows.map((row) => ({ ...table.entity(row), channel_name: names.get(row.channel as number) ?? '' }))
  }

  return {
    async insert(entries) {
      if (entries.length === 0) return
      await withConnection(database, (run) => run(insertLogs[database.kind], [jsonRows(entries)]))
    },
    async list(filter, slice) {
      const matching = () => within(filtered(read('logs'), filter), filter)
      const [rows, counted] = await Promise.all([
        sliced(
          matching()
            .select(table.columns)
            .orderBy([newest('created_at'), newest('id')]),
          slice,
        ),
        read
          .from(matching().select(read.raw('1 as one')).limit(LARGEST_TOTAL).as('some'))
          .count({ total: '*' })
          .first(),
      ])
      return { items: await named(rows), total: Number(counted?.total) }
    },
    async before(filter, id, limit) {
      const rows = await within(filtered(read('logs'), filter), filter)
        .where('id', '<', id)
        .select(table.columns)
        .orderBy('id', 'desc')
        .limit(limit)
      return named(rows)
    },
    async search(keyword, limit) {
      const beginning = `${literal(keyword)}%`
      const newest = await read('logs').max({ id: 'id' }).first()
      const rows = await read('logs')
        .where('id', '>', Number(newest?.id ?? 0) - SEARCHED)
        .where((either) => {
          either.whereRaw(`content like ? escape '!'`, [beginning])
          if (/^\d{1,9}$/.test(keyword)) either.orWhere({ type: Number(keyword) })
        })
        .select(table.columns)
        .orderBy('id', 'desc')
        .limit(limit)
      return named(rows)
    },
    async countBefore(timestamp) {
      const row = await read('logs').where('created_at', '<', timestamp).count({ total: '*' }).first()
      return Number(row?.total)
    },
    deleteBefore: (timestamp, limit) =>
      write('logs')
        .whereIn('id', write('logs').where('created_at', '<', timestamp).select('id').limit(limit))
        .delete(),
    async ofRequests(requestIds) {
      // An empty id is none: rows that belong to no call have it.
      const ids = [...new Set(requestIds.map(storable))].filter((id) => id !== '')
      if (ids.length === 0) return []
      const rows = await read('logs')
        .select(table.columns)
        .whereIn('request_id', ids)
        .where('request_id', '<>', '')
        .orderBy('id')
      return named(rows)
    },
    async statistics(filter, now) {
      const charged = () => filtered(read('logs'), { ...filter, type: LOG_TYPE.consumption })
      const [range, minute] = await Promise.all([
        within(charged(), filter).select(read.raw('cast(coalesce(sum(quota), 0) as bigint) as quota')).first(),
        charged()
          .where('created_at', '>=', now - MINUTE)
          .select(
            read.raw('count(*) as rpm'),
            read.raw('cast(coalesce(sum(prompt_tokens + completion_tokens), 0) as bigint) as tpm'),
          )
          .first(),
      ])
      return { quota: Number(range?.quota), rpm: Number(minute?.rpm), tpm: Number(minute?.tpm) }
    },
  }
}

const newest = (column: string) => ({ column, order: 'desc' as const })

/** Everything a filter asks but the time. Zero and the empty text do not filter. */
function filtered(query: Knex.QueryBuilder, filter: LogFilter): Knex.QueryBuilder {
  const { user_id, token_id, type, username, token_name, model_name, channel: channel_id, group, request_id } = filter
  const wanted = { user_id, token_id, type, username, token_name, model_name, channel_id, group, request_id }
  for (const [column, value] of Object.entries(wanted)) {
    if (value) query.where(`logs.${column}`, typeof value === 'string' ? storable(value) : value)
  }
  return query
}

function within(query: Knex.QueryBuilder, { start_timestamp, end_timestamp }: LogFilter): Knex.QueryBuilder {
  if (start_timestamp) query.where('created_at', '>=', start_timestamp)
  if (end_timestamp) query.where('created_at', '<=', end_timestamp)
  return query
}

/** One query for the channels of a page. */
async function channelNames(read: Knex, channels: number[]): Promise<Map<number, string>> {
  const ids = [...new Set(channels.filter((id) => id > 0))]
  if (ids.length === 0) return new Map()
  const rows = await read<{ id: number; name: string }>('channels').select('id', 'name').whereIn('id', ids)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
