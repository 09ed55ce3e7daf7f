// Long conversations, summed up: the endpoint, the items it gives, and `context_management`, on channels of every maker. OpenAI
// sums up itself; anywhere else the channel's model is asked for a summary, which Weir encrypts.
import { describe, expect, it } from 'vitest'
import { faultsIn, responseFaults, responseStreamFaults } from '../conformance/descriptions/check.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { makers } from '../support/makers/index.ts'
import { answering, USAGE, type Maker, type Said } from '../support/makers/maker.ts'
import { openSocket } from '../support/responses-socket.ts'
import { send } from '../support/server.ts'
import type { Answerer, ReceivedRequest } from '../support/upstream.ts'

const [openai, claude, gemini] = makers as [Maker, Maker, Maker]
const SUMMARY = 'Ada counts ships; there were seven.'
const user = (text: string): Json => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const said = (text: string): Json => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
/** A server of OpenAI's format that has no words for it. */
const OTHER = 48
const HISTORY = [user('My name is Ada.'), said('Hello Ada.'), user('Count the ships.'), said('Seven.')]
const ITEM = { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA-of-openai' }

/** OpenAI with its endpoint. */
const withEndpoint =
  (...answers: Said[]): Answerer =>
  (request, turn) =>
    request.path.endsWith('/responses/compact')
      ? {
          body: {
            id: 'resp_c',
            object: 'response.compaction',
            created_at: 1,
            output: [user('Count the ships.'), ITEM],
            usage: {
              ...{ input_tokens: 500, input_tokens_details: { cached_tokens: 0 } },
              ...{ output_tokens: 77, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 577 },
            },
          },
        }
      : answering(openai, ...answers)(request, turn)

describeWithGateway('a conversation is summed up', (weir) => {
  async function place(maker: Maker, ...answers: Said[]): Promise<Caller> {
    await weir.addChannel({ type: maker.type, models: maker.model })
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [maker.model]: 1 })
    reply(maker, ...answers)
    return weir.addCaller({ quota: 100_000_000 })
  }
  /** The maker's answers, of a server without an endpoint that sums up. */
  function reply(maker: Maker, ...answers: Said[]): void {
    let turn = 0
    weir.upstream.reply((request) =>
      request.path.endsWith('/compact') ? maker.fail('missing') : answering(maker, ...answers)(request, turn++),
    )
  }
  const post = (path: string, key: string, body: Json) =>
    send('POST', weir.url + path, { headers: { authorization: `Bearer ${key}` }, body })
  async function compact(ada: Caller, model: string, key = ada.key): Promise<Json> {
    const { status, text } = await post('/v1/responses/compact', key, { model, input: HISTORY })
    expect(status, text).toBe(200)
    return JSON.parse(text)
  }
  /** The calls of a model, without questions about paths that a server does not have. */
  const asked = (): ReceivedRequest[] => weir.upstream.requests.filter(({ path }) => !path.endsWith('/compact'))
  const text = (request: ReceivedRequest | undefined): string => JSON.stringify(request?.json)
  const firstText = ({ output }: Json): string =>
    output.flatMap(({ content }: Json) => content ?? []).map(({ text: words }: Json) => words)[0]

  describe.each(makers.map((one) => [one.name, one] as const))('by %s', (_, one) => {
    it('at the endpoint, as the call it is, and its item is opened for its owner as words of the user', async () => {
      const ada = await place(one, { text: SUMMARY }, { text: 'You are Ada.' })
      const answer = await compact(ada, one.model)
      expect(faultsIn('openai', 'CompactResource', answer)).toEqual([])
      const item = answer.output.at(-1)
      expect(answer.output.map(({ type, role }: Json) => role ?? type)).toEqual(['user', 'user', 'compaction'])
      expect(JSON.stringify(answer)).not.toContain(SUMMARY)
      const heard = one.hear(asked()[0]!)
      expect(heard.tools).toEqual([])
      expect(JSON.stringify(heard.turns)).toMatch(/My name is Ada.*Hello Ada.*Count the ships.*Seven/)
      const [row] = await ada.logs()
      expect(row).toMatchObject({ completion_tokens: USAGE.completion })
      expect((await ada.balances()).quota).toBe(100_000_000 - row!.quota)

      const next = { model: one.model, store: false, input: [...answer.output, user('Who am I?')] }
      expect(firstText(await ada.openai.responses.create(next))).toBe('You are Ada.')
      const told = one.hear(asked()[1]!)
      expect(told.system).not.toContain(SUMMARY)
      expect(JSON.stringify(told.turns)).toMatch(new RegExp(`Count the ships.*${SUMMARY}.*Who am I`))
      expect(text(asked()[1])).not.toContain('compaction')
      expect(item.encrypted_content).not.toContain(SUMMARY)
    })

    it('inside a call above the threshold, in a call of its own; the item comes first and replaces what it sums up', async () => {
      const ada = await place(
        one,
        { text: SUMMARY },
        { text: 'One.' },
        { text: SUMMARY },
        { text: 'Two.' },
        { text: 'Three.' },
      )
      const management = { context_management: [{ type: 'compaction', compact_threshold: 5 }] }
      const body = { model: one.model, input: [...HISTORY, user('And now?')], instructions: 'Be brief.', ...management }
      // OpenAI would do it itself: a second channel of the model cannot.
      if (one === openai) await weir.addChannel({ type: OTHER, models: one.model, priority: 9 })
      const whole = (await ada.openai.responses.create(body as never)) as Json
      // An answer in the provider's own format is the provider's but for the item.
      const isOwn = one === openai
      expect(isOwn ? [] : responseFaults(whole)).toEqual([])
      expect(whole.output.map(({ type }: Json) => type)).toEqual(['compaction', 'message'])
      expect(firstText(whole)).toBe('One.')
      expect(asked()).toHaveLength(2)
      expect(text(asked()[1])).toMatch(new RegExp(`${SUMMARY}.*And now`))
      expect(text(asked()[1])).not.toContain('My name is Ada')
      const rows = await ada.logs()
      expect(rows).toHaveLength(2)
      expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(2)
      expect((await ada.balances()).quota).toBe(100_000_000 - rows[0]!.quota - rows[1]!.quota)
      expect(whole.usage).toMatchObject({ input_tokens: USAGE.prompt, output_tokens: USAGE.completion })

      const stream = (await ada.openai.responses.create({
        ...body,
        stream: true,
      } as never)) as unknown as AsyncIterable<Json>
      const events: Json[] = []
      for await (const event of stream) events.push(event)
      expect(responseStreamFaults(events, isOwn)).toEqual([])
      const streamed = events.at(-1)!.response
      expect(streamed.output.map(({ type }: Json) => type)).toEqual(['compaction', 'message'])

      // What the item sums up may be sent again or not: the model reads its summary alone.
      const input = [...body.input, ...streamed.output, user('Third?')]
      await ada.openai.responses.create({ model: one.model, store: false, input } as never)
      expect(text(asked().at(-1))).toMatch(new RegExp(`${SUMMARY}.*And now.*Two.*Third`))
      expect(text(asked().at(-1))).not.toContain('My name is Ada')
    })
  })

  it('and goes on by the id of its answer, over HTTP and over a socket', async () => {
    const ada = await place(claude, { text: SUMMARY }, { text: 'One.' }, { text: 'Two.' })
    const management = { context_management: [{ type: 'compaction', compact_threshold: 5 }] }
    const first = (await ada.openai.responses.create({
      ...{ model: claude.model, input: [...HISTORY, user('And now?')], ...management },
    } as never)) as Json
    await ada.openai.responses.create({ model: claude.model, input: 'Next?', previous_response_id: first.id })
    expect(text(asked().at(-1))).toMatch(new RegExp(`${SUMMARY}.*And now.*One.*Next`))
    expect(text(asked().at(-1))).not.toMatch(/My name is Ada|compaction/)
    const client = await openSocket(weir.url, ada.key)
    try {
      reply(claude, { text: SUMMARY }, { text: 'Again.' }, { text: 'End.' })
      const input = [...HISTORY, user('And now?')]
      const events = await client.ask({ model: claude.model, store: false, input, ...management })
      expect(responseStreamFaults(events)).toEqual([])
      expect(events.at(-1)!.response.output.map(({ type }: Json) => type)).toEqual(['compaction', 'message'])
      const before = events.at(-1)!.response.id
      await client.ask({ model: claude.model, store: false, input: 'Next?', previous_response_id: before })
      expect(text(weir.upstream.requests.at(-1))).toMatch(new RegExp(`${SUMMARY}.*And now.*Again.*Next`))
    } finally {
      client.socket.terminate()
      await client.closed
    }
  })

  it('keeps the calls whose results are to be answered, with what led to them', async () => {
    const ada = await place(gemini, { text: SUMMARY }, { text: 'Warm.' })
    const call = (id: string, city: string): Json => ({
      ...{ type: 'function_call', call_id: id, name: 'weather', arguments: JSON.stringify({ city }) },
    })
    const result = (id: string, output: string): Json => ({ type: 'function_call_output', call_id: id, output })
    const input = [
      ...HISTORY,
      user('Compare the weather.'),
      ...[call('c1', 'Graz'), result('c1', 'snow')],
      ...[call('c2', 'Linz'), call('c3', 'Wels'), result('c2', 'rain'), result('c3', 'fog')],
    ]
    const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }]
    await ada.openai.responses.create({
      ...{ model: gemini.model, input, tools, context_management: [{ type: 'compaction', compact_threshold: 5 }] },
    } as never)
    const [, last] = asked()
    expect(gemini.hear(last!).turns).toMatchObject([
      { role: 'user', text: expect.stringMatching(SUMMARY) },
      { role: 'assistant', calls: [{ args: { city: 'Linz' } }, { args: { city: 'Wels' } }] },
      { role: 'tool', results: [{ text: 'rain' }, { text: 'fog' }] },
    ])
    expect(text(last)).toContain('Compare the weather.')
  })

  it('goes on whole below the threshold, and where the summary fails or is empty', async () => {
    const ada = await place(claude)
    const ask = (more: Json = {}, key = ada.key) =>
      post('/v1/responses', key, {
        ...{ model: claude.model, input: [...HISTORY, user('And now?')], store: false },
        ...{ context_management: [{ type: 'compaction', compact_threshold: 5 }] },
        ...more,
      })
    const management = [{ type: 'compaction', compact_threshold: 100_000 }]
    weir.upstream.reply(answering(claude, { text: 'Short.' }))
    expect(firstText(JSON.parse((await ask({ context_management: management })).text))).toBe('Short.')
    expect(await ada.logs()).toHaveLength(1)
    // What a maker reports of an empty summary is charged all the same; what it refuses is not.
    for (const [broken, rowsCharged] of [
      [claude.fail('bad request'), 1],
      [claude.say({ text: ' ' }, { json: {} } as ReceivedRequest), 2],
    ] as const) {
      weir.upstream.requests.length = 0
      weir.upstream.reply((request, turn) => (turn === 0 ? broken : claude.say({ text: 'Whole.' }, request)))
      const before = (await ada.balances()).quota
      const rows = (await ada.logs()).length
      const { status, text: body } = await ask()
      expect(status, body).toBe(200)
      expect(JSON.parse(body).output).toMatchObject([{ type: 'message', content: [{ text: 'Whole.' }] }])
      expect(text(asked().at(-1))).toContain('My name is Ada')
      const charged = (await ada.logs()).slice(0, -rows || undefined).filter(({ quota }) => quota > 0)
      expect(charged).toHaveLength(rowsCharged)
      expect((await ada.balances()).quota).toBe(before - charged.reduce((sum, { quota }) => sum + quota, 0))
    }
    for (const bad of ['many', -1, 1.5]) {
      const refused = await ask({ context_management: [{ type: 'compaction', compact_threshold: bad }] })
      expect(refused.status, refused.text).toBe(400)
      expect(refused.text).toContain('compact_threshold')
    }
  })

  it('goes on whole, and pays for the answer alone, where the balance does not cover the summary', async () => {
    await place(claude, { text: 'Whole.' })
    // A short answer may cost less than a summary of up to 8,192 tokens.
    const bob = await weir.addCaller({ quota: 5_000 })
    const { status, text: body } = await post('/v1/responses', bob.key, {
      ...{ model: claude.model, input: [...HISTORY, user('And now?')], store: false, max_output_tokens: 16 },
      ...{ context_management: [{ type: 'compaction', compact_threshold: 5 }] },
    })
    expect(status, body).toBe(200)
    expect(JSON.parse(body).output).toMatchObject([{ type: 'message', content: [{ text: 'Whole.' }] }])
    expect(asked()).toHaveLength(1)
    const [row, ...others] = (await bob.logs()).filter(({ quota }) => quota > 0)
    expect(others).toEqual([])
    expect((await bob.balances()).quota).toBe(5_000 - row!.quota)
  })

  it('for one user and one account alone: nobody else opens it, and no other key of the same user’s team', async () => {
    const ada = await place(claude, { text: SUMMARY })
    const [, item] = [0, (await compact(ada, claude.model)).output.at(-1)] as [number, Json]
    const bob = await weir.addCaller({ quota: 1_000_000 })
    const owner = weir.visitor()
    await owner.login(ada.user.username, ada.password)
    const { id } = await owner.client.teams.create({ name: `team ${ada.user.id}` })
    await owner.client.teams.transfer({ id, amount: 10_000_000 })
    const ofTeam = await owner.client.tokens.create({ name: 'ours', team_id: id, unlimited_quota: true })
    const own = await owner.client.tokens.create({ name: 'mine', unlimited_quota: true })
    const ask = (key: string, content: string, path = '/v1/responses') =>
      post(path, key, { model: claude.model, input: [{ ...item, encrypted_content: content }, user('Who am I?')] })
    const content: string = item.encrypted_content
    const changed = content.slice(0, 20) + (content[20] === 'A' ? 'B' : 'A') + content.slice(21)
    const before = weir.upstream.requests.length
    for (const [key, sent] of [
      [bob.key, content],
      [`sk-${ofTeam.key}`, content],
      [ada.key, changed],
      [ada.key, content.slice(0, -4)],
    ] as const)
      for (const path of [
        '/v1/responses',
        '/v1/responses/compact',
        '/v1/responses/input_tokens',
        '/v1/estimate/v1/responses',
      ]) {
        const refused = await ask(key, sent, path)
        expect([path, refused.status, refused.text]).toEqual([
          path,
          400,
          expect.stringContaining('invalid_encrypted_content'),
        ])
      }
    expect(weir.upstream.requests).toHaveLength(before)
    expect((await ask(`sk-${own.key}`, content)).status).toBe(200)
    const shared = await compact(ada, claude.model, `sk-${ofTeam.key}`)
    expect((await ask(`sk-${ofTeam.key}`, shared.output.at(-1).encrypted_content)).status).toBe(200)
    expect((await ask(ada.key, shared.output.at(-1).encrypted_content)).status).toBe(400)
  })

  it('by OpenAI itself where the channel is its, and its item goes to the account that made it alone', async () => {
    const ada = await place(openai)
    const body = { model: openai.model, input: HISTORY }
    weir.upstream.reply(withEndpoint({ text: 'You are Ada.' }))
    const answer = JSON.parse((await post('/v1/responses/compact', ada.key, body)).text)
    expect(answer.output.at(-1)).toEqual(ITEM)
    expect(weir.upstream.requests.map(({ path }) => path)).toEqual(['/v1/responses/compact'])
    expect(await ada.logs()).toMatchObject([{ prompt_tokens: 500, completion_tokens: 77 }])

    // Another account, and another maker, of the same model.
    await weir.addChannel({ type: openai.type, models: openai.model, key: 'sk-other', priority: 100 })
    await weir.addChannel({ type: claude.type, models: openai.model, priority: 50 })
    const next = { model: openai.model, input: [...answer.output, user('Who am I?')] }
    weir.upstream.requests.length = 0
    expect((await post('/v1/responses', ada.key, next)).status).toBe(200)
    const [sent] = weir.upstream.requests
    expect(sent!.headers.authorization).not.toContain('sk-other')
    expect(sent!.json.input).toContainEqual(ITEM)
    weir.upstream.reply(() => openai.fail('broken'))
    weir.upstream.requests.length = 0
    expect((await post('/v1/responses', ada.key, next)).status).toBeGreaterThanOrEqual(500)
    expect(weir.upstream.requests.every(({ headers }) => headers.authorization === sent!.headers.authorization)).toBe(
      true,
    )
    const [maker] = (await weir.gateway.ports.storage.channels.all()).toSorted((a, b) => a.priority - b.priority)
    await weir.root.client.channels.update({ id: maker!.id, status: 2 })
    const refused = await post('/v1/responses', ada.key, next)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('account that made')])
  })

  it('by the provider inside a call where every channel of the model does it itself', async () => {
    const ada = await place(openai, { text: 'Fine.' })
    const management = [{ type: 'compaction', compact_threshold: 5 }]
    await ada.openai.responses.create({ model: openai.model, input: HISTORY, context_management: management } as never)
    expect(weir.upstream.requests.map(({ json }) => json.context_management)).toEqual([management])
  })

  it('not for a request without a model, nor of what only its provider keeps', async () => {
    const ada = await place(claude, { text: SUMMARY })
    for (const body of [
      { input: HISTORY },
      { model: claude.model },
      { model: claude.model, input: [ITEM, ...HISTORY] },
      { model: claude.model, input: HISTORY, previous_response_id: 'resp_unknown' },
    ]) {
      const refused = await post('/v1/responses/compact', ada.key, body)
      expect([body, refused.status]).toEqual([body, 400])
    }
    expect(weir.upstream.requests).toEqual([])
  })
})
