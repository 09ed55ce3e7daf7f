// Rows of refused calls in the log. All processes add to the same rows: one at a time, so that a token has no more rows
// a minute than it may.
import type { NewLogEntry } from '../../../calls/log-entry.ts'
import type { RefusalRow, RefusedCallStore, RefusalSum, RefusalWrite } from '../../../logs/refusal-rows.ts'
import {
  getRefusalOwner,
  placeRefusedCalls,
  REFUSAL_PERIOD_SECONDS,
  toCountedRefusal,
  addRefusalCounts,
} from '../../../logs/refusal-rows.ts'
import type { Database } from '../connection/database.ts'
import { insertLogRows, toLogValues } from './logs.ts'
import type { SqlColumns, RunSql, SqlRow } from '../sql/statements.ts'
import { createRowEncoder, encodeBoundRows, inTransaction, selectFromJson } from '../sql/statements.ts'
import { toStorableText } from '../sql/table.ts'

type DatabaseKind = Database['kind']

/** The key of the advisory lock. Any number works, as long as it never changes. */
const WRITING = 7_330_165

const ownerColumns: SqlColumns = { minute: 'bigint', user_id: 'bigint', token_id: 'bigint' }
const detailColumns: SqlColumns = { id: 'bigint', created_at: 'bigint', other: 'text' }
const idColumns: SqlColumns = { request_id: 'text', row_id: 'bigint', row_request_id: 'text', ...ownerColumns }
const ID_NAMES = Object.keys(idColumns).join(', ')

/** A row lies in its minute, which names its part of a log that is divided by time. */
const selectRows = (from: string) => `
  select distinct shared.minute, logs.id, logs.user_id, logs.token_id, logs.created_at, logs."group", logs.model_name,
    logs.request_id, logs.other
  from ${from} join refused_requests as shared
    on shared.minute = c.minute and shared.user_id = c.user_id and shared.token_id = c.token_id
  join logs on logs.id = shared.row_id
    and logs.created_at >= shared.minute and logs.created_at < shared.minute + ${REFUSAL_PERIOD_SECONDS}
  order by logs.id`
const updateRows = (from: string) =>
  `update logs set other = c.other from ${from} where logs.id = c.id and logs.created_at = c.created_at`
const insertIds = (from: string) =>
  `insert into refused_requests (${ID_NAMES}) select ${ID_NAMES} from ${from} where true on conflict do nothing`

const SQL = {
  sqlite: {
    select: selectRows(selectFromJson.sqlite(ownerColumns)),
    update: updateRows(selectFromJson.sqlite(detailColumns)),
    ids: insertIds(selectFromJson.sqlite(idColumns)),
    insert: `${insertLogRows.sqlite} returning id`,
  },
  postgres: {
    select: selectRows(selectFromJson.postgres(ownerColumns)),
    update: updateRows(selectFromJson.postgres(detailColumns)),
    ids: insertIds(selectFromJson.postgres(idColumns)),
    insert: `${insertLogRows.postgres} returning id`,
  },
} as const

export function createRefusalStore(database: Database): RefusedCallStore {
  const { kind, read, write } = database
  return {
    add: (given) =>
      inTransaction(database, async (run) => {
        if (kind === 'postgres') await run(`select pg_advisory_xact_lock(${WRITING})`)
        const sums = given.map(toStorableSum)
        const existing = await loadRows(kind, run, sums)
        const writes: (RefusalWrite & { minute: number })[] = []
        for (const [owner, own] of groupByOwner(sums)) {
          const { minute } = own[0]!
          for (const each of placeRefusedCalls(existing.get(owner) ?? [], own)) writes.push({ ...each, minute })
        }
        await save(kind, run, writes)
        return writes.map(toCountedRefusal)
      }),
    async findSharedRows(requestIds) {
      const ids = requestIds.map(toStorableText).filter((id) => id !== '')
      if (ids.length === 0) return []
      return read('refused_requests').whereIn('request_id', ids).distinct().pluck('row_request_id')
    },
    async removeBefore(time) {
      await write('refused_requests').where('minute', '<', time).delete()
    },
  }
}

const toStorableSum = (sum: RefusalSum): RefusalSum => ({
  ...sum,
  row: { ...sum.row, model_name: toStorableText(sum.row.model_name) },
})

function groupByOwner(sums: readonly RefusalSum[]): Map<string, RefusalSum[]> {
  const groups = new Map<string, RefusalSum[]>()
  for (const sum of sums) {
    const owner = getRefusalOwner(sum.row, sum.minute)
    groups.set(owner, [...(groups.get(owner) ?? []), sum])
  }
  return groups
}

/** Loads the rows of these tokens in these minutes, oldest first. */
async function loadRows(
  kind: DatabaseKind,
  run: RunSql,
  sums: readonly RefusalSum[],
): Promise<Map<string, RefusalRow[]>> {
  const owners = [...groupByOwner(sums).values()].map(([first]) => ({
    minute: first!.minute,
    user_id: first!.row.user_id,
    token_id: first!.row.token_id,
  }))
  const found = await run(SQL[kind].select, [encodeBoundRows(kind, owners, createRowEncoder(ownerColumns))])
  const rows = new Map<string, RefusalRow[]>()
  for (const values of found) {
    const row = toRefusalRow(values)
    const owner = getRefusalOwner(row, Number(values.minute))
    rows.set(owner, [...(rows.get(owner) ?? []), row])
  }
  return rows
}

const toRefusalRow = (values: SqlRow): RefusalRow => ({
  id: Number(values.id),
  user_id: Number(values.user_id),
  token_id: Number(values.token_id),
  created_at: Number(values.created_at),
  group: String(values.group),
  model_name: String(values.model_name),
  request_id: String(values.request_id),
  other: String(values.other),
})

/** Inserts the new rows, updates the existing ones, and records the added request ids. */
async function save(
  kind: DatabaseKind,
  run: RunSql,
  writes: readonly (RefusalWrite & { minute: number })[],
): Promise<void> {
  const updates: object[] = []
  const ids: object[] = []
  for (const { id: existing, row, refused, added_ids, minute } of writes) {
    const other = addRefusalCounts(row.other, refused)
    const id = existing ?? (await insert(kind, run, { ...row, other }))
    if (existing !== undefined) updates.push({ id, created_at: row.created_at, other })
    const { user_id, token_id, request_id: row_request_id } = row
    for (const request_id of added_ids) ids.push({ request_id, row_id: id, row_request_id, minute, user_id, token_id })
  }
  if (updates.length > 0) await run(SQL[kind].update, [encodeBoundRows(kind, updates, createRowEncoder(detailColumns))])
  if (ids.length > 0) await run(SQL[kind].ids, [encodeBoundRows(kind, ids, createRowEncoder(idColumns))])
}

async function insert(kind: DatabaseKind, run: RunSql, row: RefusalWrite['row']): Promise<number> {
  const [inserted] = await run(SQL[kind].insert, [encodeBoundRows(kind, [row as NewLogEntry], toLogValues)])
  return Number(inserted?.id)
}
