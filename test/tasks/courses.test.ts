// What becomes of tasks, whatever their provider does: what their caller sees, what is charged and given back.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeBothGateways } from '../support/gateway.ts'
import { ask, looks, tasksOf } from './site.ts'
import { startVendor, type RunningVendor, type TaskCourse } from './vendor.ts'
import { playedSuno } from './vendors/suno.ts'

const PRICE = 50_000

describeBothGateways('tasks of Suno', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => {
    vendor = await startVendor(playedSuno)
  })
  afterAll(() => vendor.close())

  async function submitted(course: TaskCourse) {
    vendor.course(course)
    await weir.addChannel({ type: 36, base_url: vendor.url, models: 'suno_music,suno_lyrics' })
    const ada = await weir.addCaller({ quota: 10 * PRICE })
    const answer = await ask(weir, ada, 'POST', '/suno/submit/music', { gpt_description_prompt: 'a ferry at night' })
    expect(answer.status, answer.text).toBe(200)
    return { ada, id: answer.json.data as string }
  }

  it('are charged when they are taken, and told of until they are done', async () => {
    const { ada, id } = await submitted('done')
    expect(await ada.balances()).toMatchObject({ quota: 9 * PRICE, used_quota: PRICE, token_used: PRICE })
    const fetched = async () => (await ask(weir, ada, 'GET', `/suno/fetch/${id}`)).json.data
    expect(await fetched()).toMatchObject({ task_id: id, action: 'MUSIC', status: 'NOT_START', progress: '0%' })
    await looks(weir, ada, 2)
    expect(await fetched()).toMatchObject({ status: 'IN_PROGRESS', progress: '30%' })
    await looks(weir, ada, 9)
    expect(await fetched()).toMatchObject({ status: 'SUCCESS', progress: '100%', data: [{ title: 'Night ferry' }] })
    expect(await ada.balances()).toMatchObject({ quota: 9 * PRICE, used_quota: PRICE, token_used: PRICE })
    expect((await ask(weir, ada, 'POST', '/suno/fetch', { ids: [id, 'other'] })).json.data).toHaveLength(1)
  })

  it.each(['fails'] as const)('that end as %s are given back whole, once', async (course) => {
    const { ada } = await submitted(course)
    await looks(weir, ada, 9)
    const [task] = await tasksOf(weir, ada)
    expect(task).toMatchObject({ status: 'FAILURE', progress: '100%', quota: PRICE, refunded: PRICE })
    expect(await ada.balances()).toMatchObject({ quota: 10 * PRICE, used_quota: 0, token_used: 0 })
  })
})
