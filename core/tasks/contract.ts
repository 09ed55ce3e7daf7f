import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { filterNumber } from '../contract/filter.ts'
import { arrayQuery } from '../contract/page.ts'
import { words } from '../errors.ts'
import { taskFields } from './task-fields.data.ts'
import { TASK_ACTS } from './task-ends.ts'
import { Drawing } from './drawing.ts'
import { Task } from './task.ts'

const text = z.string().max(200).default('')

/** Pages count from 0, and have ten rows by default. */
const range = {
  ...arrayQuery,
  start_timestamp: filterNumber,
  end_timestamp: filterNumber,
  action: text,
  status: text,
  model: text,
}
const ownDrawings = { ...range, mj_id: text }
const ownTasks = { ...range, task_id: text, platform: text }
const everybodys = { channel_id: filterNumber, user_id: filterNumber }
const beside = z.object({ total: z.number() })

export const tasks = {
  drawings: endpoint({
    method: 'GET',
    path: '/api/mj/',
    access: 'admin',
    scope: 'read',
    summary: words('Drawings of everybody, newest first. Times in epoch milliseconds'),
    query: z.object({ ...ownDrawings, ...everybodys }),
    reply: z.array(Drawing),
    beside,
  }),
  drawingsSelf: endpoint({
    method: 'GET',
    path: '/api/mj/self',
    access: 'user',
    scope: 'read',
    summary: words('Drawings of the signed-in user, newest first. Times in epoch milliseconds'),
    query: z.object(ownDrawings),
    reply: z.array(Drawing.omit({ channel_id: true })),
    beside,
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
    row: Task,
    body: z.object(declareFields(taskFields, { id: z.number().int().positive(), action: z.enum(TASK_ACTS) })),
    reply: z.object({ status: z.string(), refunded: z.number() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/task/',
    access: 'admin',
    scope: 'read',
    summary: words('Tasks of everybody, newest first. Times in epoch seconds'),
    query: z.object({ ...ownTasks, ...everybodys }),
    reply: z.array(Task),
    beside,
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/task/self',
    access: 'user',
    scope: 'read',
    summary: words('Tasks of the signed-in user, newest first. Times in epoch seconds'),
    query: z.object(ownTasks),
    reply: z.array(Task.omit({ channel_id: true })),
    beside,
  }),
}
