// Drawings and tasks in the database.
import type { Knex } from 'knex'
import { Drawing } from '../../tasks/drawing.ts'
import type { DrawingFilter, TaskFilter, TaskStore } from '../../tasks/store.ts'
import { Task } from '../../tasks/task.ts'
import type { Database } from './database.ts'
import { readPage } from './paging.ts'
import { asId, storable, tableOf } from './table.ts'

const drawingTable = tableOf('drawings', Drawing, { readonly: ['id'] })
const taskTable = tableOf('tasks', Task, { readonly: ['id'] })

export function createTaskStore({ write, read }: Database): TaskStore {
  return {
    async addDrawing(drawing) {
      await write('drawings').insert(drawingTable.values(drawing))
    },
    async drawings(filter, slice) {
      const { mj_id, action, status } = filter
      const rows = () => matching(read('drawings'), filter, { mj_id, action, status })
      const { items, total } = await readPage(rows, slice, { table: drawingTable })
      return { items: items.map(drawingTable.entity), total }
    },
    async add(task) {
      await write('tasks').insert(taskTable.values(task))
    },
    async list(filter, slice) {
      const { task_id, platform, action, status } = filter
      const rows = () => matching(read('tasks'), filter, { task_id, platform, action, status })
      const { items, total } = await readPage(rows, slice, { table: taskTable })
      return { items: items.map(taskTable.entity), total }
    },
  }
}

function matching(
  query: Knex.QueryBuilder,
  { user_id, channel_id, start_timestamp, end_timestamp }: DrawingFilter | TaskFilter,
  texts: Record<string, string>,
): Knex.QueryBuilder {
  if (user_id !== undefined) query.where({ user_id: asId(user_id) })
  if (channel_id !== 0) query.where({ channel_id: asId(channel_id) })
  for (const [column, text] of Object.entries(texts)) if (text !== '') query.where({ [column]: storable(text) })
  if (start_timestamp !== 0) query.where('submit_time', '>=', asId(start_timestamp))
  if (end_timestamp !== 0) query.where('submit_time', '<=', asId(end_timestamp))
  return query
}
