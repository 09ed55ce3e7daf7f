// The choice of a provider's upstream endpoint for a call, and of the channels that are tried.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, UPSTREAM_KEY, type TestGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

let weir: Awaited<ReturnType<typeof openTestGateway>> & TestGateway
let ada: Caller
beforeAll(async () => {
  weir = await openTestGateway()
  ada = await weir.addCaller({ quota: 1_000_000_000 })
}, 60_000)
afterAll(() => weir.close())
afterEach(() => weir.clean())

const messages = [{ role: 'user' as const, content: 'Hello' }]

describe("a caller of Anthropic's format", () => {
  const message = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Hi' }] },
    ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 3, output_tokens: 2 }, unknown: 1 },
  }
  const bearer = { authorization: `Bearer ${UPSTREAM_KEY}` }
  const own = { 'x-api-key': UPSTREAM_KEY }

  it.each([
    [4, '/v1/messages', bearer],
    [20, '/v1/messages', bearer],
    [25, '/anthropic/v1/messages', bearer],
    [26, '/api/anthropic/v1/messages', own],
    [35, '/anthropic/v1/messages', own],
    [43, '/anthropic/v1/messages', own],
    [46, '/anthropic/v1/messages', own],
    [1006, '/v1/messages', bearer],
  ])('passes as it is through type %i, at %s; others go to the first door', async (type, path, headers) => {
    await weir.addChannel({ type })
    weir.upstream.reply({ body: message })
    const body = { model: weir.model, max_tokens: 9, messages, own_field: { kept: true } }
    const reply = await fetch(`${weir.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': ada.key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
    })
    expect(await reply.text()).toBe(JSON.stringify(message))
    expect(weir.upstream.requests.at(-1)).toMatchObject({ path, headers, json: body })
    weir.upstream.reply(chatReply('Hi', { prompt_tokens: 3, completion_tokens: 2 }))
    await ada.openai.chat.completions.create({ model: weir.model, messages })
    expect(weir.upstream.requests.at(-1)!.path).toMatch(/\/chat\/completions$/)
  })
})

describe('a channel whose provider serves no such call', () => {
  const embed = () => ada.openai.embeddings.create({ model: weir.model, input: 'Hello' })

  it('costs no attempt', async () => {
    await weir.set('RetryTimes', 0)
    await weir.addChannel({ type: 14, priority: 9 })
    await weir.addChannel({ type: 1 })
    weir.upstream.reply({
      body: { object: 'list', data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1, total_tokens: 1 } },
    })
    expect((await embed()).data).toHaveLength(1)
    expect(weir.upstream.requests.map(({ path }) => path)).toEqual(['/v1/embeddings'])
  })

  it('is told from a model that nobody has', async () => {
    await weir.addChannel({ type: 14 })
    await expect(embed()).rejects.toMatchObject({ status: 400, code: 'invalid_api_type' })
    await expect(ada.openai.embeddings.create({ model: 'nobody', input: 'Hello' })).rejects.toMatchObject({
      status: 404,
    })
    expect(weir.upstream.requests).toEqual([])
  })
})
