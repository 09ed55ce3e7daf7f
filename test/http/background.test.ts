// `background: true`, with OpenAI's own client: an answer that nobody waits for, asked for by its id until it is there.
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'
import { makers } from '../support/makers/index.ts'
import { answering } from '../support/makers/maker.ts'
import { tasksOf } from '../tasks/site.ts'

type Response = OpenAI.Responses.Response

const AZURE = 3
const usage = { input_tokens: 30, output_tokens: 20, total_tokens: 50 }
const said = [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] }]
const answer = {
  id: 'resp_theirs_0123456789',
  object: 'response',
  status: 'completed',
  model: 'm',
  output: said,
  usage,
}

/** A provider that answers when it is let to. */
function held(weir: TestGateway, body: object = answer, status = 200) {
  let answerNow = () => undefined as void
  const gate = new Promise<void>((resolve) => (answerNow = resolve))
  weir.upstream.reply(async () => {
    await gate
    return { status, body }
  })
  return () => answerNow()
}

const begin = (weir: TestGateway, { openai }: Caller, more: object = {}) =>
  openai.responses.create({ model: weir.model, input: 'Hello', background: true, ...more }) as Promise<Response>

/** Asked for until it stands so. */
const until = (caller: Caller, id: string, status: string) =>
  expect.poll(async () => (await caller.openai.responses.retrieve(id)).status).toBe(status)

const refusal = (asked: Promise<unknown>) => asked.catch(({ status, message }) => ({ status, message }))

describeWithGateway('answers in the background', (weir) => {
  it('are told of by their id until they are there, and charged once as any other', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const release = held(weir)
    const begun = await begin(weir, ada, { metadata: { topic: 'ferries' } })
    expect(begun).toMatchObject({ status: 'queued', background: true, metadata: { topic: 'ferries' }, output: [] })
    expect(await ada.openai.responses.retrieve(begun.id)).toMatchObject({ id: begun.id, status: 'in_progress' })
    const [open] = await tasksOf(weir, ada)
    expect(open).toMatchObject({ platform: 'responses', status: 'IN_PROGRESS', prompt: '', asked: '' })
    release()
    await until(ada, begun.id, 'completed')
    const told = await ada.openai.responses.retrieve(begun.id)
    expect(told).toMatchObject({ id: begun.id, background: true, output_text: 'Done', usage })
    expect(weir.upstream.requests.map(({ json }) => json?.background)).toEqual([undefined])
    const [task] = await tasksOf(weir, ada)
    const { used_quota: used } = await ada.balances()
    expect(task).toMatchObject({ status: 'SUCCESS', quota: used, refunded: 0 })
    expect(used).toBeGreaterThan(0)
    const eve = await weir.addCaller({ quota: 1_000_000 })
    expect(await refusal(eve.openai.responses.retrieve(begun.id))).toMatchObject({ status: 404 })
    // A call in the ordinary way costs the same.
    weir.upstream.reply({ body: answer })
    await eve.openai.responses.create({ model: weir.model, input: 'Hello', metadata: { topic: 'ferries' } })
    expect((await eve.balances()).used_quota).toBe(used)
    // It is gone on with, listed and deleted like others.
    await ada.openai.responses.create({ model: weir.model, input: 'More', previous_response_id: begun.id })
    expect(JSON.stringify(weir.upstream.requests.at(-1)?.json?.input)).toContain('Done')
    expect((await ada.openai.responses.inputItems.list(begun.id)).data).toHaveLength(1)
    expect(await ada.openai.responses.cancel(begun.id)).toMatchObject({ status: 'completed' })
    await ada.openai.responses.delete(begun.id)
    expect(await refusal(ada.openai.responses.retrieve(begun.id))).toMatchObject({ status: 404 })
  })

  it('are made by channels of every format', async () => {
    const maker = makers[1]!
    await weir.addChannel({ type: maker.type, models: maker.model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(answering(maker, { thought: 'Greet.', text: 'Hello Ada' }))
    const begun = await begin(weir, ada, { model: maker.model })
    await until(ada, begun.id, 'completed')
    const told = await ada.openai.responses.retrieve(begun.id)
    expect(told).toMatchObject({ id: begun.id, output_text: 'Hello Ada', background: true })
  })

  it('are made by their provider where it makes them so, asked about until they are there and told when nobody waits', async () => {
    await weir.addChannel({ type: AZURE, setting: JSON.stringify({ hang_up: 'abort' }) })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const theirs = { id: 'resp_theirs', object: 'response', background: true }
    const turns = [{ status: 500, body: {} }, { body: { ...theirs, status: 'in_progress' } }, { body: answer }]
    weir.upstream.reply(({ method }) =>
      method === 'POST' ? { body: { ...theirs, status: 'queued' } } : (turns.shift() ?? { status: 500 }),
    )
    const begun = await begin(weir, ada)
    await expect
      .poll(async () => (await ada.openai.responses.retrieve(begun.id)).status, { timeout: 10_000 })
      .toBe('completed')
    expect(await ada.openai.responses.retrieve(begun.id)).toMatchObject({ id: begun.id, output_text: 'Done' })
    const [first, ...looks] = weir.upstream.requests
    expect(first?.json).toMatchObject({ background: true, input: 'Hello' })
    expect(looks.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(3).fill(`GET ${first?.path}/resp_theirs`),
    )
    const { used_quota } = await ada.balances()
    expect((await tasksOf(weir, ada))[0]).toMatchObject({ status: 'SUCCESS', quota: used_quota })
    expect(used_quota).toBeGreaterThan(0)
    const { id } = await begin(weir, ada)
    await expect.poll(() => weir.upstream.requests.at(-1)?.method).toBe('POST')
    expect((await ada.openai.responses.cancel(id)).status).toBe('cancelled')
    await expect.poll(() => weir.upstream.requests.at(-1)?.path).toBe(`${first?.path}/resp_theirs/cancel`)
    await expect.poll(async () => (await tasksOf(weir, ada))[0]?.status).toBe('FAILURE')
    expect((await ada.balances()).used_quota).toBe(used_quota)
  })

  it('cost nothing where their provider refuses', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    held(weir, { error: { message: 'No such thing', type: 'invalid_request_error' } }, 400)()
    const { id } = await begin(weir, ada)
    await until(ada, id, 'failed')
    const told = await ada.openai.responses.retrieve(id)
    expect(told.error).toMatchObject({ code: 'server_error', message: expect.stringContaining('No such thing') })
    expect((await tasksOf(weir, ada))[0]).toMatchObject({ status: 'FAILURE', quota: 0 })
    expect(await ada.balances()).toMatchObject({ quota: 1_000_000, used_quota: 0 })
  })

  it('are cancelled: their provider is told, as where a caller hangs up', async () => {
    await weir.addChannel({ setting: JSON.stringify({ hang_up: 'abort' }) })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    held(weir)
    const { id } = await begin(weir, ada)
    await expect.poll(() => weir.upstream.open).toBe(1)
    expect(await ada.openai.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' })
    await weir.upstream.idle()
    await expect.poll(async () => (await tasksOf(weir, ada))[0]?.status).toBe('FAILURE')
    expect(await ada.openai.responses.cancel(id)).toMatchObject({ status: 'cancelled' })
    expect(await ada.balances()).toMatchObject({ quota: 1_000_000, used_quota: 0 })
  })

  it('of a process that is gone fail when they come due, and are never charged', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const release = held(weir)
    const { id } = await begin(weir, ada)
    const [task] = await tasksOf(weir, ada)
    await weir.gateway.ports.storage.tasks.wake(task!.id)
    await weir.gateway.followTasks()
    expect(await ada.openai.responses.retrieve(id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('Nothing was charged') },
    })
    // It comes to its end all the same: too late.
    release()
    await weir.upstream.idle()
    await expect.poll(() => ada.balances()).toMatchObject({ quota: 1_000_000, used_quota: 0 })
    expect((await ada.openai.responses.retrieve(id)).status).toBe('failed')
    expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'FAILURE', quota: 0 }])
  })

  it('are refused at once where a call would be, and beyond the limit of open tasks', async () => {
    await weir.addChannel()
    const poor = await weir.addCaller({ quota: 0 })
    expect(await refusal(begin(weir, poor))).toMatchObject({ status: 403 })
    expect(await refusal(begin(weir, poor, { model: 'nobody-has-it' }))).toMatchObject({ status: 404 })
    expect(await refusal(begin(weir, poor, { store: false }))).toMatchObject({ status: 400 })
    expect(await tasksOf(weir, poor)).toEqual([])
    await weir.set('tasks.open_per_user', 1)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const release = held(weir)
    const { id } = await begin(weir, ada)
    expect(await refusal(begin(weir, ada))).toMatchObject({ status: 429 })
    release()
    await until(ada, id, 'completed')
    await weir.set('responses.keep_hours', 0)
    expect(await refusal(begin(weir, ada))).toMatchObject({
      status: 400,
      message: expect.stringContaining('background'),
    })
  })
})
