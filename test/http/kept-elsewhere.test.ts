// References to data that only its vendor stores are rejected for channels of other formats before anything is sent, in
// the form on which the vendor's client falls back. A channel that has the data is preferred.
import Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { chatReply } from '../support/upstream.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const hello = [{ role: 'user' as const, content: 'Hello' }]
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 100, output_tokens: 20 },
}

const CHAT_ONLY = 42
const ANTHROPIC = 14

describeWithGateway('what only its vendor keeps', (weir) => {
  const claude = (ada: Caller) =>
    new Anthropic({ apiKey: ada.openai.apiKey, baseURL: new URL(ada.openai.baseURL).origin, maxRetries: 0 })

  const asked: Record<string, (ada: Caller) => Promise<unknown>> = {
    thread: (ada) =>
      claude(ada).messages.create({
        ...{ model: weir.model, max_tokens: 9, messages: hello },
        ...({ thread: { type: 'create' } } as object),
      }),
    container: (ada) =>
      claude(ada).messages.create({ model: weir.model, max_tokens: 9, messages: hello, container: 'container_1' }),
    mcp_servers: (ada) =>
      claude(ada).beta.messages.create({
        ...{ model: weir.model, max_tokens: 9, messages: hello },
        mcp_servers: [{ type: 'url', name: 'a', url: 'https://a.test' }],
      }),
    conversation: (ada) => ada.openai.responses.create({ model: weir.model, input: 'x', conversation: 'conv_1' }),
    prompt: (ada) => ada.openai.responses.create({ model: weir.model, prompt: { id: 'pmpt_1' } }),
    'tools.file_search': (ada) =>
      ada.openai.responses.create({
        ...{ model: weir.model, input: 'x' },
        tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }],
      }),
    cachedContent: async (ada) => {
      const body = { contents: [{ role: 'user', parts: [{ text: 'x' }] }], cachedContent: 'cachedContents/1' }
      const address = `${new URL(ada.openai.baseURL).origin}/v1beta/models/${weir.model}:generateContent`
      const headers = { 'x-goog-api-key': ada.openai.apiKey ?? '', 'content-type': 'application/json' }
      const reply = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
      if (reply.status !== 200) throw Object.assign(new Error(await reply.text()), { status: reply.status })
      return reply.json()
    },
  }

  it.each(Object.keys(asked))('%s is refused, and nothing is sent or charged', async (field) => {
    const channel = await weir.addChannel({ type: CHAT_ONLY })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const before = await ada.balances()
    const failed = (await asked[field]!(ada).catch((error: unknown) => error)) as Json
    expect(failed).toMatchObject({ status: 400, message: expect.stringContaining(field) })
    expect(weir.upstream.requests).toHaveLength(0)
    expect(await ada.balances()).toEqual(before)
    // The channel is as well as before.
    weir.upstream.reply(chatReply('Hello', usage))
    await ada.openai.chat.completions.create({ model: weir.model, messages: hello })
    expect((await ada.logs())[0]).toMatchObject({ channel: channel.id })
  })

  it("Anthropic's client reads that its conversation is not kept", async () => {
    await weir.addChannel({ type: CHAT_ONLY })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const failed = (await asked.thread!(ada).catch((error: unknown) => error)) as Json
    expect(failed.constructor.name).toBe('ThreadUnsupportedRequestError')
    expect(failed.error.error.details).toEqual({ error_code: 'thread_unsupported_request', unsupported: ['thread'] })
    const other = (await asked.container!(ada).catch((error: unknown) => error)) as Json
    expect(other.error.error.details).toMatchObject({ unsupported: ['container'] })
  })

  it.each([0, 3])('goes to the channel that can, with %i retries, behind others that cannot', async (retries) => {
    for (let at = 0; at < 3; at++) await weir.addChannel({ type: CHAT_ONLY, priority: 10 })
    const own = await weir.addChannel({ type: ANTHROPIC })
    await weir.set('RetryTimes', retries)
    await weir.set('objects.allowed', { default: ['container:container_1'] })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: message })
    await asked.container!(ada)
    expect(weir.upstream.requests[0]!.json).toMatchObject({ container: 'container_1' })
    const [row] = await ada.logs()
    expect(row).toMatchObject({ channel: own.id })
    expect(JSON.parse(row!.other).admin_info.use_channel).toEqual([String(own.id)])
  })
})
