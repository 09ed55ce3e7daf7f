// The official OpenAI client against a real server: what it gets, and what it is charged.
import type OpenAI from 'openai'
import { expect, it } from 'vitest'
import type { Balances } from '../support/caller.ts'
import { describeWithGateway, UPSTREAM_KEY } from '../support/gateway.ts'
import { chatReply, chatStream, type TestReply } from '../support/upstream.ts'

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }]
const usage = (prompt: number, completion: number, cached = 0) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
})

/** What a charge does to every balance of a caller with a limited token. */
const charged = (before: Balances, quota: number): Balances => ({
  quota: before.quota - quota,
  used_quota: before.used_quota + quota,
  request_count: before.request_count + 1,
  remain_quota: before.remain_quota - quota,
  token_used: before.token_used + quota,
})

describeWithGateway('the official client', (weir) => {
  it('lists and retrieves the models of the token', async () => {
    await weir.addChannel({ models: 'gpt-4o-mini,gpt-4o' })
    await weir.addChannel({ models: 'for-vips', group: 'vip' })
    const ada = await weir.addCaller()
    const listed = (await ada.openai.models.list()).data
    expect(listed.map(({ id, object, owned_by }) => ({ id, object, owned_by }))).toEqual([
      { id: 'gpt-4o', object: 'model', owned_by: 'openai' },
      { id: 'gpt-4o-mini', object: 'model', owned_by: 'openai' },
    ])
    expect(await ada.openai.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' })
    await expect(ada.openai.models.retrieve('for-vips')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    })
  })

  it('shows a limited token only its models', async () => {
    await weir.addChannel({ models: 'gpt-4o-mini,gpt-4o' })
    const ada = await weir.addCaller({ token: { model_limits_enabled: true, model_limits: 'gpt-4o' } })
    expect((await ada.openai.models.list()).data.map(({ id }) => id)).toEqual(['gpt-4o'])
  })

  it('chats and is charged exactly what the usage costs', async () => {
    const channel = await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000, token: { remain_quota: 500_000 } })
    weir.upstream.reply(chatReply('Hello Ada', usage(1000, 234, 400)))
    const before = await ada.balances()
    const { data, response } = await ada.openai.chat.completions
      .create({ model: weir.model, messages, max_tokens: 300, user: 'kept as it is' })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe('Hello Ada')
    expect(data.usage).toMatchObject({ prompt_tokens: 1000, completion_tokens: 234 })

    const due = weir.due({ prompt: 1000, cached: 400, completion: 234 })
    expect(due).toBeGreaterThan(1)
    expect(await ada.balances()).toEqual(charged(before, due))
    expect((await weir.root.client.channels.get({ id: channel.id })).used_quota).toBe(due)

    const [request] = weir.upstream.requests
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
    expect(request?.headers.authorization).toBe(`Bearer ${UPSTREAM_KEY}`)
    expect(JSON.stringify(request?.headers)).not.toContain(ada.token.key)
    expect(request?.json).toEqual({ model: weir.model, messages, max_tokens: 300, user: 'kept as it is' })
    expect(response.headers.get('x-request-id')).toBe(response.headers.get('x-oneapi-request-id'))
  })

  it('writes a log row with every field of a consumption', async () => {
    const channel = await weir.addChannel({ name: 'the first channel' })
    const ada = await weir.addCaller({ quota: 1_000_000, token: { name: 'my token' } })
    weir.upstream.reply(chatReply('Hello', usage(100, 20, 50)))
    const { response } = await ada.openai.chat.completions.create({ model: weir.model, messages }).withResponse()
    const { items, total } = await weir.root.client.logs.list({ username: ada.user.username, type: 2 })
    expect(total).toBe(1)
    const { other, created_at, id, use_time, content, ...row } = items[0]!
    expect(row).toEqual({
      hold_id: expect.stringMatching(/^\w+$/) as string,
      type: 2,
      user_id: ada.user.id,
      username: ada.user.username,
      token_id: ada.token.id,
      token_name: 'my token',
      channel: channel.id,
      channel_name: 'the first channel',
      group: 'default',
      model_name: weir.model,
      operation: 'chat',
      is_stream: false,
      prompt_tokens: 100,
      completion_tokens: 20,
      quota: weir.due({ prompt: 100, cached: 50, completion: 20 }),
      request_id: response.headers.get('x-request-id'),
    })
    expect(id).toBeGreaterThan(0)
    expect(Math.abs(created_at - Date.now() / 1000)).toBeLessThan(120)
    expect(use_time).toBeLessThan(60)
    const { ModelRatio, CacheRatio } = weir.gateway.settings()
    const detail = JSON.parse(other)
    expect(detail).toMatchObject({
      model_ratio: ModelRatio[weir.model],
      model_price: -1,
      group_ratio: 1,
      completion_ratio: 4,
      cache_tokens: 50,
      cache_ratio: CacheRatio[weir.model],
      admin_info: { use_channel: [String(channel.id)] },
    })
    expect(detail.frt).toBeGreaterThanOrEqual(0)
    expect(content).toContain(`model ratio ${ModelRatio[weir.model]}`)
  })

  it('charges the ratio of the token group, and shows the user nothing of channels', async () => {
    await weir.set('GroupRatio', { default: 1, vip: 2.5 })
    await weir.addChannel({ group: 'default,vip' })
    const ada = await weir.addCaller({ quota: 1_000_000, token: { group: 'vip' } })
    weir.upstream.reply(chatReply('Hello', usage(1000, 100)))
    const before = await ada.balances()
    await ada.openai.chat.completions.create({ model: weir.model, messages })
    const due = weir.due({ prompt: 1000, completion: 100 }, { group: 2.5 })
    expect(before.quota - (await ada.balances()).quota).toBe(due)

    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    const own = (await visitor.client.logs.listSelf({ type: 2 })).items
    expect(own).toHaveLength(1)
    expect(own[0]).toMatchObject({ quota: due, group: 'vip', channel: 0, channel_name: '' })
    expect(JSON.parse(own[0]!.other)).not.toHaveProperty('admin_info')
  })

  it('charges a fixed price per call', async () => {
    await weir.set('ModelPrice', { [weir.model]: 0.002 })
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', usage(1000, 100)))
    await ada.openai.chat.completions.create({ model: weir.model, messages })
    expect((await ada.balances()).quota).toBe(1_000_000 - 0.002 * 500_000)
  })

  it('streams, asks for the usage itself and keeps it from who did not ask', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000, token: { remain_quota: 500_000 } })
    weir.upstream.reply(chatStream(['Hel', 'lo', ' Ada'], usage(500, 77)))
    const before = await ada.balances()
    const stream = await ada.openai.chat.completions.create({ model: weir.model, messages, stream: true })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of stream) chunks.push(chunk)
    // Who has seen the end sees the new balance.
    expect(await ada.balances()).toEqual(charged(before, weir.due({ prompt: 500, completion: 77 })))
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello Ada')
    expect(chunks.every((chunk) => chunk.usage === undefined)).toBe(true)
    expect(weir.upstream.requests[0]?.json.stream_options).toEqual({ include_usage: true })
    expect((await ada.logs())[0]).toMatchObject({ is_stream: true, prompt_tokens: 500, completion_tokens: 77 })
  })

  it('hands the usage to who asked for it', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatStream(['Hello'], usage(500, 77)))
    const stream = await ada.openai.chat.completions.create({
      model: weir.model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 500, completion_tokens: 77 })
  })

  it('passes tools there and calls back, streamed and not', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }]
    const whole: TestReply = {
      body: {
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' }],
        usage: usage(80, 15),
      },
    }
    weir.upstream.reply(whole)
    const tools: OpenAI.ChatCompletionFunctionTool[] = [
      {
        type: 'function',
        function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      },
    ]
    const reply = await ada.openai.chat.completions.create({ model: weir.model, messages, tools })
    expect(reply.choices[0]?.message.tool_calls).toEqual(tool_calls)
    expect(weir.upstream.requests[0]?.json.tools).toEqual(tools)

    const delta = (fields: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: fields, finish_reason }] })}\n\n`
    const part = (text: string) => delta({ tool_calls: [{ index: 0, function: { arguments: text } }] })
    weir.upstream.reply({
      chunks: [
        delta({
          role: 'assistant',
          tool_calls: [{ index: 0, id: 'call_2', type: 'function', function: { name: 'weather', arguments: '' } }],
        }),
        part('{"city":'),
        part('"Bern"}'),
        delta({}, 'tool_calls'),
        `data: ${JSON.stringify({ choices: [], usage: usage(80, 15) })}\n\n`,
        'data: [DONE]\n\n',
      ],
    })
    const final = await ada.openai.chat.completions.stream({ model: weir.model, messages, tools }).finalChatCompletion()
    expect(final.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'weather', arguments: '{"city":"Bern"}' },
    })
    const due = weir.due({ prompt: 80, completion: 15 })
    expect((await ada.balances()).quota).toBe(1_000_000 - 2 * due)
  })

  it('estimates what a provider does not report, and says so', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatStream(['Four letters here. ', 'And a few more words.']))
    const stream = await ada.openai.chat.completions.create({ model: weir.model, messages, stream: true })
    for await (const _ of stream);
    const [row] = await ada.logs()
    expect(JSON.parse(row!.other).estimated).toBe(true)
    expect(row!.completion_tokens).toBeGreaterThan(5)
    const due = weir.due({ prompt: row!.prompt_tokens, completion: row!.completion_tokens })
    expect(row!.quota).toBe(due)
    expect((await ada.balances()).quota).toBe(1_000_000 - due)
  })

  it('answers any page that brings its own key, and never takes cookies', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', usage(1, 1)))
    const answer = await ada.chat({}, { origin: 'https://page.example' })
    expect(answer.headers['access-control-allow-origin']).toBe('https://page.example')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    expect((await visitor.send('GET', '/v1/models')).status).toBe(401)
  })
})
