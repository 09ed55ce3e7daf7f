// Calls that Weir refuses leave a row in the log: with its reason, found by the request id, and counted like failed calls.
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { parseCallDetail } from '../../core/calls/detail.ts'
import { parseRefusedRow } from '../../core/usage/counted-call.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { send, type HttpAnswer } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const quota = 1_000_000
const UNPRICED = 'a-model-without-a-price'

type Refusing = (weir: TestGateway) => Promise<{ caller: Caller; call(): Promise<HttpAnswer>; model?: string }>

const withToken =
  (fields: NonNullable<Parameters<TestGateway['addCaller']>[0]>['token'], given = quota): Refusing =>
  async (weir) => {
    const caller = await weir.addCaller({ quota: given, token: fields })
    return { caller, call: () => caller.chat() }
  }

/** Each reason, and a call that is refused for it. */
const REFUSALS: Record<string, Refusing> = {
  'model.missing': async (weir) => {
    const caller = await weir.addCaller({ quota })
    return { caller, call: () => caller.chat({ model: 'nobody-has-it', stream: true }), model: 'nobody-has-it' }
  },
  'model.no_price': async (weir) => {
    await weir.addChannel({ models: UNPRICED })
    const caller = await weir.addCaller({ quota })
    return { caller, call: () => caller.chat({ model: UNPRICED }), model: UNPRICED }
  },
  'quota.insufficient': withToken({}, 0),
  'quota.token_insufficient': withToken({ remain_quota: 1 }),
  'key.exhausted': withToken({ remain_quota: 0 }),
  'budget.day': withToken({ budget_day: 1 }),
  'model.not_allowed': withToken({ model_limits_enabled: true, model_limits: 'another' }),
  'key.address': withToken({ allow_ips: '203.0.113.9' }),
  'key.expired': withToken({ expired_time: 1_000_000 }),
  'limit.requests': async (weir) => {
    const caller = await weir.addCaller({ quota, token: { requests_per_minute: 1 } })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    await caller.chat()
    return { caller, call: () => caller.chat() }
  },
  'key.disabled': async (weir) => {
    const caller = await weir.addCaller({ quota })
    const visitor = weir.visitor()
    await visitor.login(caller.user.username, caller.password)
    await visitor.client.tokens.update({ id: caller.token.id, status: 2, status_only: 'true' })
    return { caller, call: () => caller.chat() }
  },
  'access.banned': async (weir) => {
    const caller = await weir.addCaller({ quota, patch: { status: 2 } })
    return { caller, call: () => caller.chat() }
  },
  'request.invalid': async (weir) => {
    const caller = await weir.addCaller({ quota })
    return { caller, call: () => caller.chat({ messages: 'none' }) }
  },
}

const idOf = ({ headers }: HttpAnswer) => String(headers['x-request-id'])
const refusal = (row: LogEntry | null | undefined) => parseCallDetail(row?.other ?? '').refused

describeWithGateway('a refused call', (weir) => {
  const chat = (caller: Caller, model: string) => caller.chat({ model })

  const rowsOf = async ({ user: { username } }: Caller) =>
    (await weir.root.client.logs.list({ username, type: 5, page_size: 100 })).items

  it('leaves a row with its reason, which its request id leads to', async () => {
    await weir.addChannel()
    const wrong = await listFailures(
      Object.entries(REFUSALS),
      ([reason]) => reason,
      async ([reason, prepare]) => {
        const { caller, call, model = weir.model } = await prepare(weir)
        const before = await caller.balances()
        const answer = await call()
        expect(answer.status).toBeGreaterThanOrEqual(400)
        const request_id = idOf(answer)
        const { client } = weir.root
        const { items } = await client.logs.list({ request_id })
        expect(items).toHaveLength(1)
        expect(items[0]).toMatchObject({
          ...{ type: 5, model_name: model, user_id: caller.user.id, token_id: caller.token.id, quota: 0, channel: 0 },
          ...{ username: caller.user.username, token_name: caller.token.name, group: 'default', operation: 'chat' },
        })
        expect(answer.json.error.message).toContain(items[0]!.content)
        expect(refusal(items[0])).toEqual({ reason, calls: 1, joined: 0, request_ids: [request_id] })
        expect((await client.logs.explain({ request_id })).log?.id).toBe(items[0]!.id)
        expect(await caller.balances()).toEqual(before)
      },
    )
    expect(wrong).toEqual([])
    expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
  })

  it('leaves a row at every address that takes calls', async () => {
    const model = 'not-there'
    const messages = [{ role: 'user', content: 'Hello' }]
    const contents = [{ parts: [{ text: 'Hello' }] }]
    const addresses: Record<string, { body: object; operation?: string }> = {
      '/v1/chat/completions': { body: { model, messages } },
      '/v1/completions': { body: { model, prompt: 'Hello' } },
      '/v1/responses': { body: { model, input: 'Hello' } },
      '/v1/messages': { body: { model, max_tokens: 5, messages } },
      '/v1/messages/count_tokens': { body: { model, messages } },
      [`/v1beta/models/${model}:generateContent`]: { body: { contents } },
      [`/v1beta/models/${model}:streamGenerateContent`]: { body: { contents } },
      [`/v1beta/models/${model}:countTokens`]: { body: { contents } },
      '/v1/embeddings': { body: { model, input: 'Hello' }, operation: 'embeddings' },
      '/v1/moderations': { body: { model, input: 'Hello' }, operation: 'moderation' },
      '/v1/rerank': { body: { model, query: 'a', documents: ['b'] }, operation: 'rerank' },
      '/v1/images/generations': { body: { model, prompt: 'a cat' }, operation: 'images' },
      '/v1/audio/speech': { body: { model, input: 'a', voice: 'alloy' }, operation: 'speech' },
      '/v1/videos': { body: { model, prompt: 'a cat' }, operation: 'video' },
    }
    const wrong = await listFailures(
      Object.entries(addresses),
      ([path]) => path,
      async ([path, { body, operation = 'chat' }]) => {
        // A token of its own for each address: calls of one token share a row, which keeps the first one's operation.
        const ada = await weir.addCaller({ quota })
        const headers = { authorization: `Bearer ${ada.key}` }
        const answer = await send('POST', weir.url + path, { headers, body })
        expect(answer.status).toBe(404)
        const { items } = await weir.root.client.logs.list({ request_id: idOf(answer) })
        expect(items).toMatchObject([{ type: 5, model_name: model, operation }])
        expect(refusal(items[0])?.reason).toBe('model.missing')
        expect(await rowsOf(ada)).toHaveLength(1)
      },
    )
    expect(wrong).toEqual([])
  })

  it('leaves a row where a session or a WebSocket asks', async () => {
    const ada = await weir.addCaller({ quota })
    const own = weir.visitor()
    await own.login(ada.user.username, ada.password)
    const body = { model: 'not-there', messages: [{ role: 'user', content: 'Hello' }] }
    const played = await own.send('POST', '/pg/chat/completions', { body })
    expect(played.status).toBe(404)
    const headers = { authorization: `Bearer ${ada.key}` }
    const socket = new WebSocket(`${weir.url.replace('http', 'ws')}/v1/realtime?model=not-there`, { headers })
    const request_id = await new Promise<string>((resolve, reject) => {
      socket.on('unexpected-response', (request, response) => {
        resolve(String(response.headers['x-request-id']))
        request.destroy()
      })
      socket.on('open', () => reject(new Error('it was accepted')))
      socket.on('error', () => undefined)
    })
    const { list } = weir.root.client.logs
    const model_name = 'not-there'
    expect((await list({ request_id: idOf(played) })).items).toMatchObject([{ token_id: 0, model_name }])
    expect((await list({ request_id })).items).toMatchObject([
      { token_id: ada.token.id, model_name, operation: 'realtime' },
    ])
  })

  it('is counted again when usage is rebuilt from its row', async () => {
    const ada = await weir.addCaller({ quota })
    for (let n = 0; n < 3; n++) await chat(ada, 'not-there')
    const counted = (await rowsOf(ada)).map((row) => parseRefusedRow(row))
    expect(counted.reduce((sum, each) => sum + (each?.calls ?? 0), 0)).toBe(3)
    expect(counted[0]).toMatchObject({
      model_name: 'not-there',
      error: 'refused',
      token_id: ada.token.id,
      channel_id: 0,
    })
  })

  it('shares a row with others of its token, model, reason and minute, and each id leads to it', async () => {
    const ada = await weir.addCaller({ quota })
    const answers = await Promise.all(Array.from({ length: 30 }, () => chat(ada, 'not-there')))
    const rows = await rowsOf(ada)
    // The minute may end in between.
    expect(rows.length).toBeLessThanOrEqual(2)
    expect(rows.map((row) => refusal(row)?.calls ?? 0).reduce((sum, calls) => sum + calls)).toBe(30)
    const kept = new Set(rows.flatMap((row) => refusal(row)?.request_ids ?? []))
    expect(kept.size).toBe(rows.length === 1 ? 20 : kept.size)
    const own = weir.visitor()
    await own.login(ada.user.username, ada.password)
    const wrong = await listFailures(
      answers.map(idOf).filter((id) => kept.has(id)),
      (id) => id,
      async (request_id) => {
        expect((await own.client.logs.explainSelf({ request_id })).log?.model_name).toBe('not-there')
        expect((await own.client.logs.listSelf({ request_id })).items).toHaveLength(1)
        const file = await own.send('GET', `/api/log/self/export?format=jsonl&request_id=${request_id}`)
        expect(file.text.trim().split('\n')).toHaveLength(1)
      },
    )
    expect(wrong).toEqual([])
    const eve = await weir.addVisitor()
    const found = await eve.send('GET', `/api/log/self/explain/${idOf(answers[0]!)}`)
    expect(found.json.code).toBe('log.missing')
    expect((await eve.client.logs.listSelf({ request_id: idOf(answers[0]!) })).items).toEqual([])
  })

  it('makes at most ten rows a minute: the rest join the last', async () => {
    const ada = await weir.addCaller({ quota })
    for (let n = 0; n < 25; n++) await chat(ada, `not-there-${n}`)
    const rows = await rowsOf(ada)
    const minutes = new Map<number, LogEntry[]>()
    for (const row of rows) {
      const minute = Math.floor(row.created_at / 60)
      minutes.set(minute, [...(minutes.get(minute) ?? []), row])
    }
    for (const own of minutes.values()) expect(own.length).toBeLessThanOrEqual(10)
    expect(rows.reduce((sum, row) => sum + (refusal(row)?.calls ?? 0), 0)).toBe(25)
  })

  it('counts in error rates, in models without a price, and in attention', async () => {
    const model = 'another-model-without-a-price'
    await weir.addChannel({ models: model })
    const ada = await weir.addCaller({ quota })
    for (let n = 0; n < 6; n++) await chat(ada, model)
    await chat(ada, 'not-there')
    const own = weir.visitor()
    await own.login(ada.user.username, ada.password)
    const now = Math.floor(Date.now() / 1000)
    const span = { start_timestamp: now - 3600, end_timestamp: now + 3600 }
    const { rows } = await weir.root.client.usage.query({ ...span, by: 'model', user: ada.user.username })
    expect(rows.map(({ model_name, calls, failed, errors }) => [model_name, calls, failed, errors.no_price])).toEqual([
      [model, 6, 6, 6],
      ['not-there', 1, 1, 0],
    ])
    expect(rows[1]?.errors.refused).toBe(1)
    const missing = await weir.root.client.prices.missing()
    expect(missing.find((row) => row.model === model)).toMatchObject({ calls: 6, users: 1, charged: 0 })
    expect(missing.some((row) => row.model === 'not-there')).toBe(false)
    const price = { model_ratio: 1, completion_ratio: 2 }
    const preview = await weir.root.client.prices.preview({ changes: [{ model, price }] })
    expect(preview.data.find((row) => row.model === model)).toMatchObject({ calls: 6, users: 1, would_charge: 0 })
    const found = await weir.root.client.attention.list()
    expect(found).toContainEqual(expect.objectContaining({ kind: 'no_price', name: model, calls: 6 }))
    expect(await own.client.attention.list()).toContainEqual(
      expect.objectContaining({ kind: 'own_errors', failed: 7, tried: 7 }),
    )
  })

  it('leaves no row without a known key, nor if the log is off', async () => {
    const before = (await weir.root.client.logs.list({ type: 5, page_size: 1 })).total
    const answer = await send('POST', `${weir.url}/v1/chat/completions`, {
      headers: { authorization: 'Bearer sk-unknown' },
      body: { model: weir.model, messages: [] },
    })
    expect(answer.status).toBe(401)
    await weir.set('LogConsumeEnabled', false)
    const ada = await weir.addCaller({ quota })
    const refused = await chat(ada, 'not-there')
    for (const request_id of [idOf(answer), idOf(refused)])
      expect((await weir.root.client.logs.list({ request_id })).items).toEqual([])
    expect((await weir.root.client.logs.list({ type: 5, page_size: 1 })).total).toBe(before)
  })
})
