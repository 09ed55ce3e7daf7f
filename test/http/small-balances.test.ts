// People with little left: who can pay the most that a call can come to is served, whatever more was to be held.
import { expect, it } from 'vitest'
import { CALL_PATHS } from '../../http/relay-paths.ts'
import { geminiGenerate } from '../../core/index.ts'
import { callerFormats } from '../support/formats.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const quota = 100
const pathOf = (name: string, model: string) =>
  name === geminiGenerate.name
    ? `/v1beta/models/${model}:generateContent`
    : Object.entries(CALL_PATHS).find(([, dialect]) => dialect.name === name)![0]

describeWithGateway('a small balance', (weir) => {
  const ask = ({ key }: Caller, path: string, body: object) =>
    send('POST', weir.url + path, { headers: { authorization: `Bearer ${key}` }, body })
  const opened = async (ModelRatio = { [weir.model]: 1 }) => {
    await weir.set('ModelRatio', ModelRatio)
    await weir.addChannel({ models: Object.keys(ModelRatio).join(',') })
    const { body } = chatReply('Hello', { prompt_tokens: 9, completion_tokens: 3 })
    // Callers of Responses read the same body, in which their answer has ended.
    weir.upstream.reply({ body: { ...(body as object), status: 'completed' } })
  }
  const request = (max_tokens: number) => ({
    ...{ dialect: 'test', model: weir.model, stream: false, max_tokens, extra: {} },
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }],
  })

  it('pays for what it can pay at most, and for nothing that may cost more, in every format', async () => {
    await opened()
    const poor = await weir.addCaller({ quota })
    const wrong = await listFailures(
      callerFormats,
      ({ name }) => name,
      async (dialect) => {
        const asked = (caller: Caller, max_tokens: number) => {
          const body: object = JSON.parse(new TextDecoder().decode(dialect.writeModelRequest(request(max_tokens)).body))
          return ask(caller, pathOf(dialect.name, weir.model), body)
        }
        const ada = await weir.addCaller({ quota })
        const served = await asked(ada, 10)
        expect(served.status, JSON.stringify(served.json)).toBe(200)
        expect((await ada.balances()).quota).toBe(quota - weir.due({ prompt: 9, completion: 3 }))
        expect((await asked(poor, 1000)).status).toBe(403)
        expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
      },
    )
    expect(wrong).toEqual([])
  })

  it('of a token is one too', async () => {
    await opened()
    const ada = await weir.addCaller({ quota: 1_000_000, token: { remain_quota: quota } })
    expect((await ada.chat({ max_tokens: 10 })).status).toBe(200)
    expect((await ada.chat({ max_tokens: 1000 })).status).toBe(403)
  })

  it('holds every answer that is asked for', async () => {
    await opened()
    const ada = await weir.addCaller({ quota })
    expect((await ada.chat({ max_tokens: 10, n: 20 })).status).toBe(403)
    expect((await ada.chat({ max_tokens: 10, n: 2 })).status).toBe(200)
  })

  it('does not pay for tools that nothing bounds', async () => {
    await opened()
    const ada = await weir.addCaller({ quota })
    expect((await ada.chat({ max_tokens: 10, web_search_options: {} })).status).toBe(403)
  })

  it('pays for what has no answer to pay for', async () => {
    await opened({ 'text-embedding-3-small': 1 })
    const ada = await weir.addCaller({ quota })
    const usage = { prompt_tokens: 4, total_tokens: 4 }
    weir.upstream.reply({ body: { object: 'list', data: [], model: 'text-embedding-3-small', usage } })
    const body = { model: 'text-embedding-3-small', input: 'Hello' }
    expect((await ask(ada, '/v1/embeddings', body)).status).toBe(200)
    expect((await ada.balances()).quota).toBe(quota - 4)
  })

  it('pays for the model to fall back on', async () => {
    await opened({ 'gpt-4o': 1, [weir.model]: 1.1 })
    await weir.set('FallbackModels', { default: { 'gpt-4o': [weir.model] } })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(({ json }) =>
      json.model === 'gpt-4o'
        ? { status: 500, body: {} }
        : chatReply('Hello', { prompt_tokens: 9, completion_tokens: 3 }),
    )
    expect((await ada.chat({ model: 'gpt-4o', max_tokens: 10 })).status).toBe(200)
  })

  it('is never spent twice by calls at once', async () => {
    await opened()
    const ada = await weir.addCaller({ quota })
    const usage = { prompt_tokens: 2, completion_tokens: 5 }
    weir.upstream.reply({ ...chatReply('Hello', usage), latency_ms: 300 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.chat({ max_tokens: 5 })))
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBeGreaterThan(1)
    expect((await ada.balances()).quota).toBe(quota - served * weir.due({ prompt: 2, completion: 5 }))
    expect((await ada.balances()).quota).toBeGreaterThanOrEqual(0)
  })
})
