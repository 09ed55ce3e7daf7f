// A message of a provider, or of anyone else, at the callback address of a task is not trusted: it only triggers an
// earlier poll.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { ask, tasksOf } from './site.ts'
import { startVendor, type RunningVendor } from './vendor.ts'
import { playedSuno } from './vendors/suno.ts'

describeWithGateway('a callback', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => {
    vendor = await startVendor(playedSuno)
  })
  afterAll(() => vendor.close())

  async function submitted() {
    await weir.addChannel({ type: 36, base_url: vendor.url, models: 'suno_music' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    await ask(weir, ada, 'POST', '/suno/submit/music', { prompt: 'a ferry' })
    const [task] = await tasksOf(weir, ada)
    return { ada, task: task! }
  }
  const told = (key: string, body: object) => send('POST', `${weir.url}/tasks/notify/${key}`, { body })

  it('has its task looked at, and is believed in nothing', async () => {
    const { ada, task } = await submitted()
    const claim = { task_id: task.task_id, status: 'FAILURE', fail_reason: 'forged' }
    expect((await told(task.notify_key!, claim)).status).toBe(204)
    const [after] = await eventually(
      () => tasksOf(weir, ada),
      ([row]) => row!.polls > 0,
    )
    expect(after).toMatchObject({ finish_time: 0, refunded: 0, fail_reason: '' })
    expect(after!.status).not.toBe('FAILURE')
  })

  it.each(['forged0123456789forged0123456789', 'x'])(
    'at an address that is nobody’s (%s) changes nothing',
    async (key) => {
      const { ada, task } = await submitted()
      expect((await told(key, { task_id: task.task_id, status: 'SUCCESS' })).status).toBe(404)
      expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'NOT_START', polls: 0 }])
    },
  )

  it('that asks whether somebody listens hears its word again, before any task is known', async () => {
    const heard = await told('nobody0123456789nobody0123456789', { challenge: 'word-1' })
    expect([heard.status, heard.json]).toEqual([200, { challenge: 'word-1' }])
    for (const challenge of [7, 'x'.repeat(300)])
      expect((await told('nobody0123456789nobody0123456789', { challenge })).status).toBe(404)
  })

  it('stands at an address that no two tasks share and that nobody is shown', async () => {
    const { ada } = await submitted()
    await ask(weir, ada, 'POST', '/suno/submit/music', { prompt: 'another' })
    const rows = await tasksOf(weir, ada)
    const keys = rows.map(({ notify_key }) => notify_key)
    expect(new Set(keys).size).toBe(2)
    expect(keys.every((key) => key!.length >= 32)).toBe(true)
    const shown = JSON.stringify(await weir.root.client.tasks.list({ user_id: ada.user.id }))
    for (const key of keys) expect(shown).not.toContain(key)
  })
})
