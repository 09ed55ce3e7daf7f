// The official client's embeddings and moderations, and rerank as its callers write it, against a real server.
import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

const EMBEDDING = 'text-embedding-3-large'
const vectors = (more: object = {}) => ({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25] }],
  model: EMBEDDING,
  usage: { prompt_tokens: 100, total_tokens: 100 },
  something_new: { kept: true },
  ...more,
})
const ranked = { id: 'r', results: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 1000 } }

describeWithGateway('beside chat', (weir) => {
  const post = (ada: Caller, path: string, body: object) =>
    send('POST', `${weir.url}${path}`, { headers: { authorization: `Bearer ${ada.key}` }, body })

  async function charged<T>(ada: Caller, ask: () => Promise<T>): Promise<{ value: T; quota: number }> {
    const before = await ada.balances()
    const value = await ask()
    return { value, quota: before.quota - (await ada.balances()).quota }
  }

  describe('embeddings', () => {
    it('pass as they came, charged by their own report', async () => {
      await weir.addChannel({ models: EMBEDDING, model_mapping: `{"${EMBEDDING}":"theirs"}` })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: vectors() })
      const asked = { model: EMBEDDING, input: [[1, 2, 3]], encoding_format: 'float' as const, task: 'new' }
      const { value, quota } = await charged(ada, () => ada.openai.embeddings.create(asked))
      expect(value).toEqual(vectors())
      expect(weir.upstream.requests[0]).toMatchObject({ path: '/v1/embeddings', json: { ...asked, model: 'theirs' } })
      // 100 tokens at ratio 0.065: 6.5, rounded.
      expect(quota).toBe(7)
      expect((await ada.logs())[0]).toMatchObject({
        model_name: EMBEDDING,
        prompt_tokens: 100,
        completion_tokens: 0,
        quota: 7,
      })
    })

    it('come as base64 where the client wants them so', async () => {
      await weir.addChannel({ models: EMBEDDING })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const embedding = Buffer.from(new Float32Array([0.5, -0.25]).buffer).toString('base64')
      weir.upstream.reply({ body: vectors({ data: [{ object: 'embedding', index: 0, embedding }] }) })
      const { data } = await ada.openai.embeddings.create({ model: EMBEDDING, input: 'hello' })
      expect([...data[0]!.embedding]).toEqual([0.5, -0.25])
      expect(weir.upstream.requests[0]!.json.encoding_format).toBe('base64')
    })

    it('are counted where nobody reports, and the log says so', async () => {
      await weir.addChannel({ models: EMBEDDING })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: vectors({ usage: undefined }) })
      await ada.openai.embeddings.create({ model: EMBEDDING, input: ['hello world', 'good morning to you all'] })
      const [row] = await ada.logs()
      // By OpenAI's tokenizer: 2 and 5 tokens.
      expect(row).toMatchObject({ prompt_tokens: 7, quota: 1 })
      expect(JSON.parse(row!.other)).toMatchObject({ estimated: true })
    })

    it('are found at the address that names the model', async () => {
      await weir.addChannel({ models: EMBEDDING })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: vectors() })
      const { status, json } = await post(ada, `/v1/engines/${EMBEDDING}/embeddings`, { input: 'hello' })
      expect([status, json]).toEqual([200, vectors()])
      expect(weir.upstream.requests[0]).toMatchObject({ path: '/v1/embeddings', json: { model: EMBEDDING } })
    })

    it('go to a channel that can make them', async () => {
      await weir.addChannel({ models: EMBEDDING, type: 43, priority: 9 })
      await weir.addChannel({ models: EMBEDDING })
      await weir.set('RetryTimes', 1)
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: vectors() })
      expect(await ada.openai.embeddings.create({ model: EMBEDDING, input: 'x', encoding_format: 'float' })).toEqual(
        vectors(),
      )
    })

    it('that fail cost nothing and say why', async () => {
      await weir.addChannel({ models: EMBEDDING })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ status: 404, body: { error: { message: 'no such model', type: 'invalid_request_error' } } })
      const asked = () => ada.openai.embeddings.create({ model: EMBEDDING, input: 'x' })
      await expect(asked()).rejects.toMatchObject({ status: 404, message: expect.stringContaining('no such model') })
      weir.upstream.reply({ body: { error: { message: 'disguised' } } })
      await expect(asked()).rejects.toMatchObject({ status: 502 })
      weir.upstream.reply({ body: '<html>' })
      await expect(asked()).rejects.toMatchObject({ status: 502 })
      await expect(ada.openai.embeddings.create({ model: EMBEDDING, input: [] })).rejects.toMatchObject({ status: 400 })
      expect((await ada.balances()).quota).toBe(1_000_000)
    })

    it('are refused with a word of the list', async () => {
      await weir.addChannel({ models: EMBEDDING })
      await weir.set('SensitiveWords', 'fishmonger')
      const ada = await weir.addCaller({ quota: 1_000_000 })
      await expect(ada.openai.embeddings.create({ model: EMBEDDING, input: 'a Fishmonger' })).rejects.toMatchObject({
        status: 400,
        code: 'sensitive_words_detected',
      })
    })
  })

  it('moderations need no model, and are free where their price is', async () => {
    await weir.addChannel({ models: 'omni-moderation-latest' })
    const ada = await weir.addCaller({ quota: 1000 })
    const answer = { id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: true }] }
    weir.upstream.reply({ body: answer })
    const { value, quota } = await charged(ada, () => ada.openai.moderations.create({ input: 'hello' }))
    expect([value, quota]).toEqual([answer, 0])
    expect(weir.upstream.requests[0]).toMatchObject({
      path: '/v1/moderations',
      json: { model: 'omni-moderation-latest', input: 'hello' },
    })
  })

  it('rerank is charged by all of its tokens', async () => {
    await weir.addChannel({ models: 'rerank-2.5', type: 40 })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: ranked })
    const asked = { model: 'rerank-2.5', query: 'which?', documents: ['this', { text: 'that' }], top_n: 1 }
    const { value, quota } = await charged(ada, () => post(ada, '/v1/rerank', asked))
    expect(value).toMatchObject({ status: 200, json: ranked })
    expect(weir.upstream.requests[0]).toMatchObject({ path: '/v1/rerank', json: asked })
    // 1000 tokens at ratio 0.025.
    expect(quota).toBe(25)
    for (const bad of [{ query: '' }, { documents: [] }, { documents: undefined }]) {
      expect((await post(ada, '/v1/rerank', { ...asked, ...bad })).status).toBe(400)
    }
  })

  it('a channel is tested with what its model is for', async () => {
    const ids = await Promise.all(
      [EMBEDDING, 'rerank-2.5'].map(async (models) => (await weir.addChannel({ models })).id),
    )
    weir.upstream.reply(({ path }) => ({ body: path.endsWith('rerank') ? ranked : vectors() }))
    for (const id of ids) await weir.root.client.channels.test({ id })
    expect(weir.upstream.requests.map(({ path }) => path)).toEqual(['/v1/embeddings', '/v1/rerank'])
  })

  it('the sandbox answers all of them offline, the same each time', async () => {
    await weir.addChannel({ type: 1000, key: '', base_url: '', models: 'sandbox-small' })
    const ada = await weir.addCaller({
      quota: 1_000_000,
      patch: { setting: '{"accept_unset_model_ratio_model":true}' },
    })
    const model = 'sandbox-small'
    const embed = (input: string) => ada.openai.embeddings.create({ model, input, dimensions: 3 })
    const first = (await embed('one')).data[0]!.embedding
    expect(first).toHaveLength(3)
    expect((await embed('one')).data[0]!.embedding).toEqual(first)
    expect((await embed('two')).data[0]!.embedding).not.toEqual(first)
    expect((await ada.openai.moderations.create({ model, input: ['a', 'b'] })).results).toHaveLength(2)
    const order = await post(ada, '/v1/rerank', { model, query: 'red fish', documents: ['blue bird', 'a red fish'] })
    expect(order.json.results[0]).toMatchObject({ index: 1 })
  })
})
