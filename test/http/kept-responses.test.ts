// Answers of channels that keep none: Weir keeps them, so that the official client goes on by id, reads and deletes them.
import type OpenAI from 'openai'
import { describe, expect, it, vi } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { makers } from '../support/makers/index.ts'
import { answering, type Maker, type Said } from '../support/makers/maker.ts'

const [, ...others] = makers
const NAME = 'My name is Ada.'
const QUESTION = 'What is my name?'

describeWithGateway('kept responses', (weir) => {
  async function place(maker: Maker, ...answers: Said[]): Promise<Caller> {
    await weir.addChannel({ type: maker.type, models: maker.model })
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [maker.model]: 1 })
    weir.upstream.reply(answering(maker, ...answers))
    return weir.addCaller({ quota: 100_000_000 })
  }
  type Asked = Partial<OpenAI.Responses.ResponseCreateParams>
  const ask = (ada: Caller, maker: Maker, input: Asked['input'], more: object = {}) =>
    ada.openai.responses.create({ model: maker.model, input: input ?? '', ...more } as never) as Promise<Answer>
  type Answer = OpenAI.Responses.Response & { store?: boolean }
  const streamed = async (ada: Caller, maker: Maker, input: Asked['input'], more: object = {}): Promise<Answer> => {
    let last: OpenAI.Responses.ResponseStreamEvent | undefined
    const stream = await ada.openai.responses.create({ model: maker.model, input: input ?? '', stream: true, ...more })
    for await (const event of stream) last = event
    if (last?.type !== 'response.completed') throw new Error(`ended with ${last?.type}`)
    return last.response
  }
  const heard = (maker: Maker, turn: number) => maker.hear(weir.upstream.requests[turn]!)
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => ({ status: 200 }),
      ({ status, code, message, type, param }) => ({ status, code, message, type, param }),
    )

  describe.each(others.map((maker) => [maker.name, maker] as const))('of %s', (_, maker) => {
    it.each([
      ['whole', ask],
      ['streamed', streamed],
    ])('are gone on with for several turns, %s', async (_how, say) => {
      const ada = await place(maker, { thought: 'Greet.', text: 'Hello Ada' }, { text: 'Ada' }, { text: 'Bye Ada' })
      const one = await say(ada, maker, NAME, { instructions: 'Be short.', reasoning: { effort: 'low' } })
      expect(one).toMatchObject({ id: expect.stringMatching(/^resp_\w{32}$/), store: true, previous_response_id: null })
      const two = await say(ada, maker, QUESTION, { previous_response_id: one.id })
      expect(two).toMatchObject({ previous_response_id: one.id, store: true })
      expect(two.id).not.toBe(one.id)
      const { system, turns } = heard(maker, 1)
      expect(system).toBe('')
      expect(turns).toMatchObject([
        { role: 'user', text: NAME },
        { role: 'assistant', text: 'Hello Ada' },
        { role: 'user', text: QUESTION },
      ])
      await say(ada, maker, 'Bye', { previous_response_id: two.id, instructions: 'Be rude.' })
      expect(heard(maker, 2)).toMatchObject({ system: 'Be rude.' })
      expect(heard(maker, 2).turns.map((turn) => ('text' in turn ? turn.text : ''))).toEqual([
        ...[NAME, 'Hello Ada', QUESTION, 'Ada', 'Bye'],
      ])
    })

    it('go on with calls, and with the proofs of what was thought', async () => {
      const call = { name: 'weather', args: { city: 'Graz' } }
      const ada = await place(maker, { thought: 'Look it up.', calls: [call] }, { text: 'Warm' })
      const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }]
      const one = await ask(ada, maker, 'Weather?', { tools, reasoning: { effort: 'low' } })
      const asked = one.output.find((item) => item.type === 'function_call')!
      const output = [{ type: 'function_call_output' as const, call_id: asked.call_id, output: '22' }]
      const more = { tools, reasoning: { effort: 'low' }, previous_response_id: one.id }
      expect((await streamed(ada, maker, output, more)).output_text ?? 'Warm').toBe('Warm')
      expect(heard(maker, 1).turns).toMatchObject([
        { role: 'user', text: 'Weather?' },
        { role: 'assistant', calls: [call] },
        { role: 'tool', results: [{ name: 'weather', text: '22' }] },
      ])
    })

    it('are read, listed and deleted by their id', async () => {
      const ada = await place(maker, { text: 'One' }, { text: 'Two' })
      const one = await ask(ada, maker, NAME)
      const two = await streamed(ada, maker, [{ role: 'user', content: QUESTION }], { previous_response_id: one.id })
      const { output_text, ...rest } = await ada.openai.responses.retrieve(two.id)
      expect(output_text).toBe('Two')
      expect(two).toMatchObject(rest)
      const list = ada.openai.responses.inputItems
      const items = (await list.list(two.id, { order: 'asc' })).data
      expect(items).toMatchObject([
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: NAME }] },
        { type: 'message', role: 'assistant', id: one.output[0]!.id, content: [{ type: 'output_text', text: 'One' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: QUESTION }] },
      ])
      expect(new Set(items.map(({ id }) => id))).toHaveLength(3)
      const newest: unknown[] = []
      for await (const item of list.list(two.id, { limit: 2 })) newest.push(item)
      expect(newest).toEqual(items.toReversed())
      const page = await list.list(two.id, { limit: 1, after: items[2]!.id! })
      expect(page).toMatchObject({ has_more: true, data: [items[1]] })
      // The one in the middle goes; what was answered after it stands for itself.
      const gone = await ada.openai.responses.delete(one.id)
      expect(gone).toEqual({ id: one.id, object: 'response', deleted: true })
      const missing = {
        ...{ status: 404, type: 'invalid_request_error', code: 'response_missing', param: null },
        message: expect.stringContaining(`Response with id '${one.id}' not found.`),
      }
      expect(await refusal(ada.openai.responses.retrieve(one.id))).toEqual(missing)
      expect(await refusal(ada.openai.responses.delete(one.id))).toEqual(missing)
      expect(await refusal(list.list(one.id))).toEqual(missing)
      const after = await refusal(ask(ada, maker, QUESTION, { previous_response_id: one.id }))
      expect(after).toMatchObject({ status: 400, code: 'previous_response_not_found' })
      await ask(ada, maker, 'And now?', { previous_response_id: two.id })
      expect(heard(maker, 2).turns).toHaveLength(5)
      expect(await refusal(ada.openai.responses.cancel(two.id))).toMatchObject({
        status: 400,
        message: expect.stringContaining('Cannot cancel a synchronous response.'),
      })
    })

    it('lend their items to other requests', async () => {
      const ada = await place(maker, { text: 'Hello Ada' }, { text: 'Ada' })
      const one = await ask(ada, maker, NAME)
      const { data } = await ada.openai.responses.inputItems.list(one.id)
      const reference = (id: string) => ({ type: 'item_reference' as const, id })
      const input = [
        reference(data[0]!.id!),
        reference(one.output[0]!.id!),
        { role: 'user' as const, content: QUESTION },
      ]
      await ask(ada, maker, input)
      expect(heard(maker, 1).turns).toMatchObject([
        { role: 'user', text: NAME },
        { role: 'assistant', text: 'Hello Ada' },
        { role: 'user', text: QUESTION },
      ])
      const eve = await weir.addCaller({ quota: 100_000_000 })
      const refused = await refusal(ask(eve, maker, input))
      expect(refused).toMatchObject({ status: 404, message: expect.stringContaining("' not found.") })
      expect(weir.upstream.requests).toHaveLength(2)
    })
  })

  const [claude] = others as [Maker]

  it('are nobody else’s, and only those of its models are for a token that is limited to some', async () => {
    const ada = await place(claude, { text: 'Secret' })
    const one = await ask(ada, claude, NAME)
    const sent = weir.upstream.requests.length
    const eve = await weir.addCaller({ quota: 100_000_000 })
    const limited = await weir.addToken(ada.user, { model_limits_enabled: true, model_limits: 'other' })
    const same = await weir.addToken(ada.user, { model_limits_enabled: true, model_limits: claude.model })
    const by = (key: string) => ada.openai.withOptions({ apiKey: `sk-${key}` })
    for (const client of [eve.openai, by(limited.key!)]) {
      expect(await refusal(client.responses.retrieve(one.id))).toMatchObject({ status: 404 })
      expect(await refusal(client.responses.delete(one.id))).toMatchObject({ status: 404 })
      expect(await refusal(client.responses.inputItems.list(one.id))).toMatchObject({ status: 404 })
      const go = client.responses.create({ model: claude.model, input: QUESTION, previous_response_id: one.id })
      expect((await refusal(go)).status).toBeGreaterThanOrEqual(400)
    }
    expect(weir.upstream.requests).toHaveLength(sent)
    expect((await by(same.key!).responses.retrieve(one.id)).output_text).toBe('Secret')
    expect((await eve.balances()).quota).toBe(100_000_000)
  })

  it('are readable as soon as the end of the answer was seen, charged once, and written nowhere in clear', async () => {
    const ada = await place(claude, { text: 'Secret words' })
    for (let turn = 0; turn < 5; turn++) {
      const one = await streamed(ada, claude, NAME)
      expect((await ada.openai.responses.retrieve(one.id)).output_text).toBe('Secret words')
    }
    expect((await ada.balances()).request_count).toBe(5)
    const { secrets, storage } = weir.gateway.ports
    const one = await ask(ada, claude, NAME)
    const row = (await storage.keptResponses.find(secrets.hash(one.id)))!
    expect(row.sealed).not.toContain('Secret')
    expect(secrets.decrypt(row.sealed!, ['kept_responses.sealed', row.id_hash])).toContain('Secret words')
  })

  it('are not made with store: false, and none of other formats', async () => {
    const ada = await place(claude, { text: 'Hello' })
    const one = await ask(ada, claude, NAME, { store: false })
    expect(one.store).toBe(false)
    expect(await refusal(ada.openai.responses.retrieve(one.id))).toMatchObject({ status: 404 })
    const { keptResponses } = weir.gateway.ports.storage
    const written = vi.spyOn(keptResponses, 'keep')
    expect((await ada.chat({ model: claude.model })).status).toBe(200)
    await streamed(ada, claude, NAME, { store: false })
    expect(written).not.toHaveBeenCalled()
    await ask(ada, claude, NAME)
    expect(written).toHaveBeenCalledOnce()
    written.mockRestore()
  })

  it('end with their time, at once where keeping is switched off, and the refusal says what to do', async () => {
    const ada = await place(claude, { text: 'Hello' })
    const one = await ask(ada, claude, NAME)
    await weir.set('responses.keep_hours', 0)
    expect(await refusal(ada.openai.responses.retrieve(one.id))).toMatchObject({ status: 404 })
    const refused = await refusal(ask(ada, claude, QUESTION, { previous_response_id: one.id }))
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('store: false') })
    expect(await ask(ada, claude, NAME)).toMatchObject({ store: false })
    const { response } = await ada.openai.responses
      .create({ model: claude.model, input: NAME, store: true })
      .withResponse()
    expect(response.headers.get('x-weir-dropped')).toContain('store')
    await weir.set('responses.keep_hours', 1)
    const { keptResponses } = weir.gateway.ports.storage
    await keptResponses.forget({ provider: 0, own: Date.now() - 3_600_000 })
    expect((await ada.openai.responses.retrieve(one.id)).id).toBe(one.id)
    await keptResponses.forget({ provider: 0, own: Date.now() + 1 })
    expect(await refusal(ada.openai.responses.retrieve(one.id))).toMatchObject({ status: 404 })
  })

  it('are bounded in number and size, and the oldest go first', async () => {
    const ada = await place(claude, { text: 'Hello' })
    await weir.set('responses.keep_per_user', 2)
    const ids: string[] = []
    for (let turn = 0; turn < 3; turn++) ids.push((await ask(ada, claude, NAME)).id)
    const found = await Promise.all(ids.map((id) => refusal(ada.openai.responses.retrieve(id))))
    expect(found.map(({ status }) => status)).toEqual([404, 200, 200])
    await weir.set('responses.keep_megabytes', 1)
    const large = await ask(ada, claude, 'x'.repeat(1024 * 1024))
    expect(large.store).toBe(false)
    expect(await refusal(ada.openai.responses.retrieve(large.id))).toMatchObject({ status: 404 })
  })

  it('go with their user', async () => {
    const ada = await place(claude, { text: 'Hello' })
    const one = await ask(ada, claude, NAME)
    const { secrets, storage } = weir.gateway.ports
    expect(await storage.keptResponses.find(secrets.hash(one.id))).not.toBeNull()
    await weir.root.client.users.delete({ id: ada.user.id })
    expect(await storage.keptResponses.find(secrets.hash(one.id))).toBeNull()
  })

  it('are gone on with by a provider of the same format, too, in words of its own', async () => {
    const [openai] = makers as [Maker]
    const ada = await place(claude, { thought: 'Greet.', text: 'Hello Ada' })
    const one = await ask(ada, claude, NAME, { reasoning: { effort: 'low' } })
    await weir.addChannel({ type: openai.type, models: openai.model })
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [openai.model]: 1 })
    weir.upstream.reply(answering(openai, { text: 'Ada' }))
    const two = await ask(ada, openai, QUESTION, { previous_response_id: one.id })
    expect(two.output_text).toBe('Ada')
    const sent = weir.upstream.requests.at(-1)!
    expect(sent.json.previous_response_id).toBeUndefined()
    expect(sent.json.store).not.toBe(false)
    expect(openai.hear(sent).turns).toMatchObject([
      { role: 'user', text: NAME },
      { role: 'assistant', text: 'Hello Ada' },
      { role: 'user', text: QUESTION },
    ])
    // That one is kept by its provider: what goes on with it goes there.
    await ask(ada, openai, 'And?', { previous_response_id: two.id }).catch(() => undefined)
    expect(weir.upstream.requests.at(-1)!.json.previous_response_id).toBe(two.id)
  })
})
