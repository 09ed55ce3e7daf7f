// Google's own client against a real server: Gemini's paths, on channels of Gemini's format and of another.
import { ApiError, FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply, chatStream, tooMany } from '../support/upstream.ts'

const GEMINI = 'gemini-2.5-flash'
const contents = 'Hello'
const tools = [
  {
    functionDeclarations: [
      { name: 'weather', parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } } },
    ],
  },
]
const usage = { prompt_tokens: 500, completion_tokens: 77, prompt_tokens_details: { cached_tokens: 100 } }
const answer = (text: string) => ({
  body: {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 500,
      cachedContentTokenCount: 100,
      candidatesTokenCount: 70,
      thoughtsTokenCount: 7,
    },
  },
})
const clientOf = (weir: TestGateway, { key }: Pick<Caller, 'key'>) =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: weir.url } }).models

/** The refusal as Google's client throws it, and the error in its message. */
async function refusal(asked: Promise<unknown>) {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  const { status, message } = error as ApiError
  return { status, error: JSON.parse(message).error }
}

describeWithGateway("Google's client", (weir) => {
  it('chats on a Gemini channel, and is charged exactly what the usage costs', async () => {
    await weir.addChannel({ type: 24, models: GEMINI, key: 'google-key-0123' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(answer('Hello Ada'))
    const { text } = await clientOf(weir, ada).generateContent({ model: GEMINI, contents, config: { temperature: 0 } })
    expect(text).toBe('Hello Ada')
    const due = weir.due({ prompt: 500, cached: 100, completion: 77 }, { model: GEMINI })
    expect((await ada.balances()).quota).toBe(1_000_000 - due)
    const [request] = weir.upstream.requests
    expect(request).toMatchObject({ method: 'POST', path: `/v1beta/models/${GEMINI}:generateContent` })
    expect(request?.headers['x-goog-api-key']).toBe('google-key-0123')
    expect(JSON.stringify(request?.headers)).not.toContain(ada.token.key)
    // Its own bytes pass: nothing of the operator's is put in.
    expect(request?.json).not.toHaveProperty('safetySettings')
  })

  it('chats on a channel of another format, streamed and with tools', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const models = clientOf(weir, ada)
    weir.upstream.reply(chatReply('Hello', usage))
    const whole = await models.generateContent({
      model: weir.model,
      contents,
      config: { systemInstruction: 'be brief', maxOutputTokens: 9, topK: 3, stopSequences: ['.'] },
    })
    expect(whole.text).toBe('Hello')
    expect(whole.candidates?.[0]?.finishReason).toBe('STOP')
    expect(whole.usageMetadata).toMatchObject({
      promptTokenCount: 500,
      cachedContentTokenCount: 100,
      totalTokenCount: 577,
    })
    expect(whole.sdkHttpResponse?.headers?.['x-weir-dropped']).toBe('top_k')
    expect(weir.upstream.requests.at(-1)?.json).toMatchObject({
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 9,
      stop: ['.'],
    })

    weir.upstream.reply(chatStream(['Hel', 'lo'], usage))
    const before = await ada.balances()
    const texts: (string | undefined)[] = []
    let counted: number | undefined
    for await (const chunk of await models.generateContentStream({ model: weir.model, contents })) {
      texts.push(chunk.text)
      counted = chunk.usageMetadata?.totalTokenCount ?? counted
    }
    expect(texts.join('')).toBe('Hello')
    expect(counted).toBe(577)
    const due = weir.due({ prompt: 500, cached: 100, completion: 77 })
    expect((await ada.balances()).quota).toBe(before.quota - due)

    const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }]
    weir.upstream.reply({
      body: {
        id: 'c',
        choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' }],
        usage,
      },
    })
    const called = await models.generateContent({
      model: weir.model,
      contents: [
        { role: 'user', parts: [{ text: 'Bern and Basel?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Basel' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'sunny' } } }] },
      ],
      config: { tools, toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } } },
    })
    expect(called.functionCalls).toEqual([{ id: 'call_1', name: 'weather', args: { city: 'Bern' } }])
    const asked = weir.upstream.requests.at(-1)?.json
    expect(asked).toMatchObject({
      tool_choice: 'required',
      tools: [
        { function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
      ],
    })
    expect(asked.messages[1].tool_calls[0].id).toBe(asked.messages[2].tool_call_id)
    expect(asked.messages[2].content).toBe('sunny')
  })

  it('raises its own exception for every refusal', async () => {
    await weir.addChannel()
    await weir.set('RetryTimes', 0)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const models = clientOf(weir, ada)
    const hi = { model: weir.model, contents }
    expect(await refusal(clientOf(weir, { key: 'sk-nobody' }).generateContent(hi))).toMatchObject({
      status: 401,
      error: { code: 401, status: 'UNAUTHENTICATED' },
    })
    expect(await refusal(models.generateContent({ ...hi, model: 'unheard-of' }))).toMatchObject({
      error: { status: 'NOT_FOUND' },
    })
    expect(await refusal(models.get({ model: 'unheard-of' }))).toMatchObject({
      status: 404,
      error: { status: 'NOT_FOUND' },
    })
    weir.upstream.reply(tooMany('7'))
    const limited = await refusal(models.generateContentStream(hi))
    expect(limited).toMatchObject({ status: 429, error: { status: 'RESOURCE_EXHAUSTED' } })
    expect(JSON.stringify(limited.error.details)).toContain('"retryDelay":"7s"')
    await weir.set('SensitiveWords', 'bomb')
    expect(await refusal(models.generateContent({ ...hi, contents: 'a bomb' }))).toMatchObject({
      status: 400,
      error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'sensitive_words_detected' }] },
    })
    const nobody = await send('POST', `${weir.url}/v1beta/nothing`, { body: {} })
    expect(nobody).toMatchObject({ status: 404, json: { error: { status: 'NOT_FOUND' } } })
  })

  it('lists models page by page, and counts tokens for nothing', async () => {
    await weir.addChannel({ models: 'gpt-4o,gpt-4o-mini,o3' })
    await weir.addChannel({ type: 24, models: GEMINI })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const models = clientOf(weir, ada)
    const listed: (string | undefined)[] = []
    for await (const { name } of await models.list({ config: { pageSize: 2, queryBase: true } })) listed.push(name)
    expect(listed).toEqual(['models/gemini-2.5-flash', 'models/gpt-4o', 'models/gpt-4o-mini', 'models/o3'])
    expect(await models.get({ model: 'gpt-4o' })).toMatchObject({ name: 'models/gpt-4o', displayName: 'gpt-4o' })

    const before = await ada.balances()
    expect((await models.countTokens({ model: 'gpt-4o', contents })).totalTokens).toBeGreaterThan(3)
    weir.upstream.reply({ body: { totalTokens: 31 } })
    expect((await models.countTokens({ model: GEMINI, contents })).totalTokens).toBe(31)
    expect(weir.upstream.requests.at(-1)?.path).toBe(`/v1beta/models/${GEMINI}:countTokens`)
    expect(await ada.balances()).toEqual(before)
  })

  it('may bring its key in the address, and Gemini’s words under /v1 too', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', usage))
    const body = { contents: [{ parts: [{ text: 'hi' }] }] }
    const answered = await send('POST', `${weir.url}/v1/models/${weir.model}:generateContent?key=${ada.key}`, { body })
    expect(answered.json.candidates[0].content.parts).toEqual([{ text: 'Hello' }])
    const listed = await send('GET', `${weir.url}/v1/models?key=${ada.key}`)
    expect(listed.json.models).toHaveLength(1)
    const compatible = await send('GET', `${weir.url}/v1beta/openai/models`, {
      headers: { authorization: `Bearer ${ada.key}` },
    })
    expect(compatible.json).toMatchObject({ object: 'list', data: [{ id: weir.model }] })
  })

  it('gets a stream as one array when it does not ask for events, failures included', async () => {
    await weir.addChannel()
    await weir.set('general_setting.ping_interval_enabled', true)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const ask = () =>
      send('POST', `${weir.url}/v1beta/models/${weir.model}:streamGenerateContent`, {
        headers: { 'x-goog-api-key': ada.key },
        body: { contents: [{ parts: [{ text: 'hi' }] }] },
      })
    weir.upstream.reply(chatStream(['Hel', 'lo'], usage))
    const whole = await ask()
    expect(whole.headers['content-type']).toBe('application/json')
    expect(whole.json.map((chunk: object) => JSON.stringify(chunk)).join()).toContain('"finishReason":"STOP"')
    weir.upstream.reply(chatStream(['Hel', 'lo'], usage, { reset: 2 }))
    const broken = await ask()
    expect(broken.json.at(-1)).toMatchObject({ error: { code: expect.any(Number), status: expect.any(String) } })
  })
})

describeWithGateway('a Gemini channel', (weir) => {
  it("is asked in its own words by OpenAI's client, with the operator's settings", async () => {
    await weir.set('gemini.safety_settings', { default: 'BLOCK_NONE', HARM_CATEGORY_HARASSMENT: 'OFF' })
    await weir.set('gemini.version_settings', { default: 'v1beta', [GEMINI]: 'v1alpha' })
    await weir.addChannel({ type: 24, models: GEMINI, param_override: '{"labels":{"a":"b"}}' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(answer('Hello Ada'))
    const reply = await ada.openai.chat.completions.create({
      model: GEMINI,
      messages: [{ role: 'user', content: 'Hello' }],
      reasoning_effort: 'low',
    })
    expect(reply.choices[0]?.message.content).toBe('Hello Ada')
    expect(reply.usage).toMatchObject({ prompt_tokens: 500, completion_tokens: 77 })
    const [request] = weir.upstream.requests
    expect(request?.path).toBe(`/v1alpha/models/${GEMINI}:generateContent`)
    expect(request?.json).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } },
      labels: { a: 'b' },
    })
    expect(request?.json.safetySettings).toContainEqual({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' })
    expect(request?.json.safetySettings).toContainEqual({
      category: 'HARM_CATEGORY_HATE_SPEECH',
      threshold: 'BLOCK_NONE',
    })
  })

  it.each([
    ['-thinking', { thinkingBudget: 600, includeThoughts: true }],
    ['-thinking-2048', { thinkingBudget: 2048, includeThoughts: true }],
    ['-thinking-999999', { thinkingBudget: 24_576, includeThoughts: true }],
    ['-nothinking', { thinkingBudget: 0 }],
  ])('reads %s out of a model’s name, for callers of both formats', async (suffix, thinkingConfig) => {
    await weir.set('gemini.thinking_adapter_enabled', true)
    await weir.set('SelfUseModeEnabled', true)
    const model = GEMINI + suffix
    await weir.addChannel({ type: 24, models: model })
    const ada = await weir.addCaller({ quota: 100_000_000 })
    weir.upstream.reply(answer('Hello'))
    await ada.openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'hi' }], max_tokens: 1000 })
    await clientOf(weir, ada).generateContent({ model, contents, config: { maxOutputTokens: 1000 } })
    for (const { path, json } of weir.upstream.requests) {
      expect(path).toBe(`/v1beta/models/${GEMINI}:generateContent`)
      expect(json.generationConfig).toEqual({ maxOutputTokens: 1000, thinkingConfig })
    }
    expect((await ada.logs())[0]?.model_name).toBe(model)
  })

  it('leaves names alone where the operator did not switch that on', async () => {
    await weir.set('SelfUseModeEnabled', true)
    await weir.addChannel({ type: 24, models: 'gemini-2.5-flash-thinking' })
    const ada = await weir.addCaller({ quota: 100_000_000 })
    weir.upstream.reply(answer('Hello'))
    await clientOf(weir, ada).generateContent({ model: 'gemini-2.5-flash-thinking', contents })
    expect(weir.upstream.requests[0]?.path).toBe('/v1beta/models/gemini-2.5-flash-thinking:generateContent')
  })
})
