// The actions of administrators on tasks: cancel, refund, submit again.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { ask, looks, tasksOf } from './site.ts'
import { startVendor, type RunningVendor, type TaskCourse } from './vendor.ts'
import { playedSuno } from './vendors/suno.ts'

const PRICE = 50_000

describeWithGateway('a task that an administrator sees to', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => {
    vendor = await startVendor(playedSuno)
  })
  afterAll(() => vendor.close())

  async function submitted(course: TaskCourse) {
    vendor.course(course)
    await weir.addChannel({ type: 36, base_url: vendor.url, models: 'suno_music' })
    const ada = await weir.addCaller({ quota: 10 * PRICE })
    await ask(weir, ada, 'POST', '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
    const [task] = await tasksOf(weir, ada)
    return { ada, id: task!.id }
  }
  const isClean = async () => expect(await weir.gateway.ports.storage.ledger.faults()).toEqual([])

  it('ends, and is given back, once', async () => {
    const { ada, id } = await submitted('never')
    await looks(weir, ada, 2)
    const told = await weir.root.client.tasks.manage({ id, action: 'cancel' })
    expect(told).toEqual({ status: 'FAILURE', refunded: PRICE })
    expect(await ada.balances()).toMatchObject({ quota: 10 * PRICE, used_quota: 0, token_used: 0 })
    await expect(weir.root.client.tasks.manage({ id, action: 'cancel' })).rejects.toMatchObject({ code: 'task.over' })
    await expect(weir.root.client.tasks.manage({ id, action: 'refund' })).rejects.toMatchObject({
      code: 'task.refunded',
    })
    const [task] = await tasksOf(weir, ada)
    expect(task).toMatchObject({ fail_reason: 'cancelled by root', due_at: null })
    const bill = await weir.root.client.logs.explain({ request_id: task!.request_id })
    expect(bill).toMatchObject({ quota: PRICE, entry: { kind: 'charge' }, log: { model_name: 'suno_music' } })
    expect(bill.followed).toMatchObject([
      { kind: 'refund', amount: PRICE, reference: `task ${id}`, token_id: ada.token.id },
    ])
    await isClean()
  })

  it('is given back although it is done, once', async () => {
    const { ada, id } = await submitted('done')
    await expect(weir.root.client.tasks.manage({ id, action: 'refund' })).rejects.toMatchObject({ code: 'task.open' })
    await looks(weir, ada, 9)
    const both = await Promise.allSettled([1, 2].map(() => weir.root.client.tasks.manage({ id, action: 'refund' })))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await ada.balances()).toMatchObject({ quota: 10 * PRICE, used_quota: 0 })
    expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'SUCCESS', refunded: PRICE }])
    await isClean()
  })

  it('is given back to who asked where it is of a release that kept no account', async () => {
    const { ada, id } = await submitted('done')
    await looks(weir, ada, 9)
    const { tasks } = weir.gateway.ports.storage
    const { id: _, ...task } = (await tasks.find(id))!
    await tasks.add({ ...task, task_id: `${task.task_id}-old`, account_id: 0, notify_key: null, request_id: '' })
    const old = (await tasksOf(weir, ada)).find(({ task_id }) => task_id.endsWith('-old'))!
    const told = await weir.root.client.tasks.manage({ id: old.id, action: 'refund' })
    expect(told).toMatchObject({ refunded: PRICE })
    expect(await ada.balances()).toMatchObject({ quota: 10 * PRICE })
    await isClean()
  })

  it('is submitted again for the same user and token, and charged as a new one', async () => {
    const { ada, id } = await submitted('fails')
    await looks(weir, ada, 9)
    vendor.course('done')
    await weir.root.client.tasks.manage({ id, action: 'retry' })
    expect(await tasksOf(weir, ada)).toMatchObject([
      { status: 'NOT_START', token_id: ada.token.id, prompt: 'a ferry', quota: PRICE },
      { status: 'FAILURE' },
    ])
    expect(await ada.balances()).toMatchObject({ quota: 9 * PRICE, used_quota: PRICE, token_used: PRICE })
    await isClean()
  })

  it('is recorded with who did it, and is nobody else’s to see to', async () => {
    const { ada, id } = await submitted('fails')
    await looks(weir, ada, 9)
    await weir.root.client.tasks.manage({ id, action: 'retry' })
    const [again] = await tasksOf(weir, ada)
    await weir.root.client.tasks.manage({ id: again!.id, action: 'cancel' })
    const done = await submitted('done')
    await looks(weir, done.ada, 9)
    await weir.root.client.tasks.manage({ id: done.id, action: 'refund' })
    for (const [action, before] of [
      ['retry', 'FAILURE'],
      ['cancel', 'NOT_START'],
      ['refund', 'SUCCESS'],
    ] as const) {
      const { items } = await weir.root.client.audit.list({ action: `task.${action}` })
      expect(items[0], action).toMatchObject({ username: 'root', before })
    }
    const bob = await weir.addVisitor()
    await expect(bob.client.tasks.manage({ id, action: 'refund' })).rejects.toMatchObject({ code: 'access.forbidden' })
  })

  it('is one of no more than a user may have open', async () => {
    await weir.set('tasks.open_per_user', 2)
    const { ada } = await submitted('never')
    const more = await Promise.all(
      [1, 2, 3].map(() => ask(weir, ada, 'POST', '/suno/submit/music', { gpt_description_prompt: 'a ferry' })),
    )
    expect(more.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    expect(await tasksOf(weir, ada)).toHaveLength(2)
    expect(await ada.balances()).toMatchObject({ quota: 8 * PRICE })
  })
})
