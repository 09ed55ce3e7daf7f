// The keys of a channel's setting, each through a real server, streamed and not.
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { send } from '../support/server.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const quota = 1_000_000
const messages = [{ role: 'user' as const, content: 'Hello' }]
const usage = { prompt_tokens: 500, completion_tokens: 77 }
const setting = (keys: object) => ({ setting: JSON.stringify(keys) })

/** A thinking answer, with a field that no standard knows. */
const thoughts = [
  { role: 'assistant', content: '' },
  { reasoning_content: 'Let me' },
  { reasoning_content: ' see.' },
  { content: 'Hello' },
]
const odd = { service: { region: 'x' } }
const thinkingStream = () => ({
  chunks: [
    ...thoughts.map(
      (delta) => `data: ${JSON.stringify({ id: 'i', model: 'theirs', ...odd, choices: [{ index: 0, delta }] })}\n\n`,
    ),
    `data: ${JSON.stringify({ id: 'i', model: 'theirs', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    `data: ${JSON.stringify({ id: 'i', model: 'theirs', choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ],
})
const thinkingReply = () => ({
  body: {
    id: 'i',
    model: 'theirs',
    ...odd,
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', reasoning_content: 'Let me see.', content: 'Hello' },
      },
    ],
    usage,
  },
})

const eventsIn = (text: string): Json[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as Json)
const textIn = (events: Json[]) => events.map((event) => event.choices[0]?.delta.content ?? '').join('')

describeWithGateway('a channel setting', (weir) => {
  const due = () => weir.due({ prompt: 500, completion: 77 })
  const post = (ada: Caller, path: string, body: object) =>
    send('POST', `${weir.url}${path}`, { headers: { authorization: `Bearer ${ada.key}` }, body })

  it('force_format: answers come in the standard shape alone', async () => {
    await weir.addChannel(setting({ force_format: true }))
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(thinkingStream())
    const events = eventsIn((await ada.chat({ stream: true })).text)
    for (const event of events) {
      expect(Object.keys(event)).toEqual(['id', 'object', 'created', 'model', 'choices'])
      expect(event).toMatchObject({ id: 'i', object: 'chat.completion.chunk', model: 'theirs' })
    }
    expect(textIn(events)).toBe('Hello')
    weir.upstream.reply(thinkingReply())
    const { json } = await ada.chat({})
    expect(json).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: 'Hello' } }] })
    expect(json.service).toBeUndefined()
    expect((await ada.balances()).quota).toBe(quota - 2 * due())
  })

  it('thinking_to_content: thoughts are the beginning of the text', async () => {
    await weir.addChannel(setting({ thinking_to_content: true }))
    const ada = await weir.addCaller({ quota })
    const whole = '<think>\nLet me see.\n</think>\nHello'
    weir.upstream.reply(thinkingStream())
    const events = eventsIn((await ada.chat({ stream: true })).text)
    expect(textIn(events)).toBe(whole)
    expect(JSON.stringify(events)).not.toContain('reasoning')
    weir.upstream.reply(thinkingReply())
    const { message } = (await ada.openai.chat.completions.create({ model: weir.model, messages })).choices[0]!
    expect(message).toEqual({ role: 'assistant', content: whole, refusal: null })
    // A format with a place of its own for thoughts keeps them there.
    weir.upstream.reply(thinkingReply())
    const claude = await post(ada, '/v1/messages', { model: weir.model, max_tokens: 99, messages })
    expect(claude.json.content.map(({ type }: Json) => type)).toEqual(['thinking', 'text'])
  })

  it('requested_model_in_answers: callers read the name they asked for, and every other byte as it came', async () => {
    await weir.addChannel({
      ...setting({ requested_model_in_answers: true }),
      model_mapping: `{"${weir.model}":"theirs"}`,
    })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(thinkingStream())
    const events = eventsIn((await ada.chat({ stream: true })).text)
    expect(new Set(events.map(({ model }) => model))).toEqual(new Set([weir.model]))
    expect(events[0].service).toEqual(odd.service)
    weir.upstream.reply(thinkingReply())
    expect((await ada.chat({})).json).toEqual({ ...thinkingReply().body, model: weir.model })
    weir.upstream.reply(thinkingReply())
    expect((await post(ada, '/v1/messages', { model: weir.model, max_tokens: 99, messages })).json.model).toBe(
      weir.model,
    )
  })

  it('requested_model_in_answers: also where the name stands deeper, in events of other formats', async () => {
    const model = 'claude-sonnet-4-5'
    await weir.addChannel({ ...setting({ requested_model_in_answers: true }), type: 14, models: model })
    const ada = await weir.addCaller({ quota })
    const start = {
      type: 'message_start',
      message: { id: 'm', model: 'theirs', usage: { input_tokens: 9, output_tokens: 1 } },
    }
    const frames = [
      start,
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'my model' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]
    weir.upstream.reply({ chunks: frames.map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`) })
    const events = eventsIn((await post(ada, '/v1/messages', { model, max_tokens: 9, stream: true, messages })).text)
    expect(events).toEqual([{ ...start, message: { ...start.message, model } }, ...frames.slice(1)])
  })

  it('system_prompt: said where the caller says nothing of the kind, in every format', async () => {
    await weir.addChannel(setting({ system_prompt: 'Be kind.' }))
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatReply('Hello', usage))
    const said = () => weir.upstream.requests.at(-1)!.json
    await ada.chat({})
    expect(said().messages).toEqual([{ role: 'system', content: 'Be kind.' }, ...messages])
    const own = [{ role: 'developer', content: 'Be terse.' }, ...messages]
    await ada.chat({ messages: own })
    expect(said().messages).toEqual(own)
    await post(ada, '/v1/messages', { model: weir.model, max_tokens: 99, messages })
    expect(said().messages[0]).toEqual({ role: 'system', content: 'Be kind.' })
    weir.upstream.reply(chatStream(['Hello'], usage))
    await ada.chat({ stream: true })
    expect(said().messages[0]).toEqual({ role: 'system', content: 'Be kind.' })
    weir.upstream.reply({
      body: {
        id: 'r',
        object: 'response',
        status: 'completed',
        output: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    })
    await post(ada, '/v1/responses', { model: weir.model, input: 'Hello' })
    expect(said().instructions).toBe('Be kind.')
  })

  it('system_prompt_override: said before what the caller says', async () => {
    const keys = setting({ system_prompt: 'Be kind.', system_prompt_override: true })
    await weir.addChannel(keys)
    await weir.addChannel({ ...keys, type: 14, models: 'claude-sonnet-4-5' })
    await weir.addChannel({ ...keys, type: 24, models: 'gemini-2.5-flash' })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply({ status: 400, body: {} })
    const said = () => weir.upstream.requests.at(-1)!.json
    await ada.chat({ messages: [{ role: 'system', content: 'Be terse.' }, ...messages] })
    expect(said().messages).toEqual([{ role: 'system', content: 'Be kind.\n\nBe terse.' }, ...messages])
    await post(ada, '/v1/responses', { model: weir.model, instructions: 'Be terse.', input: 'Hello' })
    expect(said().instructions).toBe('Be kind.\n\nBe terse.')
    const claude = { model: 'claude-sonnet-4-5', max_tokens: 9, messages }
    await post(ada, '/v1/messages', { ...claude, system: 'Be terse.' })
    expect(said().system).toBe('Be kind.\n\nBe terse.')
    await post(ada, '/v1/messages', { ...claude, system: [{ type: 'text', text: 'Be terse.' }] })
    expect(said().system).toEqual([
      { type: 'text', text: 'Be kind.\n\n' },
      { type: 'text', text: 'Be terse.' },
    ])
    await ada.chat({ model: 'claude-sonnet-4-5', messages: [{ role: 'system', content: 'Be terse.' }, ...messages] })
    expect(JSON.stringify(said().system)).toMatch(/Be kind\..*Be terse\./)
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
    await post(ada, '/v1beta/models/gemini-2.5-flash:generateContent', {
      contents,
      system_instruction: { parts: [{ text: 'Be terse.' }] },
    })
    expect(said().system_instruction.parts).toEqual([{ text: 'Be kind.\n\n' }, { text: 'Be terse.' }])
  })

  it('pass_through_body_enabled: the body goes out as it came, but for the model; the option for all: unchanged', async () => {
    const keys = { model_mapping: `{"${weir.model}":"theirs"}`, param_override: '{"temperature":0}' }
    const channel = await weir.addChannel({
      ...keys,
      ...setting({ pass_through_body_enabled: true, system_prompt: 'No.' }),
    })
    const ada = await weir.addCaller({ quota })
    const body = `{ "messages":[{"role":"user","content":"Hello"}],  "model": "${weir.model}", "odd": 1.50, "stream": true }`
    const asked = () =>
      send('POST', `${weir.url}/v1/chat/completions`, { headers: { authorization: `Bearer ${ada.key}` }, body })
    const sent = () => Buffer.from(weir.upstream.requests.at(-1)!.body).toString()
    weir.upstream.reply(chatStream(['Hello']))
    await asked()
    expect(sent()).toBe(body.replace(weir.model, 'theirs'))
    // Nobody asked for usage: our own count is charged, and the log says so.
    expect(JSON.parse((await ada.logs())[0]!.other)).toMatchObject({ estimated: true })

    await weir.root.client.channels.update({ id: channel.id, setting: '' })
    await weir.set('global.pass_through_request_enabled', true)
    await asked()
    expect(sent()).toBe(body)
    // A request of another format is written in the provider's, for no provider could read it otherwise.
    weir.upstream.reply(chatReply('Hello', usage))
    await post(ada, '/v1/messages', { model: weir.model, max_tokens: 99, messages })
    expect(weir.upstream.requests.at(-1)!.json).toMatchObject({ model: weir.model, temperature: 0 })
  })

  it('headers: the operator’s own, but none that say whose the request is', async () => {
    await weir.addChannel(setting({ headers: { 'X-Team': 'blue', Accept: 'application/json; odd' } }))
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatReply('Hello', usage))
    await ada.chat({})
    expect(weir.upstream.requests[0]!.headers).toMatchObject({
      'x-team': 'blue',
      accept: 'application/json; odd',
      authorization: 'Bearer upstream-secret-0123456789',
    })
    for (const name of [
      'Host',
      'authorization',
      'X-Api-Key',
      'Connection',
      'content-length',
      'transfer-encoding',
      'a b',
    ]) {
      await expect(weir.addChannel(setting({ headers: { [name]: 'x' } }))).rejects.toThrow(/headers\./)
    }
    await expect(weir.addChannel(setting({ headers: { ok: 'a\r\nb: c' } }))).rejects.toThrow(/headers\.ok/)
  })

  it('proxy: every call of the channel goes through it', async () => {
    const through: string[] = []
    const proxy = createServer().on('connect', (request, socket, head) => {
      through.push(request.url ?? '')
      const { port, hostname } = new URL(`http://${request.url}`)
      const there = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        there.write(head)
        socket.pipe(there).pipe(socket)
      })
      there.on('error', () => socket.destroy())
      socket.on('error', () => there.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    try {
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      await weir.addChannel(setting({ proxy: address }))
      const ada = await weir.addCaller({ quota })
      weir.upstream.reply(chatReply('Hello', usage))
      expect((await ada.chat({})).status).toBe(200)
      weir.upstream.reply(chatStream(['Hello'], usage))
      expect(textIn(eventsIn((await ada.chat({ stream: true })).text))).toBe('Hello')
      expect(new Set(through)).toEqual(new Set([weir.upstream.url.slice('http://'.length)]))
      await expect(weir.addChannel(setting({ proxy: 'ftp://x' }))).rejects.toThrow(/proxy/)
    } finally {
      proxy.close()
    }
  })

  it('remark: is found by the search, and in the file of the state', async () => {
    const { id } = await weir.addChannel({ name: 'remarked', remark: ' contract ends in May ' })
    const { channels, state } = weir.root.client
    expect((await channels.get({ id })).remark).toBe('contract ends in May')
    expect((await channels.search({ keyword: 'ENDS in may' })).map((channel) => channel.id)).toEqual([id])
    const { slug } = await channels.get({ id })
    const document = { weir: 1, channels: { [slug]: { remark: 'renewed' } } }
    await state.apply({ document })
    expect((await channels.get({ id })).remark).toBe('renewed')
    expect((await state.plan({ document })).changes).toEqual([])
    await expect(channels.update({ id, remark: 'x'.repeat(256) })).rejects.toThrow(/remark/i)
  })

  it('of the wrong kind is refused when it is saved', async () => {
    await expect(weir.addChannel(setting({ force_format: 'yes' }))).rejects.toThrow(/force_format/)
  })
})
