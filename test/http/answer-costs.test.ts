// The cost of a call in the last usage of its answer: exactly what was charged, and only where it is asked for.
import { expect, it } from 'vitest'
import { addCostToBody } from '../../core/relay/answer-cost.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { listFailures } from '../support/list-failures.ts'
import { makers } from '../support/makers/index.ts'
import { answering } from '../support/makers/maker.ts'
import { send } from '../support/server.ts'
import { chatPaths, shortCall } from '../support/short-calls.ts'

const ASKED = { 'x-weir-usage': 'cost' }
const COST = /"cost":([\d.e-]+)/g
const SAID = { text: 'Hello to you, and to everybody else', thought: 'A greeting.' }

/** Every call of a format: whole, and as a stream. */
const callsOf = (model: string) =>
  chatPaths(model).flatMap((path) => {
    const body = shortCall(path, model)
    if (path.includes(':')) return [{ path: path.includes(':stream') ? `${path}?alt=sse` : path, body }]
    const usage = path.includes('completions') ? { stream_options: { include_usage: true } } : {}
    return [
      { path, body },
      { path, body: { ...body, stream: true, ...usage } },
    ]
  })

const ask = (weir: TestGateway, { key }: Caller, path: string, body: object, headers: Record<string, string> = {}) =>
  send('POST', weir.url + path, { headers: { authorization: `Bearer ${key}`, ...headers }, body })

const nameOf = ({ path, body }: { path: string; body: Json }) => `${path}${body.stream ? ' as a stream' : ''}`

describeWithGateway('the cost of a call', (weir) => {
  it.each(makers)('stands in the last usage of an answer of $name, in every format', async (maker) => {
    await weir.addChannel({ type: maker.type, models: maker.model })
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    weir.upstream.reply(answering(maker, SAID))
    const wrong = await listFailures(callsOf(maker.model), nameOf, async ({ path, body }) => {
      const { status, text } = await ask(weir, ada, path, body, ASKED)
      expect(status, text).toBe(200)
      const [row] = await ada.logs()
      expect(row!.quota).toBeGreaterThan(0)
      const told = [...text.matchAll(COST)].map(([, cost]) => Number(cost))
      expect(told).toEqual([row!.quota / weir.gateway.settings().QuotaPerUnit])
      const last = text.slice(text.lastIndexOf('"usage'))
      expect(last).toContain('"cost":')
    })
    expect(wrong).toEqual([])
  })

  it.each(makers)('changes no byte of an answer of $name where nobody asks', async (maker) => {
    await weir.addChannel({ type: maker.type, models: maker.model })
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    weir.upstream.reply(answering(maker, SAID))
    for (const { path, body } of callsOf(maker.model)) {
      const { text } = await ask(weir, ada, path, body, { 'x-weir-usage': 'no' })
      expect(text).not.toContain('"cost"')
    }
  })

  it('stands in every answer where the site says so, embeddings included', async () => {
    const model = 'text-embedding-3-small'
    await weir.addChannel({ models: model })
    await weir.set('relay.usage_cost', true)
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    const usage = { prompt_tokens: 500_000, total_tokens: 500_000 }
    weir.upstream.reply({ body: { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }], usage } })
    const { json, headers } = await ask(weir, ada, '/v1/embeddings', { model, input: 'Hello' })
    expect(json.usage).toEqual({ ...usage, cost: Number(headers['x-weir-cost']) })
  })

  it('leaves an answer that is no JSON as it is', () => {
    const charged = { charge: { quota: 5 }, terms: { quota_per_unit: 500_000 } } as Parameters<typeof addCostToBody>[1]
    for (const text of ['{laughs} Hello', '{"usage":{', '[1]', '']) {
      const body = new TextEncoder().encode(text)
      expect(addCostToBody(body, charged)).toBe(body)
    }
    const spaced = new TextEncoder().encode(' {"usage": {"total_tokens": 1}}')
    expect(JSON.parse(new TextDecoder().decode(addCostToBody(spaced, charged))).usage.cost).toBe(0.00001)
  })

  it('keeps each run of a stream no longer than until the next, and what came before a failure', async () => {
    const [maker] = makers
    await weir.addChannel({ type: maker!.type, models: maker!.model })
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    const chunk = (more: object) => `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', ...more })}\n\n`
    const text = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })
    const usage = { prompt_tokens: 5, completion_tokens: 2 }
    const chunks = [
      chunk({ ...text('one'), usage }),
      chunk({ ...text('two'), usage }),
      chunk({ error: { message: 'broken' } }),
    ]
    weir.upstream.reply({ headers: { 'content-type': 'text/event-stream' }, chunks, gap_ms: 50 })
    const body = { ...shortCall('/v1/chat/completions', maker!.model), stream: true }
    const answer = await ask(weir, ada, '/v1/chat/completions', body, ASKED)
    const at = ['one', 'two', 'broken'].map((word) => answer.text.indexOf(word))
    expect(at.every((place) => place >= 0)).toBe(true)
    expect(at).toEqual(at.toSorted((a, b) => a - b))
  })
})
