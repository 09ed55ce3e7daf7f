// Agents of every format on a Claude channel: their second turn is read from Anthropic's cache, and billed so.
import { expect, it } from 'vitest'
import { createClaudeCache } from '../support/claude-cache.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { send } from '../support/server.ts'

const MODEL = 'claude-sonnet-4-5'
const LONG = 'You fix programs with care. '.repeat(400)
const ASKED = 'What stands in a.txt?'
const FOUND = 'The file says: '.padEnd(2000, 'x')
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

/** The same two turns of an agent in a format: `turn` 0 asks, 1 brings the tool's answer. */
const agents: Record<string, { path: string; body(turn: number): object }> = {
  chat: {
    path: '/v1/chat/completions',
    body: (turn) => ({
      model: MODEL,
      tools: [{ type: 'function', function: { name: 'read', parameters } }],
      messages: [
        { role: 'system', content: LONG },
        { role: 'user', content: ASKED },
        ...[
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 't1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
          },
          { role: 'tool', tool_call_id: 't1', content: FOUND },
        ].slice(0, turn * 2),
      ],
    }),
  },
  responses: {
    path: '/v1/responses',
    body: (turn) => ({
      model: MODEL,
      store: false,
      instructions: LONG,
      tools: [{ type: 'function', name: 'read', parameters }],
      input: [
        { role: 'user', content: ASKED },
        ...[
          { type: 'function_call', call_id: 't1', name: 'read', arguments: '{"path":"a.txt"}' },
          { type: 'function_call_output', call_id: 't1', output: FOUND },
        ].slice(0, turn * 2),
      ],
    }),
  },
  gemini: {
    path: `/v1beta/models/${MODEL}:generateContent`,
    body: (turn) => ({
      systemInstruction: { parts: [{ text: LONG }] },
      tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: parameters }] }],
      contents: [
        { role: 'user', parts: [{ text: ASKED }] },
        ...[
          { role: 'model', parts: [{ functionCall: { id: 't1', name: 'read', args: { path: 'a.txt' } } }] },
          { role: 'user', parts: [{ functionResponse: { id: 't1', name: 'read', response: { output: FOUND } } }] },
        ].slice(0, turn * 2),
      ],
    }),
  },
}

describeWithGateway('the cache of Claude', (weir) => {
  /** The channel answers as Anthropic would, with what its cache held. */
  function answer() {
    const cache = createClaudeCache({ least: 1024 })
    const usages: Json[] = []
    weir.upstream.reply(({ json }) => {
      const usage = cache.usageOf(json)
      usages.push(usage)
      const content = [{ type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.txt' } }]
      const more = { stop_reason: 'tool_use', stop_sequence: null, usage }
      return { body: { id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, content, ...more } }
    })
    return usages
  }

  const ask = (caller: Caller, path: string, body: object) =>
    send('POST', weir.url + path, { headers: { authorization: `Bearer ${caller.key}` }, body })

  const marksIn = (json: Json) => JSON.stringify(json).split('"cache_control"').length - 1

  for (const [name, { path, body }] of Object.entries(agents)) {
    it(`holds what an agent's first turn said, for callers of ${name}`, async () => {
      await weir.addChannel({ type: 14, models: MODEL })
      const ada = await weir.addCaller({ quota: 10_000_000 })
      const usages = answer()
      await ask(ada, path, body(0))
      const before = await ada.balances()
      expect((await ask(ada, path, body(1))).status).toBe(200)
      const [first, second] = usages as [Json, Json]
      expect(first.cache_creation_input_tokens).toBeGreaterThan(2500)
      expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
      expect(second.cache_creation_input_tokens).toBeGreaterThan(400)
      expect(second.input_tokens).toBe(0)
      // Read at a tenth, written at five quarters, answers at five times the price of 1.5.
      const { cache_read_input_tokens: read, cache_creation_input_tokens: written, output_tokens: said } = second
      const charge = Math.round((read * 0.1 + written * 1.25 + said * 5) * 1.5)
      expect(before.quota - (await ada.balances()).quota).toBe(charge)
      const [row] = await ada.logs()
      expect(row!.quota).toBe(charge)
      expect(JSON.parse(row!.other)).toMatchObject({ cache_tokens: read, cache_creation_tokens: written })
    })
  }

  it('is asked for as the operator says, and not where no second call is likely', async () => {
    await weir.addChannel({ type: 14, models: MODEL })
    const ada = await weir.addCaller({ quota: 10_000_000 })
    answer()
    const sent = () => marksIn(weir.upstream.requests.at(-1)!.json)
    const once = { model: MODEL, messages: [{ role: 'user', content: LONG }] }
    const { path, body } = agents.chat!
    await ask(ada, path, once)
    expect(sent()).toBe(0)
    await weir.set('claude.prompt_caching', 'always')
    await ask(ada, path, once)
    expect(sent()).toBe(1)
    await weir.set('claude.prompt_caching', 'never')
    await ask(ada, path, body(1))
    expect(sent()).toBe(0)
    const marked = [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }]
    await ask(ada, path, { ...once, messages: [{ role: 'user', content: marked }] })
    expect(sent()).toBe(1)
  })

  it("leaves the bytes of Claude's own callers alone", async () => {
    await weir.addChannel({ type: 14, models: MODEL })
    const ada = await weir.addCaller({ quota: 10_000_000 })
    answer()
    const tools = [{ name: 'read', input_schema: parameters }]
    const body = { model: MODEL, max_tokens: 100, tools, messages: [{ role: 'user', content: LONG }] }
    await ask(ada, '/v1/messages', body)
    expect(weir.upstream.requests.at(-1)!.json).toEqual(body)
  })
})

describeWithGateway('a limit that nobody names', (weir) => {
  it("is the model's own, or the operator's", async () => {
    await weir.addChannel({ type: 14, models: `${MODEL},claude-unheard-of-9` })
    await weir.set('SelfUseModeEnabled', true)
    const ada = await weir.addCaller({ quota: 10_000_000 })
    const body = { id: 'm', type: 'message', role: 'assistant', model: MODEL, content: [], stop_reason: 'end_turn' }
    weir.upstream.reply({ body: { ...body, usage: { input_tokens: 1, output_tokens: 1 } } })
    const limitOf = async (path: string, more: object = {}) => {
      const asked = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], ...more }
      await send('POST', weir.url + path, { headers: { authorization: `Bearer ${ada.key}` }, body: asked })
      return weir.upstream.requests.at(-1)!.json.max_tokens as number
    }
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      expect(await limitOf(path)).toBe(64_000)
      expect(await limitOf(path, { stream: true })).toBe(64_000)
      expect(await limitOf(path, { max_tokens: 7 })).toBe(7)
      expect(await limitOf(path, { model: 'claude-unheard-of-9' })).toBe(8192)
      const long = [{ role: 'user', content: 'word '.repeat(125_000) }]
      expect(await limitOf(path, { messages: long })).toBeLessThan(30_000)
    }
    await weir.set('claude.default_max_tokens', { default: 5000, 'claude-unheard-of-9': 600 })
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      expect(await limitOf(path)).toBe(5000)
      expect(await limitOf(path, { model: 'claude-unheard-of-9' })).toBe(600)
    }
  })
})
