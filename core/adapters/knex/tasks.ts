// Tasks in the database: leases for polling, by the database's own clock, and results.
import { omitUndefinedMembers } from '../../dialects/json/json-value.ts'
import type { Knex } from 'knex'
import type { TaskFilter, TaskStore } from '../../tasks/store.ts'
import { StoredTask } from '../../tasks/task.ts'
import type { Database } from './connection/database.ts'
import { DATABASE_TIME_MS } from './connection/connection.ts'
import { readQueryPage } from './sql/paging.ts'
import { toStorableId, toStorableText, defineTable } from './sql/table.ts'

const table = defineTable('tasks', StoredTask, { readonly: ['id'] })

export function createTaskStore({ kind, write, read }: Database): TaskStore {
  const inMs = (ms: number) => write.raw(`${DATABASE_TIME_MS[kind]} + ?`, [Math.round(ms)])
  const one = (row: Record<string, unknown> | undefined) => (row ? table.entity(row) : null)
  const isOpen = { finish_time: 0 }

  return {
    async add(task, due_in_ms) {
      const due = due_in_ms === undefined ? {} : { due_at: inMs(due_in_ms) }
      await write('tasks').insert({ ...table.values(task), ...due })
    },
    find: async (id) =>
      one(
        await read('tasks')
          .where({ id: toStorableId(id) })
          .first(table.columns),
      ),
    findOwn: async (user_id, task_id) =>
      one(
        await read('tasks')
          .where({ user_id: toStorableId(user_id), task_id: toStorableText(task_id) })
          .orderBy('id', 'desc')
          .first(table.columns),
      ),
    findByNotifyKey: async (notify_key) =>
      one(
        await read('tasks')
          .where({ notify_key: toStorableText(notify_key) })
          .first(table.columns),
      ),
    async listOwn(user_id, platform, taskIds) {
      const rows = await read('tasks')
        .where({ user_id: toStorableId(user_id), platform })
        .whereIn('task_id', taskIds.map(toStorableText))
        .orderBy('id', 'desc')
        .select(table.columns)
      return rows.map(table.entity)
    },
    async page(user_id, platform, { limit, from, skip = 0, oldest, format, action }) {
      const rows = read('tasks')
        .where({ user_id: toStorableId(user_id), platform, ...omitUndefinedMembers({ format, action }) })
        .limit(limit)
        .offset(skip)
      if (from !== undefined) void rows.where('id', oldest ? '>' : '<', from)
      return (await rows.orderBy('id', oldest ? 'asc' : 'desc').select(table.columns)).map(table.entity)
    },
    async list(filter, slice) {
      const { items, total } = await readQueryPage(() => matching(read('tasks'), filter), slice, { table })
      return { items: items.map(table.entity), total }
    },
    async countOpen(user_id) {
      const row = await read('tasks')
        .where({ user_id: toStorableId(user_id), ...isOpen })
        .count({ total: '*' })
        .first()
      return Number(row?.total)
    },
    async claim(limit, lease_ms) {
      const due = write('tasks')
        .whereRaw(`due_at <= ${DATABASE_TIME_MS[kind]} and lease_until <= ${DATABASE_TIME_MS[kind]}`)
        .orderBy('due_at')
        .limit(limit)
        .select('id')
      // Two processes that poll at once get different ones.
      if (kind === 'postgres') void due.forUpdate().skipLocked()
      const rows = await write('tasks')
        .whereIn('id', kind === 'postgres' ? write.from(due.as('due')).select('id') : due)
        .update({ lease_until: inMs(lease_ms) })
        .returning('*')
      return rows.map(table.entity)
    },
    async freeAll() {
      await write('tasks').where('lease_until', '>', 0).update({ lease_until: 0 })
    },
    async postpone(tasks) {
      if (tasks.length > 0) await write.raw(POSTPONE[kind], [JSON.stringify(tasks)])
    },
    async update(id, change) {
      const { due_at, ...rest } = change
      const due = due_at === null ? { due_at: null } : {}
      return (
        (await write('tasks')
          .where({ id, ...isOpen })
          .update({ ...table.values(rest), ...due })) > 0
      )
    },
    refunded: async (id, amount) => (await write('tasks').where({ id, refunded: 0 }).update({ refunded: amount })) > 0,
    async forget(id, details) {
      const empty = { files: '[]', data: '', asked: '', image_url: '', prompt: '', prompt_en: '' }
      await write('tasks')
        .where({ id })
        .update({ ...empty, details: JSON.stringify(details) })
    },
    async wake(...ids) {
      await write('tasks')
        .whereIn('id', ids)
        .where(isOpen)
        .update({ due_at: inMs(0) })
    },
  }
}

const postponeSql = (now: string, rows: string) =>
  `update tasks set due_at = ${now} + r.due_in_ms, lease_until = 0, failures = r.failures, polls = r.polls
   from (${rows}) as r where tasks.id = r.id and tasks.finish_time = 0`

/** A single statement for all of them. */
const POSTPONE = {
  sqlite: postponeSql(
    DATABASE_TIME_MS.sqlite,
    `select json_extract(value, '$.id') as id, cast(json_extract(value, '$.due_in_ms') as integer) as due_in_ms,
       json_extract(value, '$.failures') as failures, json_extract(value, '$.polls') as polls from json_each(?)`,
  ),
  postgres: postponeSql(
    DATABASE_TIME_MS.postgres,
    `select id, due_in_ms::bigint, failures, polls
     from jsonb_to_recordset(?::jsonb) as t(id bigint, due_in_ms numeric, failures int, polls int)`,
  ),
} as const

function matching(query: Knex.QueryBuilder, filter: TaskFilter): Knex.QueryBuilder {
  const { user_id, channel_id, start_timestamp, end_timestamp, drawings, task_id, platform, action, status, model } =
    filter
  if (user_id !== undefined) query.where({ user_id: toStorableId(user_id) })
  if (channel_id !== 0) query.where({ channel_id: toStorableId(channel_id) })
  query.where('platform', drawings ? '=' : '<>', 'mj')
  for (const [column, text] of Object.entries({ task_id, platform, action, status, model }))
    if (text !== '') query.where({ [column]: toStorableText(text) })
  if (start_timestamp !== 0) query.where('submit_time', '>=', toStorableId(start_timestamp))
  if (end_timestamp !== 0) query.where('submit_time', '<=', toStorableId(end_timestamp))
  return query
}
