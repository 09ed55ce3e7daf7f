// Display of asynchronous tasks: drawings and all other tasks as one list.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import type { DrawingTask } from '../../core/tasks/drawing.ts'
import type { ListedTask } from '../../core/tasks/task.ts'
import { explainToOrdinaryUser } from '../connection/own-endpoints.ts'
import { GatewayRefusal } from '../failure.ts'
import { words } from '../texts.ts'
import { count, money, text, time, type OutputView } from '../output/view.ts'

/** A task of either kind. Times are in epoch seconds, 0 for not yet; fields of drawings are empty in other tasks. */
export interface TaskRow {
  id: string
  /** Internal id, which the commands use. */
  number: number
  model: string
  platform: string
  action: string
  status: string
  progress: string
  user_id: number
  /** 0 if it is not known. */
  channel_id: number
  quota: number
  /** Refunded quota units. */
  refunded: number
  created_at: number
  finished: number
  failure: string
  prompt: string
  image_url: string
}

export const listedTaskView: OutputView<TaskRow> = {
  id: text(words('ID'), 1, ({ id }) => id, { flexible: true, tone: () => 'strong' }),
  platform: text(words('PLATFORM'), 2, ({ platform }) => platform),
  action: text(words('ACTION'), 2, ({ action }) => action),
  model: text(words('MODEL'), 4, ({ model }) => model || null),
  status: text(words('STATUS'), 1, ({ status }) => status, { tone: (row) => (row.failure ? 'bad' : 'plain') }),
  progress: text(words('DONE', { context: 'task' }), 1, ({ progress }) => progress),
  user_id: count(words('USER'), 4, (row) => row.user_id),
  channel_id: count(words('CHANNEL'), 4, (row) => row.channel_id || null),
  charge: money(words('CHARGE'), 2, ({ quota }) => quota),
  refunded: money(words('REFUNDED'), 0, ({ refunded }) => refunded),
  submitted: time(words('SUBMITTED'), 3, (row) => row.created_at),
  finished: time(words('FINISHED'), 0, ({ finished }) => finished),
  failure: text(words('FAILURE'), 5, ({ failure }) => failure || null, {
    flexible: true,
    below: true,
    tone: () => 'bad',
  }),
  prompt: text(words('PROMPT'), 0, ({ prompt }) => prompt || null),
  image_url: text(words('IMAGE'), 0, (row) => row.image_url || null),
}

type WithChannel<T extends { channel_id: number }> = Omit<T, 'channel_id'> & Partial<Pick<T, 'channel_id'>>

export const toListedTaskRow = ({ channel_id = 0, ...one }: WithChannel<ListedTask>): TaskRow => ({
  ...one,
  channel_id,
  id: one.task_id,
  number: one.id,
  finished: one.finish_time,
  failure: one.fail_reason,
  prompt: '',
  image_url: '',
})

export const toDrawingRow = ({ channel_id = 0, ...one }: WithChannel<DrawingTask>): TaskRow => ({
  ...one,
  channel_id,
  id: one.mj_id,
  number: one.id,
  platform: DRAWINGS,
  failure: one.fail_reason,
  finished: Math.floor(one.finish_time / 1000),
})

/** The platform name of drawings. */
export const DRAWINGS = 'midjourney'

/** The filter of a list of tasks; undefined fields do not filter. Times are in epoch seconds. */
export interface TasksAsked {
  own: boolean
  limit: number
  id?: string
  platform?: string
  action?: string
  status?: string
  model?: string
  user_id?: number
  channel_id?: number
  since?: number
  until?: number
}

const PAGE_SIZE = 10

/** Returns the newest tasks of both lists, which are read ten at a time. */
export async function loadTaskRows(weir: WeirClient, filter: TasksAsked): Promise<TaskRow[]> {
  const { own, limit, id, platform, action, status, model, user_id, channel_id, since = 0, until = 0 } = filter
  const same = (requested: string | undefined, is: string) =>
    requested === undefined || requested.toLowerCase() === is.toLowerCase()
  // The lists compare states and actions case-sensitively; people do not.
  const isAsked = (row: TaskRow) => same(action, row.action) && same(status, row.status)
  const owner = { ...(channel_id === undefined ? {} : { channel_id }), ...(user_id === undefined ? {} : { user_id }) }
  const tasks = async (p: number) => {
    const query = { p, task_id: id, platform, model, start_timestamp: since, end_timestamp: until }
    const { data } = own ? await weir.tasks.listSelf(query) : await weir.tasks.list({ ...query, ...owner })
    return data.map(toListedTaskRow)
  }
  const drawings = async (p: number) => {
    const query = { p, mj_id: id, model, start_timestamp: since * 1000, end_timestamp: until * 1000 }
    const { data } = own ? await weir.tasks.drawingsSelf(query) : await weir.tasks.drawings({ ...query, ...owner })
    return data.map(toDrawingRow)
  }
  const found: TaskRow[] = []
  for (const page of [...(platform === DRAWINGS ? [] : [tasks]), ...(same(platform, DRAWINGS) ? [drawings] : [])]) {
    const own: TaskRow[] = []
    for (let p = 0, rows: TaskRow[]; own.length < limit; p += 1) {
      own.push(...(rows = await page(p)).filter(isAsked))
      if (rows.length < PAGE_SIZE) break
    }
    found.push(...own)
  }
  return found.toSorted((one, other) => other.created_at - one.created_at).slice(0, limit)
}

/** Returns the tasks of all users if the caller may see them, otherwise the caller's tasks. */
export const listVisibleTasks = async (weir: WeirClient, filter: TasksAsked): Promise<TaskRow[]> =>
  loadTaskRows(weir, filter).catch((error: unknown) => {
    if (filter.own || !(error instanceof GatewayRefusal && error.code === 'access.forbidden')) throw error
    return loadTaskRows(weir, { ...filter, own: true })
  })

/** Returns the task by id. @throws Refusal if it does not exist */
export async function findRequiredTask(weir: WeirClient, id: string): Promise<TaskRow> {
  const [found] = await listVisibleTasks(weir, { own: false, limit: 1, id })
  if (found) return found
  const problem = fillTemplate(words('Task "{id}" not found: see `weir tasks`.'), { id })
  throw new GatewayRefusal(await explainToOrdinaryUser(weir, problem), 'task.missing')
}
