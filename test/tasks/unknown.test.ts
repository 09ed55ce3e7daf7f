// An unknown state of a task is shown as unknown, and does not end the task.
import { expect, it } from 'vitest'
import { jimengFilmTasks } from '../../core/dialects/tasks/jimeng.ts'
import { hailuoFilmTasks } from '../../core/dialects/tasks/minimax/hailuo.ts'
import { runwayFilmTasks } from '../../core/dialects/tasks/runway.ts'
import { viduFilmTasks } from '../../core/dialects/tasks/vidu.ts'
import { wanFilmTasks } from '../../core/dialects/tasks/wan.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { ask, looks } from './site.ts'

it.each([
  [jimengFilmTasks, { code: 10_000, data: { status: 'resting' } }],
  [hailuoFilmTasks, { task_id: 't', status: 'Resting' }],
  [runwayFilmTasks, { id: 't', status: 'RESTING' }],
  [viduFilmTasks, { id: 't', state: 'resting' }],
  [wanFilmTasks, { output: { task_id: 't', task_status: 'RESTING' } }],
])('$name reads it', (dialect, answer) => {
  expect(dialect.states(answer, ['t'])).toMatchObject([{ upstream_id: 't', status: 'UNKNOWN' }])
})

describeWithGateway('a word that nobody knows', (weir) => {
  it('is shown while it is said, goes by, and takes nothing back', async () => {
    await weir.addChannel({ type: 36, models: 'suno_music' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    let said = 'IN_PROGRESS'
    const answer = () => ({ code: 'success', data: [{ task_id: 't-1', status: said, progress: '40%' }] })
    weir.upstream.reply(({ path }) => ({
      body: path.includes('/submit/') ? { code: 'success', data: 't-1' } : answer(),
    }))
    await ask(weir, ada, 'POST', '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
    const after = async (word: string) => {
      said = word
      const [task] = await looks(weir, ada, 1)
      return { status: task?.status, progress: task?.progress }
    }
    expect(await after('IN_PROGRESS')).toEqual({ status: 'IN_PROGRESS', progress: '40%' })
    expect(await after('RESTING')).toEqual({ status: 'UNKNOWN', progress: '40%' })
    expect((await ask(weir, ada, 'GET', '/suno/fetch/t-1')).json.data.status).toBe('UNKNOWN')
    expect(await after('SUBMITTED')).toEqual({ status: 'UNKNOWN', progress: '40%' })
    expect(await after('IN_PROGRESS')).toEqual({ status: 'IN_PROGRESS', progress: '40%' })
    expect(await after('RESTING')).toMatchObject({ status: 'UNKNOWN' })
    expect(await after('SUCCESS')).toEqual({ status: 'SUCCESS', progress: '100%' })
    expect((await ada.balances()).used_quota).toBe(50_000)
  })
})
