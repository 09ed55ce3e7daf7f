// Drawings and tasks.
import { expect, test } from 'vitest'
import type { NewTask } from '../../core/tasks/task.ts'
import { describeWithStorage } from '../support/databases.ts'
import { newDrawing, newTask } from './samples.ts'

const everyTask = {
  ...{ channel_id: 0, start_timestamp: 0, end_timestamp: 0 },
  ...{ task_id: '', platform: '', action: '', status: '', model: '', drawings: false },
}
const everyDrawing = { ...everyTask, drawings: true }
const all = { offset: 0, limit: 10 }

describeWithStorage('the task store', (open) => {
  test('finds drawings by owner, channel, name and time, newest first', async () => {
    const { tasks } = await open()
    const rows: NewTask[] = [
      newDrawing({ mj_id: 'a', submit_time: 1_700_000_000_000 }),
      newDrawing({ mj_id: 'b', user_id: 2, action: 'UPSCALE', submit_time: 1_700_000_001_000 }),
      newDrawing({ mj_id: 'c', channel_id: 8, status: 'FAILURE', submit_time: 1_700_000_002_000 }),
    ]
    for (const row of rows) await tasks.add(row)
    const names = async (filter: object) =>
      (await tasks.list({ ...everyDrawing, ...filter }, all)).items.map(({ task_id }) => task_id)
    expect(await names({})).toEqual(['c', 'b', 'a'])
    expect(await names({ user_id: 1 })).toEqual(['c', 'a'])
    expect(await names({ channel_id: 8 })).toEqual(['c'])
    expect(await names({ task_id: 'b' })).toEqual(['b'])
    expect(await names({ task_id: '%' })).toEqual([])
    expect(await names({ start_timestamp: 1_700_000_001_000 })).toEqual(['c', 'b'])
    expect(await names({ end_timestamp: 1_700_000_001_000 })).toEqual(['b', 'a'])
    expect(await names({ action: 'UPSCALE' })).toEqual(['b'])
    expect(await names({ action: 'IMAGINE', status: 'FAILURE' })).toEqual(['c'])
    expect(await tasks.list({ ...everyDrawing, task_id: 'a' }, all)).toEqual({
      items: [{ id: expect.any(Number), ...rows[0] }],
      total: 1,
    })
    expect(await tasks.list(everyDrawing, { offset: 1, limit: 1 })).toMatchObject({
      items: [{ task_id: 'b' }],
      total: 3,
    })
  })

  test('finds tasks by owner, channel, kind, state and time, newest first', async () => {
    const { tasks } = await open()
    const rows: NewTask[] = [
      newTask({ task_id: 'a', submit_time: 100, data: '[{"title":"A weir"}]' }),
      newTask({ task_id: 'b', user_id: 2, action: 'LYRICS', submit_time: 200 }),
      newTask({ task_id: 'c', channel_id: 8, status: 'FAILURE', platform: 'other', submit_time: 300 }),
    ]
    for (const row of rows) await tasks.add(row)
    const names = async (filter: object) =>
      (await tasks.list({ ...everyTask, ...filter }, all)).items.map(({ task_id }) => task_id)
    expect(await names({})).toEqual(['c', 'b', 'a'])
    expect(await names({ user_id: 1 })).toEqual(['c', 'a'])
    expect(await names({ channel_id: 8 })).toEqual(['c'])
    expect(await names({ action: 'LYRICS' })).toEqual(['b'])
    expect(await names({ status: 'FAILURE' })).toEqual(['c'])
    expect(await names({ platform: 'suno' })).toEqual(['b', 'a'])
    expect(await names({ task_id: 'a' })).toEqual(['a'])
    expect(await names({ start_timestamp: 150, end_timestamp: 250 })).toEqual(['b'])
    expect(await tasks.list({ ...everyTask, task_id: 'a' }, all)).toEqual({
      items: [{ id: expect.any(Number), ...rows[0] }],
      total: 1,
    })
  })
})
