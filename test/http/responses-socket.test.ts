// Responses over a WebSocket: every `response.create` is an ordinary call, whatever its channel speaks.
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { makers } from '../support/makers/index.ts'
import { answering, type Maker, type Said } from '../support/makers/maker.ts'
import { openSocket, refusedUpgrade, type SocketClient } from '../support/responses-socket.ts'
import { justProven, signedIn } from '../support/signed-in.ts'

const EVENTS = { 'content-type': 'text/event-stream' }

describeWithGateway('Responses over a WebSocket', (weir) => {
  async function place(maker: Maker, ...answers: Said[]): Promise<Caller> {
    await weir.addChannel({ type: maker.type, models: maker.model })
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [maker.model]: 1 })
    weir.upstream.reply(answering(maker, ...answers))
    return weir.addCaller({ quota: 100_000_000 })
  }
  async function withSocket<T>({ key }: Caller, act: (client: SocketClient) => Promise<T>, path?: string): Promise<T> {
    const client = await openSocket(weir.url, key, path)
    try {
      return await act(client)
    } finally {
      client.socket.terminate()
      await client.closed
    }
  }
  const textOf = (events: Json[]): string =>
    (events.at(-1)?.response?.output ?? [])
      .flatMap(({ content }: Json) => content ?? [])
      .map(({ text }: Json) => text)
      .join('')
  const [maker] = makers as [Maker]

  describe.each(makers.map((one) => [one.name, one] as const))('of %s', (_, one) => {
    it('brings the events of the stream over HTTP, and costs the same', async () => {
      const ada = await place(one, { thought: 'Greet.', text: 'Hello Ada' })
      const body = { model: one.model, input: 'Hi', reasoning: { effort: 'low' }, metadata: { a: 'b' } }
      const overSocket = await withSocket(ada, (client) => client.ask({ ...body, stream: false }))
      const overHttp: Json[] = []
      const stream = await ada.openai.responses.create({
        ...body,
        stream: true,
      } as OpenAI.Responses.ResponseCreateParamsStreaming)
      for await (const event of stream) overHttp.push(event as Json)
      const shape = (events: Json[]) => events.map(({ type, sequence_number }) => [type, sequence_number])
      expect(shape(overSocket)).toEqual(shape(overHttp))
      expect(textOf(overSocket)).toBe('Hello Ada')
      const rows = await ada.logs()
      expect(rows).toHaveLength(2)
      expect(rows[0]!.quota).toBe(rows[1]!.quota)
      expect(rows[0]!.request_id).not.toBe(rows[1]!.request_id)
      expect((await ada.balances()).quota).toBe(100_000_000 - rows[0]!.quota * 2)
    })

    it('continues what nobody keeps, and refuses the result of a call that is not there', async () => {
      const call = { name: 'weather', args: { city: 'Graz' } }
      const ada = await place(one, { thought: 'Look.', calls: [call] }, { text: 'Warm' }, { text: 'Bye' })
      const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }]
      const body = { model: one.model, store: false, tools, reasoning: { effort: 'low' } }
      await withSocket(ada, async (client) => {
        const first = (await client.ask({ ...body, input: 'Weather?' })).at(-1)!.response
        const { call_id } = first.output.find(({ type }: Json) => type === 'function_call')
        const result = { type: 'function_call_output', call_id, output: '22' }
        const second = await client.ask({ ...body, input: [result], previous_response_id: first.id })
        expect(textOf(second)).toBe('Warm')
        expect(one.hear(weir.upstream.requests[1]!).turns).toMatchObject([
          { role: 'user', text: 'Weather?' },
          { role: 'assistant', calls: [call] },
          { role: 'tool', results: [{ name: 'weather', text: '22' }] },
        ])
        const before = second.at(-1)!.response.id
        const wrong = { type: 'function_call_output', call_id: 'call_none', output: '' }
        const [refused] = await client.ask({ ...body, input: [wrong], previous_response_id: before })
        expect(refused).toMatchObject({ type: 'error', status: 400, error: { code: 'response_no_call' } })
        // What could not be continued is forgotten.
        const [gone] = await client.ask({ ...body, input: 'Bye', previous_response_id: before })
        expect(gone).toMatchObject({ type: 'error', status: 400, error: { code: 'previous_response_not_found' } })
      })
      // The row of the refused ones is written some time later.
      expect((await ada.logs()).filter(({ type }) => type === 2)).toHaveLength(2)
    })

    it('continues from a request that generates nothing, for which no provider is asked', async () => {
      const ada = await place(one, { text: 'Ada' })
      await withSocket(ada, async (client) => {
        const body = { model: one.model, store: false }
        const warm = await client.ask({ ...body, input: 'My name is Ada.', generate: false })
        expect(warm.at(-1)).toMatchObject({
          type: 'response.completed',
          response: { id: expect.stringMatching(/^resp_\w{32}$/), output: [], usage: { output_tokens: 0 } },
        })
        expect(warm.at(-1)!.response.usage.input_tokens).toBeGreaterThan(3)
        expect(weir.upstream.requests).toHaveLength(0)
        const last = await client.ask({ ...body, input: 'Who?', previous_response_id: warm.at(-1)!.response.id })
        expect(textOf(last)).toBe('Ada')
        expect(JSON.stringify(one.hear(weir.upstream.requests[0]!).turns)).toMatch(/My name is Ada.*Who\?/)
      })
      expect(await ada.logs()).toHaveLength(1)
    })

    it('tells a failure once, by its status, and goes on', async () => {
      const ada = await place(one)
      weir.upstream.reply((_request, turn) =>
        turn === 0 ? one.fail('bad request') : one.say({ text: 'Fine' }, weir.upstream.requests[turn]!),
      )
      await withSocket(ada, async (client) => {
        const refused = await client.ask({ model: one.model, input: 'Hi' })
        expect(refused).toMatchObject([{ type: 'error', status: 400, error: { message: expect.any(String) } }])
        expect(textOf(await client.ask({ model: one.model, input: 'Hi' }))).toBe('Fine')
      })
    })
  })

  it.each(makers.map((one) => [one.name, one] as const))(
    'ends a response of %s that breaks off once, as one that failed',
    async (_, one) => {
      const ada = await place(one)
      weir.upstream.reply((request) => {
        const chunks = (one.say({ text: 'Hello Ada and everybody else' }, request).chunks ?? []) as string[]
        const end = chunks.findIndex((chunk) => /"finish_?[rR]eason":"|response\.completed|message_delta/.test(chunk))
        return { headers: EVENTS, chunks: [...chunks.slice(0, end), one.failureEvent] }
      })
      await withSocket(ada, async (client) => {
        const events = await client.ask({ model: one.model, input: 'Hi' })
        expect(events.map(({ type }) => type).filter((type) => /error|failed|completed/.test(type))).toEqual([
          'response.failed',
        ])
        expect(events.at(-1)!.response).toMatchObject({ status: 'failed', error: { message: expect.any(String) } })
        await new Promise((resolve) => setImmediate(resolve))
        expect(client.events).toHaveLength(events.length)
      })
    },
  )

  it('answers lanes beside one another, and each in order', async () => {
    const ada = await place(maker)
    const waiting: (() => void)[] = []
    weir.upstream.reply(async (request) => {
      const asked = JSON.stringify(request.json)
      if (asked.includes('slow')) await new Promise<void>((resolve) => waiting.push(resolve))
      return maker.say({ text: asked.includes('slow') ? 'slow' : 'fast' }, request)
    })
    await withSocket(ada, async (client) => {
      const ask = (stream_id: string, input: string) => client.ask({ model: maker.model, input, stream_id })
      const slow = ask('a', 'slow')
      await eventually(
        () => waiting.length,
        (n) => n === 1,
      )
      client.send({ type: 'response.create', model: maker.model, input: 'second', stream_id: 'a' })
      const fast = await ask('b', 'fast')
      expect(textOf(fast)).toBe('fast')
      expect(fast.every(({ stream_id }) => stream_id === 'b')).toBe(true)
      expect(weir.upstream.requests).toHaveLength(2)
      waiting[0]!()
      expect(textOf(await slow)).toBe('slow')
      const [begun] = [await client.next('a')]
      expect(begun).toMatchObject({ type: 'response.created', stream_id: 'a' })
    })
  })

  it('has bounds for lanes, and says so without closing', async () => {
    const ada = await place(maker, { text: 'Hi' })
    await withSocket(ada, async (client) => {
      for (let lane = 0; lane < 32; lane++)
        await client.ask({ model: 'no such model', input: 'Hi', stream_id: `lane ${lane}` })
      const [refused] = await client.ask({ model: maker.model, input: 'Hi', stream_id: 'one more' })
      expect(refused).toMatchObject({ status: 429, error: { code: 'websocket_stream_limit_reached' } })
      expect(textOf(await client.ask({ model: maker.model, input: 'Hi', stream_id: 'lane 0' }))).toBe('Hi')
    })
  })

  it.each([
    ['no JSON', '{', 400],
    ['another type', { type: 'response.cancel' }, 400],
    ['a background', { type: 'response.create', model: maker.model, input: 'Hi', background: true }, 400],
    ['no model', { type: 'response.create', input: 'Hi' }, 400],
    ['an unknown model', { type: 'response.create', model: 'no such model', input: 'Hi' }, 404],
    ['a lane without a name', { type: 'response.create', model: maker.model, input: 'Hi', stream_id: '' }, 400],
  ])('refuses %s, and goes on', async (_, message, status) => {
    const ada = await place(maker, { text: 'Hello' })
    await withSocket(ada, async (client) => {
      client.send(message)
      expect(await client.next()).toMatchObject({ type: 'error', status, error: { message: expect.any(String) } })
      expect(textOf(await client.ask({ model: maker.model, input: 'Hi' }))).toBe('Hello')
    })
  })

  it.each(['/responses', '/openai/v1/responses', '/v1/responses?a=b'])('is served at %s', async (path) => {
    const ada = await place(maker, { text: 'Hello' })
    const events = await withSocket(ada, (client) => client.ask({ model: maker.model, input: 'Hi' }), path)
    expect(textOf(events)).toBe('Hello')
  })

  it('is 426 where there can be none, and 401 with a wrong key', async () => {
    const ada = await place(maker)
    const bearer = { authorization: `Bearer ${ada.key}` }
    for (const path of ['/v1/responses', '/responses', '/openai/v1/responses']) {
      const plain = await fetch(`${weir.url}${path}`, { headers: bearer })
      expect([path, plain.status]).toEqual([path, 426])
      await plain.body?.cancel()
    }
    const refused = (headers: Record<string, string>) => refusedUpgrade(weir.url, '/v1/responses', headers)
    expect(await refused({ authorization: 'Bearer sk-nobody' })).toEqual({ status: 401, code: 'invalid_api_key' })
    expect(await refused({})).toEqual({ status: 401, code: 'invalid_api_key' })
    await weir.set('responses.sockets_per_user', 1)
    await withSocket(ada, async () => expect(await refused(bearer)).toMatchObject({ status: 426 }))
    await weir.set('responses.sockets_per_user', 0)
    expect(await refused(bearer)).toMatchObject({ status: 426 })
  })

  it('keeps the socket where a balance is used up, and closes it where the key is disabled', async () => {
    const ada = await place(maker, { text: 'Hello' })
    const { gateway } = weir
    await withSocket(ada, async (client) => {
      const body = { model: maker.model, input: 'Hi' }
      expect(textOf(await client.ask(body))).toBe('Hello')
      const { quota } = await ada.balances()
      await weir.root.client.users.update({ id: ada.user.id, quota: 0, quota_before: quota })
      const [poor] = await client.ask(body)
      expect(poor).toMatchObject({ type: 'error', status: 403 })
      const door = { caller: signedIn(ada.user), session: justProven(gateway.ports.clock) }
      await gateway.dispatch('tokens.update', { id: ada.token.id, status: 2, status_only: 'true' }, door)
      expect(await client.closed).toMatchObject({ code: 1008 })
    })
  })

  it('ends what is under way where its caller leaves', async () => {
    const ada = await place(maker)
    await weir.set('relay.hang_up', 'abort')
    weir.upstream.reply({ stall: 'before_head' })
    const client = await openSocket(weir.url, ada.key)
    client.send({ type: 'response.create', model: maker.model, input: 'Hi' })
    await eventually(
      () => weir.upstream.requests.length,
      (n) => n === 1,
    )
    client.socket.terminate()
    await client.closed
    await weir.upstream.idle()
    expect(weir.upstream.aborted).toBeGreaterThan(0)
  })
})
