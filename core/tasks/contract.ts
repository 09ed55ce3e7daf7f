import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { filterByNumber } from '../contract/filter.ts'
import { arrayQueryFields } from '../contract/page.ts'
import { words } from '../errors.ts'
import { taskFields } from './task-fields.data.ts'
import { TASK_ADMIN_ACTIONS } from './task-ends.ts'
import { DrawingTask } from './drawing.ts'
import { ListedTask } from './task.ts'

const text = z.string().max(200).default('')

/** Pages count from 0, and have ten rows by default. */
const range = {
  ...arrayQueryFields,
  start_timestamp: filterByNumber,
  end_timestamp: filterByNumber,
  action: text,
  status: text,
  model: text,
}
const ownDrawings = { ...range, mj_id: text }
const ownTasks = { ...range, task_id: text, platform: text }
const everybodys = { channel_id: filterByNumber, user_id: filterByNumber }
const replyFields = z.object({ total: z.number() })

export const tasksContract = {
  drawings: endpoint({
    method: 'GET',
    path: '/api/mj/',
    access: 'admin',
    scope: 'read',
    summary: words('Drawings of all users, newest first. Times in epoch milliseconds'),
    query: z.object({ ...ownDrawings, ...everybodys }),
    reply: z.array(DrawingTask),
    replyFields,
  }),
  drawingsSelf: endpoint({
    method: 'GET',
    path: '/api/mj/self',
    access: 'user',
    scope: 'read',
    summary: words('Drawings of the signed-in user, newest first. Times in epoch milliseconds'),
    query: z.object(ownDrawings),
    reply: z.array(DrawingTask.omit({ channel_id: true })),
    replyFields,
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/task/manage',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Cancel an open task, give back what one cost, or submit again what was submitted for one: gives how it stands then',
    ),
    row: ListedTask,
    body: z.object(
      declareShapeFields(taskFields, { id: z.number().int().positive(), action: z.enum(TASK_ADMIN_ACTIONS) }),
    ),
    reply: z.object({ status: z.string(), refunded: z.number() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/task/',
    access: 'admin',
    scope: 'read',
    summary: words('Tasks of all users, newest first. Times in epoch seconds'),
    query: z.object({ ...ownTasks, ...everybodys }),
    reply: z.array(ListedTask),
    replyFields,
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/task/self',
    access: 'user',
    scope: 'read',
    summary: words('Tasks of the signed-in user, newest first. Times in epoch seconds'),
    query: z.object(ownTasks),
    reply: z.array(ListedTask.omit({ channel_id: true })),
    replyFields,
  }),
}
