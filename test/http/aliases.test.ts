// A model by another of its names: with its date, without it, or as the latest. It is served, priced, allowed and counted
// under the one name that channels list, and no other snapshot is taken for it.
import Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

const quota = 1_000_000_000
const answer = chatReply('Hello', { prompt_tokens: 1000, completion_tokens: 100 })

describeWithGateway('a model by another of its names', (weir) => {
  it.each([
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku-20241022'],
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['gpt-4o', 'gpt-4o-2024-08-06'],
  ])('%s is served where %s is listed, and charged, logged and counted under that name', async (asked, listed) => {
    await weir.addChannel({ models: `${listed},gpt-4o-mini`, model_mapping: JSON.stringify({ [listed]: 'inner' }) })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(answer)
    expect((await ada.chat({ model: asked })).status).toBe(200)
    expect(weir.upstream.requests[0]?.json.model).toBe('inner')
    expect((await ada.chat({ model: listed })).status).toBe(200)
    const [plain, row] = await ada.logs()
    expect(row).toMatchObject({ model_name: listed, quota: plain!.quota })
    const mapped = { is_model_mapped: true, upstream_model_name: 'inner' }
    const { asked_model, ...other } = JSON.parse(row!.other)
    expect({ asked_model, ...other }).toMatchObject({ asked_model: asked, ...mapped })
    expect(other).not.toHaveProperty('fallback_from')
    expect(JSON.parse(plain!.other)).not.toHaveProperty('asked_model')
    const { rows } = await weir.root.client.usage.query({ by: 'model', user: ada.user.username })
    expect(rows).toMatchObject([{ model_name: listed, calls: 2 }])
  })

  it('is sent by the name that is listed, in every format and at every operation', async () => {
    await weir.addChannel({ models: 'claude-sonnet-4-5', type: 14 })
    await weir.addChannel({ models: 'text-embedding-3-small-2024-01-25' })
    await weir.set('ModelRatio', { 'claude-sonnet-4-5': 1.5, 'text-embedding-3-small': 1 })
    const ada = await weir.addCaller({ quota })
    const anthropic = new Anthropic({ baseURL: weir.url, apiKey: ada.key, maxRetries: 0 })
    const content = [{ type: 'text', text: 'Hello' }]
    const body = { type: 'message', role: 'assistant', content, usage: { input_tokens: 1, output_tokens: 1 } }
    weir.upstream.reply({ body: { id: 'm', model: 'claude-sonnet-4-5', stop_reason: 'end_turn', ...body } })
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    await anthropic.messages.create({ model: 'claude-sonnet-4-5-20250929', max_tokens: 5, messages })
    weir.upstream.reply({ body: { input_tokens: 9 } })
    await anthropic.messages.countTokens({ model: 'claude-sonnet-4-5-latest', messages })
    weir.upstream.reply({ body: { object: 'list', data: [], usage: { prompt_tokens: 1, total_tokens: 1 } } })
    await ada.openai.embeddings.create({ model: 'text-embedding-3-small', input: 'Hello' })
    expect(weir.upstream.requests.map(({ json }) => json.model)).toEqual([
      ...['claude-sonnet-4-5', 'claude-sonnet-4-5', 'text-embedding-3-small-2024-01-25'],
    ])
  })

  it.each([
    [{ 'own-2026-01-31': 1, own: 2 }, 2],
    [{ 'own-2026-01-31': 3 }, 3],
  ])('costs the same by every name where tables say %j', async (ratios, ratio) => {
    await weir.set('ModelRatio', ratios)
    await weir.addChannel({ models: 'own' })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(answer)
    for (const model of ['own-2026-01-31', 'own-latest', 'own']) expect((await ada.chat({ model })).status).toBe(200)
    const rows = await ada.logs()
    expect(rows.map(({ other }) => JSON.parse(other).model_ratio)).toEqual([ratio, ratio, ratio])
    expect(new Set(rows.map(({ quota: charged }) => charged)).size).toBe(1)
  })

  it("costs what its operator says of another name, not what came with Weir: a cheap snapshot's price is no way around it", async () => {
    await weir.set('ModelPrice', { 'gpt-5': 1.8 })
    await weir.addChannel({ models: 'gpt-5-2025-08-07' })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(answer)
    for (const model of ['gpt-5', 'gpt-5-2025-08-07']) expect((await ada.chat({ model })).status).toBe(200)
    expect((await ada.logs()).map(({ quota: charged }) => charged)).toEqual([900_000, 900_000])
  })

  it('falls back to what is set for it by any name, and never to itself', async () => {
    await weir.set('ModelRatio', { own: 1, next: 1 })
    await weir.set('FallbackModels', { default: { own: ['own', 'own-2026-01-31', 'next-2026-01-31'] } })
    await weir.addChannel({ models: 'own-2026-01-31' })
    await weir.addChannel({ models: 'next', base_url: `${weir.upstream.url}/next` })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply({ status: 500, body: { error: { message: 'no' } } })
    await ada.chat({ model: 'own-2026-01-31' })
    const [row] = await ada.logs()
    expect(row?.model_name).toBe('next')
    expect(JSON.parse(row!.other).fallback_from).toBe('own-2026-01-31')
  })

  it('is not another snapshot of it', async () => {
    await weir.addChannel({ models: 'gpt-4o' })
    const ada = await weir.addCaller({ quota })
    expect((await ada.chat({ model: 'gpt-4o-2024-05-13' })).status).toBe(404)
    await weir.addChannel({ models: 'gpt-4o-2024-05-13', base_url: `${weir.upstream.url}/exact` })
    weir.upstream.reply(answer)
    expect((await ada.chat({ model: 'gpt-4o-2024-05-13' })).status).toBe(200)
    expect(weir.upstream.requests[0]?.json.model).toBe('gpt-4o-2024-05-13')
  })

  it('is allowed to a token that may use the model, and to no other', async () => {
    await weir.addChannel({ models: 'gpt-4o,gpt-4o-2024-11-20,gpt-4o-mini-2024-07-18' })
    const limits = (model_limits: string) => ({ quota, token: { model_limits_enabled: true, model_limits } })
    const plain = await weir.addCaller(limits('gpt-4o'))
    const dated = await weir.addCaller(limits('gpt-4o-2024-08-06,gpt-4o-mini'))
    weir.upstream.reply(answer)
    const status = async (caller: typeof plain, model: string) => (await caller.chat({ model })).status
    expect(await status(plain, 'gpt-4o')).toBe(200)
    expect(await status(plain, 'gpt-4o-2024-08-06')).toBe(200)
    expect(await status(plain, 'gpt-4o-2024-11-20')).toBe(403)
    expect(await status(plain, 'gpt-4o-mini')).toBe(403)
    expect(await status(dated, 'gpt-4o')).toBe(200)
    expect(await status(dated, 'gpt-4o-mini-2024-07-18')).toBe(200)
    expect(await status(dated, 'gpt-4o-2024-11-20')).toBe(403)
  })

  it('is found in the log by each of its names, and by a pattern of either', async () => {
    await weir.addChannel({ models: 'claude-sonnet-4-5-20250929' })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(answer)
    expect((await ada.chat({ model: 'claude-sonnet-4-5@20250929' })).status).toBe(200)
    expect((await ada.chat({ model: 'claude-sonnet-4-5-20250929' })).status).toBe(200)
    const found = async (model_name: string) => {
      const filter = { username: ada.user.username, model_name, type: 2 }
      const [{ items, total }, { calls }] = await Promise.all([
        weir.root.client.logs.list(filter),
        weir.root.client.logs.stat(filter),
      ])
      expect([items.length, calls]).toEqual([total, total])
      return total
    }
    expect(await found('claude-sonnet-4-5-20250929')).toBe(2)
    expect(await found('claude-sonnet-4-5@20250929')).toBe(1)
    expect(await found('claude-sonnet-4-5@%')).toBe(1)
    expect(await found('claude-%')).toBe(2)
    expect(await found('claude-sonnet-4-5')).toBe(0)
  })

  it('is known to a channel asked for by name', async () => {
    const channel = await weir.addChannel({ models: 'gpt-4o' })
    const chief = await weir.addCaller({ quota, patch: { role: 10 } })
    weir.upstream.reply(answer)
    const headers = { authorization: `Bearer ${chief.key}-${channel.id}` }
    expect((await chief.chat({ model: 'gpt-4o-2024-08-06' }, headers)).status).toBe(200)
    expect(weir.upstream.requests[0]?.json.model).toBe('gpt-4o')
  })

  it('follows the channels as they change', async () => {
    const channel = await weir.addChannel({ models: 'gpt-4o-mini' })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(answer)
    const status = async () => (await ada.chat({ model: 'gpt-4o-2024-08-06' })).status
    expect(await status()).toBe(404)
    await weir.root.client.channels.update({ id: channel.id, models: 'gpt-4o' })
    expect(await status()).toBe(200)
    await weir.root.client.channels.update({ id: channel.id, models: 'gpt-4o-2024-05-13' })
    expect(await status()).toBe(404)
  })
})
