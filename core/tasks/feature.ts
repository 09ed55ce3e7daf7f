// Asynchronous tasks at providers.
import type { Feature } from '../feature.ts'
import { tasksContract } from './contract.ts'
import { type Caller, type ContractHandlers, requireUser } from '../auth/caller.ts'
import { sliceFromZero } from '../contract/page.ts'
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { toDrawingTask } from './drawing.ts'
import type { TaskFilter } from './store.ts'
import { toListedTask } from './task.ts'
import type { EndTaskByAdmin } from './task-ends.ts'

interface TaskPorts {
  storage: Pick<Storage, 'tasks'>
  taskEnds: EndTaskByAdmin
  settings(): Settings
}

/** A filter of the API: 0 for all users. Queries of a user's tasks do not have it. */
interface TaskListQuery extends Omit<TaskFilter, 'task_id' | 'platform' | 'drawings' | 'user_id'> {
  p: number
  page_size: number
  user_id: number
}

function createTaskHandlers({ storage, settings, taskEnds }: TaskPorts): ContractHandlers<typeof tasksContract> {
  const page = (
    { p, page_size, user_id, ...filter }: TaskListQuery,
    rest: Pick<TaskFilter, 'task_id' | 'platform' | 'drawings'>,
  ) => storage.tasks.list({ ...filter, ...rest, user_id: user_id || undefined }, sliceFromZero(p, page_size))
  const drawings = async ({ mj_id, ...rangeQuery }: TaskListQuery & { mj_id: string }) => {
    const { items, total } = await page(rangeQuery, { task_id: mj_id, platform: '', drawings: true })
    return { data: items.map((row) => toDrawingTask(row, settings())), total }
  }
  const list = async ({ task_id, platform, ...rangeQuery }: TaskListQuery & { task_id: string; platform: string }) => {
    const { items, total } = await page(rangeQuery, { task_id, platform, drawings: false })
    return { data: items.map(toListedTask), total }
  }
  const own = (caller: Caller) => requireUser(caller).id

  return {
    drawings,
    drawingsSelf: (query, { caller }) => drawings({ ...query, channel_id: 0, user_id: own(caller) }),
    async manage({ id, action }, context) {
      const task = (await storage.tasks.find(id)) ?? fail('task.missing', { id })
      await taskEnds[action](task, context.caller)
      const { status, refunded } = (await storage.tasks.find(id)) ?? task
      return { status, refunded }
    },
    // Times of these are in seconds.
    list: (query) => list(inMs(query)),
    listSelf: (query, { caller }) => list({ ...inMs(query), channel_id: 0, user_id: own(caller) }),
  }
}

const inMs = <Q extends { start_timestamp: number; end_timestamp: number }>(query: Q): Q => ({
  ...query,
  start_timestamp: query.start_timestamp * 1000,
  end_timestamp: query.end_timestamp === 0 ? 0 : query.end_timestamp * 1000 + 999,
})

export const tasksFeature: Feature<TaskPorts, typeof tasksContract> = {
  contract: tasksContract,
  handlers: createTaskHandlers,
}
