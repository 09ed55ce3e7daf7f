// Bodies with a value of another kind than belongs there: refused with its path, in the caller's dialect, before a provider
// of another format is asked; and what a provider used counts, also where its answer cannot be said.
import { expect, it } from 'vitest'
import { describeBothGateways } from '../support/gateway.ts'
import { makers } from '../support/makers/index.ts'
import { send } from '../support/server.ts'

/** No text, and nothing that could be made one. */
const WRONG = { toString: 1 }
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const [openai, anthropic, gemini] = makers as [(typeof makers)[0], (typeof makers)[0], (typeof makers)[0]]
const user = { role: 'user', content: 'Hello' }

const CASES: [path: string, maker: (typeof makers)[0], body: object, param: string][] = [
  ['/v1/chat/completions', anthropic, { messages: [user, { role: WRONG, content: 'a' }] }, 'messages[1].role'],
  [
    '/v1/chat/completions',
    gemini,
    { messages: [{ role: 'user', content: [{ type: WRONG }] }] },
    'messages[0].content[0].type',
  ],
  [
    '/v1/chat/completions',
    gemini,
    { messages: [user], tools: [{ function: { name: [WRONG] } }] },
    'tools[0].function.name',
  ],
  ['/v1/chat/completions', anthropic, { messages: [user], temperature: 'hot' }, 'temperature'],
  [
    '/v1/responses',
    anthropic,
    { input: [{ role: 'user', content: [{ type: 'input_text', text: [WRONG] }] }] },
    'input[0].content[0].text',
  ],
  ['/v1/responses', gemini, { input: 'a', tools: [{ type: WRONG }] }, 'tools[0].type'],
  ['/v1/completions', anthropic, { prompt: 'a', stop: ['a', WRONG] }, 'stop[1]'],
  [
    '/v1/messages',
    openai,
    { max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'text', text: WRONG }] }] },
    'messages[0].content[0].text',
  ],
  ['/v1/messages', gemini, { max_tokens: 9, messages: [user], metadata: { user_id: WRONG } }, 'metadata.user_id'],
  [
    '/v1beta/models/MODEL:generateContent',
    openai,
    { contents: [{ role: WRONG, parts: [{ text: 'a' }] }] },
    'contents[0].role',
  ],
  [
    '/v1beta/models/MODEL:generateContent',
    anthropic,
    { contents: [{ parts: [{ text: WRONG }] }] },
    'contents[0].parts[0].text',
  ],
]

describeBothGateways('a value of the wrong kind', (weir) => {
  it.each(CASES)('at %s is refused with its path', async (path, maker, body, param) => {
    await weir.addChannel({ type: maker.type, models: maker.model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const answer = await send('POST', weir.url + path.replace('MODEL', maker.model), {
      headers: { authorization: `Bearer ${ada.key}` },
      body: { model: maker.model, ...body },
    })
    expect(answer.status).toBe(400)
    const { message, param: told } = answer.json.error
    expect(message).toContain(`Invalid parameters: ${param} must be `)
    if (path.startsWith('/v1/') && path !== '/v1/messages') expect(told).toBe(param)
    expect(weir.upstream.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(1_000_000)
  })

  it.each([
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/messages',
    '/v1/embeddings',
    '/v1beta/models/MODEL:generateContent',
  ])('and so is what is nested too deeply at %s, also where the format stays', async (path) => {
    const { type, model } = path === '/v1/messages' ? anthropic : path.includes('MODEL') ? gemini : openai
    await weir.addChannel({ type, models: model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    for (const levels of [200, 100_000]) {
      const { status, json } = await send('POST', weir.url + path.replace('MODEL', model), {
        headers: { authorization: `Bearer ${ada.key}` },
        body: `{"model":"${model}","input":"a","metadata":${deep(levels)}}`,
      })
      expect(status).toBe(400)
      expect(json.error.message).toContain('The request body is nested more than 128 levels deep')
    }
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('in an answer does not make it free', async () => {
    const { type, model } = anthropic
    await weir.addChannel({ type, models: model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const content = `[{"type":"tool_use","id":"c","name":"f","input":{"a":${deep(100_000)}}}]`
    weir.upstream.reply({
      headers: { 'content-type': 'application/json' },
      body: `{"type":"message","role":"assistant","content":${content},"usage":{"input_tokens":500,"output_tokens":77}}`,
    })
    const { status } = await ada.chat({ model })
    expect(status).toBeGreaterThanOrEqual(500)
    expect((await ada.balances()).quota).toBeLessThan(1_000_000)
    expect(await ada.logs()).toMatchObject([{ prompt_tokens: 500, completion_tokens: 77 }])
  })
})
