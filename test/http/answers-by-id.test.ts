// Answers by their id: where a provider keeps them its channel and key are asked, and Weir's own outlive a restart.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { openGateway } from '../../core/adapters/node.ts'
import { startServer } from '../../http/start.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { makers } from '../support/makers/index.ts'
import { answering } from '../support/makers/maker.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { startUpstream } from '../support/upstream.ts'

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const KEYS = 'first-key-0123\nsecond-key-0123\nthird-key-0123'

describeWithGateway('answers by their id', (weir, kind) => {
  it('of a provider that keeps them are its to tell, by the key that made them', async () => {
    await weir.addChannel({ key: KEYS, key_mode: 'random' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const id = `resp_68${kind}0123456789`
    const answer = { id, object: 'response', status: 'completed', model: 'm', output: [], usage }
    weir.upstream.reply(({ method, path }) => {
      if (path.endsWith('/cancel')) return { status: 400, body: { error: { message: 'Cannot cancel it.' } } }
      if (path.includes('/input_items')) return { body: { object: 'list', data: [], has_more: false } }
      return { body: method === 'DELETE' ? { id, object: 'response', deleted: true } : answer }
    })
    const { responses } = ada.openai
    await responses.create({ model: weir.model, input: 'Hello' })
    const before = await ada.balances()
    expect((await responses.retrieve(id, { include: ['message.output_text.logprobs'] })).id).toBe(id)
    expect((await responses.inputItems.list(id, { limit: 5, order: 'asc' })).data).toEqual([])
    expect(await responses.cancel(id).catch(({ status, message }) => [status, message])).toEqual([
      400,
      expect.stringContaining('Cannot cancel it.'),
    ])
    const eve = await weir.addCaller({ quota: 1_000_000 })
    expect(await eve.openai.responses.retrieve(id).catch(({ status }) => status)).toBe(404)
    expect(await responses.delete(id)).toMatchObject({ deleted: true })
    expect(await responses.retrieve(id).catch(({ status }) => status)).toBe(404)
    const asked = weir.upstream.requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`)
    expect(asked).toEqual([
      'POST /v1/responses',
      expect.stringMatching(`^GET /v1/responses/${id}\\?include`),
      `GET /v1/responses/${id}/input_items?limit=5&order=asc`,
      `POST /v1/responses/${id}/cancel`,
      `DELETE /v1/responses/${id}`,
    ])
    expect(new Set(weir.upstream.requests.map(({ headers }) => headers.authorization))).toHaveLength(1)
    expect(await ada.balances()).toEqual(before)
  })

  it('made in the background are not read past their charge', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const id = `resp_69${kind}0123456789`
    const answer = { id, object: 'response', status: 'completed', model: 'm', output: [], usage }
    weir.upstream.reply(({ method }) => ({ body: method === 'GET' ? { ...answer, background: true } : answer }))
    await ada.openai.responses.create({ model: weir.model, input: 'Hello' })
    const read = await ada.openai.responses.retrieve(id).catch(({ status, message }) => ({ status, message }))
    expect(read).toEqual({ status: 400, message: expect.stringContaining('background') })
  })

  it('that Weir keeps are gone on with after a restart', async () => {
    const maker = makers[1]!
    const upstream = await startUpstream()
    upstream.reply(answering(maker, { thought: 'Greet.', text: 'Hello Ada' }, { text: 'Ada' }))
    const data = await mkdtemp(join(tmpdir(), 'weir-restart-'))
    const database = kind === 'postgres' ? { database: await migratedDatabase() } : {}
    const config = { ...weir.config, database: undefined, ...database, data }
    let apiKey = ''
    /** One life of the process. */
    async function living<T>(work: (client: OpenAI) => Promise<T>, prepare = false): Promise<T> {
      const gateway = await openGateway(config)
      const server = await startServer(gateway, config)
      try {
        if (prepare) {
          const { client } = gateway
          await client.site.setup({ username: 'root', password: 'a password', confirmPassword: 'a password' })
          const channel = { name: 'c', type: maker.type, key: 'a-key-0123', base_url: upstream.url }
          await client.channels.create({ ...channel, models: maker.model })
          const token = await client.tokens.create({ name: 't', unlimited_quota: true })
          apiKey = `sk-${token.key}`
        }
        return await work(new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 }))
      } finally {
        await server.close()
      }
    }
    const ask = (client: OpenAI, more: object) =>
      client.responses.create({ model: maker.model, input: 'My name is Ada.', reasoning: { effort: 'low' }, ...more })
    const one = (await living((client) => ask(client, {}), true)) as OpenAI.Responses.Response
    const two = await living((client) => ask(client, { previous_response_id: one.id, input: 'My name?' }))
    expect(two).toMatchObject({ output_text: 'Ada', previous_response_id: one.id })
    expect(maker.hear(upstream.requests[1]!).turns).toMatchObject([
      { role: 'user', text: 'My name is Ada.' },
      { role: 'assistant', text: 'Hello Ada', thoughts: [{ text: 'Greet.' }] },
      { role: 'user', text: 'My name?' },
    ])
    await upstream.close()
    await rm(data, { recursive: true, force: true })
  })
})
