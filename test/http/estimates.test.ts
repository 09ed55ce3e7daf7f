// The cost of a call before it is made: at least and at most, for every format, without asking a provider.
import { expect, it } from 'vitest'
import { ESTIMATE_PREFIX } from '../../http/relay-route.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, MODEL } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { listFailures } from '../support/list-failures.ts'
import { send } from '../support/server.ts'
import { chatPaths, LONGEST, shortCall } from '../support/short-calls.ts'
import { chatReply } from '../support/upstream.ts'

const BODY = shortCall('/v1/chat/completions', MODEL)
const paths = chatPaths(MODEL)

describeWithGateway('the estimate of a call', (weir) => {
  const ask = ({ key }: Caller, path: string, body: object = shortCall(path, MODEL)) =>
    send('POST', weir.url + path, { headers: { authorization: `Bearer ${key}` }, body })
  const estimate = async (caller: Caller, path: string, body?: object): Promise<Json> => {
    const { status, json } = await ask(caller, ESTIMATE_PREFIX + path, body)
    expect(status, JSON.stringify(json)).toBe(200)
    return json
  }

  it('has room for every charge that its call can come to, in every format', async () => {
    // Of a provider that speaks Chat alone, whatever its callers speak.
    await weir.addChannel({ type: 42 })
    await weir.set('CacheRatio', { [MODEL]: 0.25 })
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    const prices: [string, Record<string, number>][] = [
      ['ModelRatio', { [MODEL]: 40 }],
      ['ModelPrice', { [MODEL]: 0.02 }],
    ]
    for (const [key, table] of prices) {
      await weir.set(key, table)
      const wrong = await listFailures(
        paths.filter((path) => !path.includes('stream')),
        (path) => `${key} ${path}`,
        async (path) => {
          weir.upstream.requests.length = 0
          const { least, most, prompt_tokens, model, group } = await estimate(ada, path)
          expect(weir.upstream.requests).toEqual([])
          expect([model, group]).toEqual([MODEL, 'default'])
          for (const [cached, completion] of [
            [0, 1],
            [prompt_tokens, 1],
            [0, LONGEST],
          ]) {
            const usage = {
              prompt_tokens,
              completion_tokens: completion,
              prompt_tokens_details: { cached_tokens: cached },
            }
            weir.upstream.reply(chatReply('Hello', usage as Parameters<typeof chatReply>[1]))
            const { status, headers } = await ask(ada, path)
            expect(status).toBe(200)
            const charge = Number(headers['x-weir-charge'])
            expect(charge).toBeGreaterThanOrEqual(least.quota)
            expect(charge).toBeLessThanOrEqual(most.quota)
          }
          expect(least.usd).toBe(least.quota / weir.gateway.settings().QuotaPerUnit)
          if (key === 'ModelPrice') expect(least).toEqual(most)
        },
      )
      expect(wrong).toEqual([])
    }
  })

  it('is told of streams, embeddings and pictures', async () => {
    const models = ['text-embedding-3-small', 'dall-e-3']
    await weir.addChannel({ models: [MODEL, ...models].join() })
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    for (const path of paths.filter((each) => each.includes('stream')))
      expect((await estimate(ada, path)).most.quota).toBeGreaterThan(0)
    const embedding = await estimate(ada, '/v1/embeddings', { model: models[0], input: 'word '.repeat(5000) })
    expect(embedding.least.quota).toBeGreaterThan(0)
    expect(embedding.most.quota).toBeGreaterThanOrEqual(embedding.least.quota)
    const one = await estimate(ada, '/v1/images/generations', { model: models[1], prompt: 'a weir', n: 1 })
    expect(one.price.kind).toBe('per_call')
    expect(one.least).toEqual(one.most)
  })

  it('needs a key and no balance, leaves no row, and counts as a request', async () => {
    await weir.addChannel()
    const poor = await weir.addCaller({ quota: 0, token: { requests_per_minute: 2 } })
    const before = await poor.balances()
    for (let turn = 0; turn < 2; turn++) expect((await estimate(poor, '/v1/chat/completions')).least).toBeDefined()
    const third = await ask(poor, `${ESTIMATE_PREFIX}/v1/messages`)
    expect([third.status, third.json.type]).toEqual([429, 'error'])
    expect(await poor.balances()).toEqual(before)
    expect(await poor.logs()).toEqual([])
    expect((await send('POST', `${weir.url}${ESTIMATE_PREFIX}/v1/chat/completions`, { body: BODY })).status).toBe(401)
  })

  it('names channels to administrators, and only counts them for others', async () => {
    const first = await weir.addChannel({ name: 'first', priority: 9 })
    const second = await weir.addChannel({ name: 'second' })
    const ada = await weir.addCaller({ quota: 0 })
    const ids = [first.id, second.id]
    const { channels } = await estimate(ada, '/v1/chat/completions')
    expect(channels).toEqual(ids.map((id, at) => ({ id, priority: at === 0 ? 9 : 0 })))
    const admin = await weir.addCaller({ quota: 0, patch: { role: 10 } })
    const seen = await estimate(admin, '/v1/chat/completions')
    expect(seen.channels.map(({ name }: { name: string }) => name)).toEqual(['first', 'second'])
  })

  it('has no upper bound where tools at the provider may add to it', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 0 })
    const body = { ...shortCall('/v1/responses', MODEL), tools: [{ type: 'web_search' }] }
    expect((await estimate(ada, '/v1/responses', body)).most).toBeNull()
  })

  it('is refused as its call is, and only for calls', async () => {
    await weir.addChannel({ models: 'a-model-without-a-price' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const body = { ...BODY, model: 'a-model-without-a-price' }
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const [told, called] = [await ask(ada, ESTIMATE_PREFIX + path, body), await ask(ada, path, body)]
      expect(told.status).toBe(called.status)
      expect(Object.keys(told.json)).toEqual(Object.keys(called.json))
    }
    for (const path of ['/v1/models', '/v1/nothing', '/v1/messages/count_tokens', '/v1/estimate/v1/messages', ''])
      expect((await ask(ada, `${ESTIMATE_PREFIX}${path}`)).status).toBe(404)
    const read = await send('GET', `${weir.url}${ESTIMATE_PREFIX}/v1/messages`)
    expect([read.status, read.headers.allow]).toEqual([405, 'POST, OPTIONS'])
  })
})
