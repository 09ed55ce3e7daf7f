// A refund or a later charge of a task is counted in every sum that counted its charge: the account, the token, the
// channel, its budgets, and usage by time, when it happens and when rebuilt from the log.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { ask, looks, tasksOf } from './site.ts'
import { startVendor, type RunningVendor, type TaskCourse } from './vendor.ts'
import { playedArk } from './vendors/ark.ts'
import { playedSuno } from './vendors/suno.ts'

const PRICE = 50_000
const HOUR = 3600

describeWithGateway('the sums of tasks', (weir) => {
  let suno: RunningVendor
  let ark: RunningVendor
  beforeAll(async () => {
    ;[suno, ark] = await Promise.all([startVendor(playedSuno), startVendor(playedArk)])
  })
  afterAll(() => Promise.all([suno.close(), ark.close()]))

  const song = (ada: Caller, course: TaskCourse = 'done') => {
    suno.course(course)
    return ask(weir, ada, 'POST', '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
  }
  const film = (ada: Caller, seconds: number) =>
    ask(weir, ada, 'POST', '/api/v3/contents/generations/tasks', {
      ...{ model: 'doubao-seedance-2-0-260128', duration: seconds, content: [{ type: 'text', text: 'a ferry' }] },
    })

  /** As usage has it: by model. */
  async function usageOf({ user }: Caller, from: number, to: number): Promise<number> {
    const asked = { username: user.username, start_timestamp: from, end_timestamp: to }
    const rows = await weir.root.client.usage.hours(asked)
    return rows.reduce((sum, { quota }) => sum + quota, 0)
  }
  /** What its entries come to, but for what it was given at first. */
  async function entriesOf({ user }: Caller): Promise<number> {
    const { items } = await weir.root.client.quota.entries({ account_id: user.id, page_size: 100 })
    return items.filter(({ request_id }) => request_id !== null).reduce((sum, { amount }) => sum - amount, 0)
  }

  it('agree: usage with the entries, also when it is rebuilt', async () => {
    await weir.addChannel({ type: 36, base_url: suno.url, models: 'suno_music' })
    await weir.addChannel({ type: 45, base_url: ark.url, models: 'doubao-seedance-2-0-260128' })
    const ada = await weir.addCaller({ quota: 100_000_000 })
    await song(ada)
    await song(ada, 'fails')
    ark.course('done')
    expect((await film(ada, -1)).status).toBe(200)
    await looks(weir, ada, 9)
    await song(ada)
    await looks(weir, ada, 9)
    const [last] = await tasksOf(weir, ada)
    await weir.root.client.tasks.manage({ id: last!.id, action: 'refund' })
    const tasks = await tasksOf(weir, ada)
    expect(tasks).toHaveLength(4)
    const paid = tasks.reduce((sum, { quota, refunded }) => sum + quota - refunded, 0)
    expect(paid).toBeGreaterThan(PRICE)
    const now = Math.floor(Date.now() / 1000)
    await expect.poll(() => usageOf(ada, now - HOUR, now + HOUR)).toBe(paid)
    expect(await ada.balances()).toMatchObject({ used_quota: paid, token_used: paid, quota: 100_000_000 - paid })
    expect(await entriesOf(ada)).toBe(paid)

    // The same rows of the log, of hours that are over.
    const then = now - (now % HOUR) - 5 * HOUR
    const { logs } = weir.gateway.ports.storage
    const { items } = await logs.list({ user_id: ada.user.id }, { offset: 0, limit: 100 })
    await logs.insert(items.map(({ id, ...row }) => ({ ...row, created_at: then + (id % 60) })))
    for (let turn = 0; turn < 2; turn += 1) {
      await weir.root.client.usage.rebuild({ from: String(then), to: String(then + HOUR) })
      await eventually(
        () => weir.root.client.usage.rebuildProgress(),
        ({ running }) => !running,
      )
      expect(await usageOf(ada, then, then + HOUR - 1)).toBe(paid)
    }
  })

  it('agree: budgets of a token count no more what was given back', async () => {
    await weir.addChannel({ type: 36, base_url: suno.url, models: 'suno_music' })
    const ada = await weir.addCaller({ quota: 100_000_000, token: { budget_day: PRICE } })
    expect((await song(ada, 'fails')).status).toBe(200)
    expect((await song(ada)).status).toBe(429)
    await looks(weir, ada, 9)
    expect((await song(ada)).status).toBe(200)
    expect((await song(ada)).status).toBe(429)
    const { data } = await weir.root.client.tokens.ofUser({ user_id: ada.user.id })
    expect(data.find(({ id }) => id === ada.token.id)).toMatchObject({ budget_used_day: PRICE })
  })
})
