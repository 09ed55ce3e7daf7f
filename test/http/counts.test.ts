// How many tokens a prompt has: asked of the provider where it counts, in whatever format the caller asks, else counted
// here and said so; never charged.
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { makers } from '../support/makers/index.ts'
import type { ReceivedRequest, TestReply } from '../support/upstream.ts'

const COUNT = 321
const [openai, claude, gemini] = makers as [(typeof makers)[0], (typeof makers)[0], (typeof makers)[0]]
const system = 'Be brief.'
const tool = {
  name: 'weather',
  description: 'The weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}

/** The providers that count, and what they refuse. */
function counted({ path, json }: ReceivedRequest): TestReply {
  const refused = { status: 400, body: { error: { message: 'refused' } } }
  if (path === '/v1/messages/count_tokens') {
    return json.max_tokens === undefined && json.stream === undefined ? { body: { input_tokens: COUNT } } : refused
  }
  if (path === '/v1/responses/input_tokens')
    return json.stream === undefined ? { body: { object: 'response.input_tokens', input_tokens: COUNT } } : refused
  const inner = json.generateContentRequest
  const whole = inner ? inner.model === `models/${gemini.model}` : !json.systemInstruction
  return path.endsWith(':countTokens') && whole ? { body: { totalTokens: COUNT } } : refused
}

describeWithGateway('a prompt is counted', (weir) => {
  const asks = (caller: Caller) => ({
    "Anthropic's client": async (model: string) => {
      const client = new Anthropic({ baseURL: weir.url, apiKey: caller.key, maxRetries: 0 })
      const { data, response } = await client.messages
        .countTokens({
          model,
          system,
          messages: [{ role: 'user', content: 'Hello' }],
          tools: [
            { name: tool.name, description: tool.description, input_schema: { ...tool.parameters, type: 'object' } },
          ],
        })
        .withResponse()
      return { tokens: data.input_tokens, estimated: response.headers.get('x-weir-estimated') }
    },
    "Google's client": async (model: string) => {
      const { models } = new GoogleGenAI({ apiKey: caller.key, httpOptions: { baseUrl: weir.url } })
      const { totalTokens = 0, sdkHttpResponse } = await models.countTokens({ model, contents: 'Hello' })
      return { tokens: totalTokens, estimated: sdkHttpResponse?.headers?.['x-weir-estimated'] ?? null }
    },
    "OpenAI's client": async (model: string) => {
      const { data, response } = await caller.openai.responses.inputTokens
        .count({ model, instructions: system, input: 'Hello', tools: [{ type: 'function', ...tool, strict: false }] })
        .withResponse()
      expect(data.object).toBe('response.input_tokens')
      return { tokens: data.input_tokens, estimated: response.headers.get('x-weir-estimated') }
    },
  })

  it.each([claude, gemini])('by $name, for every client', async ({ type, model }) => {
    await weir.addChannel({ type, models: model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const before = await ada.balances()
    weir.upstream.reply(counted)
    for (const [name, ask] of Object.entries(asks(ada))) {
      expect(await ask(model), name).toEqual({ tokens: COUNT, estimated: null })
    }
    expect(weir.upstream.requests).toHaveLength(3)
    const [asked] = weir.upstream.requests
    // All that has tokens is asked about.
    for (const word of ['Hello', system, tool.description]) expect(JSON.stringify(asked!.json)).toContain(word)
    expect(await ada.balances()).toEqual(before)
  })

  it('here, where no provider counts or the one that does is out of order', async () => {
    await weir.addChannel({ type: openai.type, models: openai.model })
    await weir.addChannel({ type: claude.type, models: claude.model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(claude.fail('missing'))
    for (const { model } of [openai, claude]) {
      for (const ask of Object.values(asks(ada))) {
        const { tokens, estimated } = await ask(model)
        expect(estimated).toBe('tokens')
        expect(tokens).toBeGreaterThan(3)
        expect(tokens).toBeLessThan(60)
      }
    }
    // Only channels that may count were asked: of OpenAI's type by callers of its own format alone.
    expect(weir.upstream.requests.map(({ path }) => path)).toEqual([
      '/v1/responses/input_tokens',
      ...Array<string>(3).fill('/v1/messages/count_tokens'),
    ])
    expect((await ada.logs()).length).toBe(0)
  })

  it('of a conversation that Weir keeps, whole, and by OpenAI where the channel is its', async () => {
    await weir.addChannel({ type: openai.type, models: openai.model })
    await weir.addChannel({ type: claude.type, models: claude.model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { responses } = ada.openai
    weir.upstream.reply(counted)
    expect(await asks(ada)["OpenAI's client"](openai.model)).toEqual({ tokens: COUNT, estimated: null })
    weir.upstream.reply((request) =>
      request.path.endsWith('count_tokens') ? counted(request) : claude.say({ text: 'Hello Ada' }, request),
    )
    const { id } = await responses.create({ model: claude.model, input: 'My name is Ada.' })
    const question = { model: claude.model, input: 'Who am I?', previous_response_id: id }
    expect(await responses.inputTokens.count(question)).toMatchObject({ input_tokens: COUNT })
    expect(JSON.stringify(weir.upstream.requests.at(-1)!.json)).toMatch(/My name is Ada.*Hello Ada.*Who am I/)
  })
})
