// Anthropic's own client, unmodified: errors, models, counts, headers, thinking by name; and on channels of others.
import Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, UPSTREAM_KEY } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { chatReply, chatStream, tooMany, type TestReply } from '../support/upstream.ts'

const CLAUDE = 'claude-sonnet-4-5'
const messages = [{ role: 'user' as const, content: 'Hello' }]
const params = { model: CLAUDE, max_tokens: 100, messages }
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }

const message = (more: object = {}): TestReply => ({
  body: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: CLAUDE,
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
    ...more,
  },
})

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const argued = (index: number, text: string) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })

describeWithGateway("Anthropic's client", (weir) => {
  const clientOf = (caller: Caller) => new Anthropic({ baseURL: weir.url, apiKey: caller.key, maxRetries: 0 })
  const claude = (more = {}) => weir.addChannel({ type: 14, models: `${CLAUDE},claude-opus-5`, ...more })

  it('is asked and charged through, with its headers and without its key', async () => {
    await claude()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(message({ usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 1000 } }))
    const before = await ada.balances()
    const client = clientOf(ada)
    const answer = await client.messages.create(params, {
      headers: { 'anthropic-version': '2023-01-01', 'anthropic-beta': 'one,two' },
    })
    expect(answer.content).toEqual([{ type: 'text', text: 'Hi' }])
    const [asked] = weir.upstream.requests
    expect(asked).toMatchObject({ method: 'POST', path: '/v1/messages', json: params })
    expect(asked!.headers).toMatchObject({
      'x-api-key': UPSTREAM_KEY,
      'anthropic-version': '2023-01-01',
      'anthropic-beta': 'one,two',
    })
    expect(JSON.stringify(asked!.headers)).not.toContain(ada.token.key)
    // 10 + 1000 × 0.1 + 5 × 5, at 1.5.
    expect(before.quota - (await ada.balances()).quota).toBe(Math.round(135 * 1.5))
  })

  it('raises its own exceptions, whoever refuses', async () => {
    await claude()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const raised = (asked: Promise<unknown>) =>
      asked.then(
        () => undefined,
        (error: Json) => error,
      )
    const bad = new Anthropic({ baseURL: weir.url, apiKey: 'sk-nobody', maxRetries: 0 })
    const unknown = await raised(bad.messages.create(params))
    expect(unknown).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(unknown.error).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })

    const client = clientOf(ada)
    const invalid = await raised(client.messages.create({ ...params, messages: [] }))
    expect(invalid).toBeInstanceOf(Anthropic.BadRequestError)
    expect(invalid.requestID).toBeTruthy()
    expect(invalid.message).toContain(invalid.requestID)
    expect(await raised(client.messages.create({ ...params, model: 'nobody' }))).toMatchObject({
      status: 404,
      type: 'not_found_error',
    })
    expect(await raised(client.models.retrieve('nobody'))).toBeInstanceOf(Anthropic.NotFoundError)
    expect(await raised(client.messages.batches.list())).toBeInstanceOf(Anthropic.NotFoundError)

    weir.upstream.reply(tooMany())
    expect(await raised(client.messages.create(params))).toBeInstanceOf(Anthropic.RateLimitError)
    const poor = clientOf(await weir.addCaller())
    const broke = await raised(poor.messages.create(params))
    expect(broke).toBeInstanceOf(Anthropic.PermissionDeniedError)
    expect(broke.errorCode).toBe('insufficient_user_quota')
  })

  it('keeps the type and status of a provider that is overloaded', async () => {
    await claude()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    weir.upstream.reply({ status: 529, body })
    await expect(clientOf(ada).messages.create(params)).rejects.toMatchObject({ status: 529, type: 'overloaded_error' })
  })

  it('lists the models page by page', async () => {
    await claude({ models: 'a,b,c,d,e' })
    const client = clientOf(await weir.addCaller())
    const listed: string[] = []
    for await (const { id, type, display_name, created_at } of client.models.list({ limit: 2 })) {
      expect([type, display_name, Number.isNaN(Date.parse(created_at))]).toEqual(['model', id, false])
      listed.push(id)
    }
    expect(listed).toEqual(['a', 'b', 'c', 'd', 'e'])
    const last = await client.models.list({ limit: 2, before_id: 'd' })
    expect([last.data.map(({ id }) => id), last.has_more]).toEqual([['b', 'c'], true])
    expect(await client.models.retrieve('c')).toMatchObject({ id: 'c', type: 'model' })
    expect((await client.models.list({ after_id: 'e' })).data).toEqual([])
  })

  it('counts tokens where the provider counts, else by itself, and is never charged', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const before = await ada.balances()
    const client = clientOf(ada)
    const { max_tokens: _max, ...prompt } = params
    await claude()
    weir.upstream.reply({ body: { input_tokens: 1234 } })
    expect(await client.messages.countTokens(prompt)).toEqual({ input_tokens: 1234 })
    expect(weir.upstream.requests[0]).toMatchObject({ path: '/v1/messages/count_tokens', json: prompt })
    weir.upstream.reply({ status: 500, body: {} })
    const { input_tokens } = await client.messages.countTokens(prompt)
    expect(input_tokens).toBeGreaterThan(3)
    expect(input_tokens).toBeLessThan(20)
    weir.upstream.reply({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'bad' } },
    })
    await expect(client.messages.countTokens(prompt)).rejects.toBeInstanceOf(Anthropic.BadRequestError)

    await weir.addChannel()
    const asked = weir.upstream.requests.length
    expect((await client.messages.countTokens({ ...prompt, model: weir.model })).input_tokens).toBeGreaterThan(3)
    expect(weir.upstream.requests).toHaveLength(asked)
    expect(await ada.balances()).toEqual(before)
  })

  it('thinks by the name of the model, and takes the headers and limits of the operator', async () => {
    const thinking = `${CLAUDE}-thinking`
    await claude({ models: `${thinking},claude-opus-5-thinking` })
    await weir.set('SelfUseModeEnabled', true)
    await weir.set('claude.model_headers_settings', { [thinking]: { 'anthropic-beta': ['x', 'y'] } })
    await weir.set('claude.default_max_tokens', { default: 5000, [thinking]: 6000 })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(message())
    const sent = () => weir.upstream.requests.at(-1)!
    const warm = { ...params, model: thinking, temperature: 0.5 }
    await clientOf(ada).messages.create(warm)
    expect(sent().json).toEqual({
      ...params,
      model: CLAUDE,
      max_tokens: 1280,
      thinking: { type: 'enabled', budget_tokens: 1024 },
    })
    expect(sent().headers['anthropic-beta']).toBe('x,y')

    await ada.chat({ model: thinking })
    expect(sent().json).toMatchObject({ max_tokens: 6000, thinking: { type: 'enabled', budget_tokens: 4800 } })
    await ada.chat({ model: 'claude-opus-5-thinking', temperature: 0.5 })
    expect(sent().json).toMatchObject({
      model: 'claude-opus-5',
      max_tokens: 5000,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    })
    expect(sent().json.temperature).toBeUndefined()

    await weir.set('claude.thinking_adapter_enabled', false)
    await ada.chat({ model: thinking })
    expect(sent().json.model).toBe(thinking)
    expect(sent().json.thinking).toBeUndefined()
  })

  it('talks, streams and calls tools on a channel that speaks OpenAI', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const client = clientOf(ada)
    const asked = { ...params, model: weir.model, system: 'Be kind', top_k: 3, stop_sequences: ['.'] }
    weir.upstream.reply(chatReply('Hello Ada', usage))
    const { data, response } = await client.messages.create(asked).withResponse()
    expect(data).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: 'Hello Ada' }],
      stop_reason: 'end_turn',
    })
    expect(data.usage).toMatchObject({ input_tokens: 9, output_tokens: 4 })
    expect(response.headers.get('x-weir-dropped')).toBe('top_k')
    expect(weir.upstream.requests[0]!.json).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 100,
      stop: ['.'],
    })

    weir.upstream.reply(chatStream(['Hello', ' you'], usage))
    const whole = await client.messages.stream({ ...params, model: weir.model }).finalMessage()
    expect(whole).toMatchObject({ content: [{ type: 'text', text: 'Hello you' }], stop_reason: 'end_turn' })
    expect(whole.usage).toMatchObject({ input_tokens: 9, output_tokens: 4 })

    const call = (index: number, id: string, name: string) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    weir.upstream.reply({
      chunks: [
        chunk({ role: 'assistant', reasoning_content: 'Let me see' }),
        chunk({ content: 'Looking' }),
        call(0, 'a', 'weather'),
        argued(0, '{"city":'),
        argued(0, '"Ulm"}'),
        call(1, 'b', 'time'),
        argued(1, '{}'),
        chunk({}, 'tool_calls'),
        `data: ${JSON.stringify({ id: 'c1', choices: [], usage })}\n\n`,
        'data: [DONE]\n\n',
      ],
    })
    const tools = ['weather', 'time'].map((name) => ({ name, input_schema: { type: 'object' as const } }))
    const called = await client.messages.stream({ ...params, model: weir.model, tools }).finalMessage()
    expect(called.stop_reason).toBe('tool_use')
    expect(called.content).toEqual([
      { type: 'thinking', thinking: 'Let me see', signature: '' },
      { type: 'text', text: 'Looking' },
      { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Ulm' }, caller: { type: 'direct' } },
      { type: 'tool_use', id: 'b', name: 'time', input: {}, caller: { type: 'direct' } },
    ])
  })

  it('sees a stream that breaks as an error, never as an end, wherever it breaks', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { chunks = [] } = chatStream(['Hello', ' you'], usage)
    for (const reset of [0, 1, 2, 3]) {
      weir.upstream.reply({ chunks, reset })
      const whole = clientOf(ada)
        .messages.stream({ ...params, model: weir.model })
        .finalMessage()
      await expect(whole, `after ${reset} chunks`).rejects.toBeInstanceOf(Anthropic.APIError)
    }
  })

  it('charges a hang-up for what was said, at the prices of what was reported', async () => {
    await claude()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
    const started = { usage: { input_tokens: 3, cache_read_input_tokens: 10_000, output_tokens: 1 } }
    const said = { index: 0, delta: { type: 'text_delta', text: 'four'.repeat(10) } }
    const chunks = [
      event('message_start', { message: { id: 'm', content: [], ...started } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', said),
    ]
    weir.upstream.reply({ chunks, reset: 3 })
    await expect(clientOf(ada).messages.stream(params).finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError)
    const [row] = await ada.logs()
    // (3 + 10,000 × 0.1 + 10 × 5) × 1.5
    expect(row!.quota).toBe(Math.round(1053 * 1.5))
  })
})
