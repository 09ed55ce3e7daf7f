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

/** Both providers that count, and what they refuse. */
function counted({ path, json }: ReceivedRequest): TestReply {
  const refused = { status: 400, body: { error: { message: 'refused' } } }
  if (path === '/v1/messages/count_tokens') {
    return json.max_tokens === undefined && json.stream === undefined ? { body: { input_tokens: COUNT } } : refused
  }
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
  })

  it.each([claude, gemini])('by $name, for every client', async ({ type, model }) => {
    await weir.addChannel({ type, models: model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const before = await ada.balances()
    weir.upstream.reply(counted)
    for (const [name, ask] of Object.entries(asks(ada))) {
      expect(await ask(model), name).toEqual({ tokens: COUNT, estimated: null })
    }
    expect(weir.upstream.requests).toHaveLength(2)
    const [asked] = weir.upstream.requests
    // All that has tokens is asked about.
    for (const word of ['Hello', system, tool.description]) expect(JSON.stringify(asked!.json)).toContain(word)
    expect(await ada.balances()).toEqual(before)
  })

  it('here, where no provider counts or the one that does is out of order', async () => {
    await weir.addChannel({ type: openai.type, models: openai.model })
    await weir.addChannel({ type: claude.type, models: claude.model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(claude.fail('broken'))
    for (const { model } of [openai, claude]) {
      for (const ask of Object.values(asks(ada))) {
        const { tokens, estimated } = await ask(model)
        expect(estimated).toBe('tokens')
        expect(tokens).toBeGreaterThan(3)
        expect(tokens).toBeLessThan(60)
      }
    }
    // Only the channel that counts was asked.
    expect(weir.upstream.requests.map(({ path }) => path)).toEqual(Array(2).fill('/v1/messages/count_tokens'))
    expect((await ada.logs()).length).toBe(0)
  })
})
