// Chat requests: the head, the byte-exact patch, and the neutral form both ways.
import { joinParts } from '../../../core/dialects/json/json-bytes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, ModelRequest } from '../../../core/dialects/model-request.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import { estimatePromptTokens } from '../../../core/dialects/openai-chat/head.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const text = (run: Uint8Array) => new TextDecoder().decode(run)
const hello = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
const headOf = (more: object = {}) => openaiChat.readRequestHead(bytes({ ...hello, ...more }))

describe('readHead', () => {
  it('takes out what a call needs', () => {
    expect(headOf()).toEqual({
      ...{ model: 'm', stream: false, include_usage: false, prompt_estimate: expect.any(Number) },
      ...{ calls: false, searches: false, shows_thoughts: false },
    })
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(headOf({ tools, web_search_options: {}, reasoning_effort: 'low' })).toMatchObject({
      ...{ calls: true, searches: true, effort: 'low' },
    })
    expect(headOf({ stream: true, stream_options: { include_usage: true }, max_tokens: 5 })).toMatchObject({
      stream: true,
      include_usage: true,
      max_tokens: 5,
    })
    expect(headOf({ max_completion_tokens: 9, max_tokens: null }).max_tokens).toBe(9)
    expect(headOf({ max_tokens: 0 }).max_tokens).toBe(0)
  })

  it.each([
    ['', 'request.unreadable'],
    ['nonsense', 'request.unreadable'],
    ['[]', 'request.unreadable'],
    ['null', 'request.unreadable'],
    [{ messages: hello.messages }, 'request.no_model'],
    [{ ...hello, model: '' }, 'request.no_model'],
    [{ ...hello, model: 7 }, 'request.no_model'],
    [{ model: 'm' }, 'request.invalid'],
    [{ model: 'm', messages: [] }, 'request.invalid'],
    [{ model: 'm', messages: 'hi' }, 'request.invalid'],
    [{ model: 'm', messages: ['hi'] }, 'request.invalid'],
    [{ ...hello, stream: 'true' }, 'request.invalid'],
    [{ ...hello, max_tokens: -1 }, 'request.invalid'],
    [{ ...hello, max_tokens: 1.5 }, 'request.invalid'],
    [{ ...hello, max_tokens: '5' }, 'request.invalid'],
    [{ ...hello, max_tokens: 1073741824 }, 'request.invalid'],
    [{ ...hello, max_completion_tokens: 1e300 }, 'request.invalid'],
  ])('refuses %j with %s', (body, code) => {
    expect(() => openaiChat.readRequestHead(bytes(body))).toThrow(expect.objectContaining({ code }))
  })

  it('refuses bytes that are not UTF-8', () => {
    const body = bytes(hello)
    body[body.indexOf(0x48)] = 0xff
    expect(() => openaiChat.readRequestHead(body)).toThrow(expect.objectContaining({ code: 'request.unreadable' }))
  })

  it('estimates the prompt: texts, pictures, files, tools', () => {
    const of = (content: unknown, more: object = {}) =>
      headOf({ messages: [{ role: 'user', content }], ...more }).prompt_estimate
    const empty = of('')
    expect(empty).toBe(7)
    expect(of('x'.repeat(400)) - empty).toBe(100)
    expect(of('字'.repeat(100)) - empty).toBe(90)
    expect(of('😀'.repeat(10)) - empty).toBe(9)
    expect(of([{ type: 'image_url', image_url: { url: 'data:image/png;base64,' + 'A'.repeat(9999) } }]) - empty).toBe(
      255,
    )
    expect(of([{ type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } }]) - empty).toBe(85)
    expect(of([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]) - empty).toBe(100)
    expect(of([{ type: 'file', file: { file_data: 'AAAA' } }]) - empty).toBe(5000)
    const tool = {
      type: 'function',
      function: { name: 'find', description: 'x'.repeat(40), parameters: { type: 'object' } },
    }
    const one = of('', { tools: [tool] })
    expect(one).toBeGreaterThan(empty + 18)
    expect(of('', { tools: [tool, tool] }) - empty).toBeCloseTo(2 * (one - empty), -1)
  })

  it('is a whole number of at least 1 for any messages', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('role', 'content', 'name', 'tool_calls'), fc.jsonValue()), {
          minLength: 1,
        }),
        (messages) => {
          const estimate = estimatePromptTokens({ model: 'm', messages })
          expect(Number.isInteger(estimate) && estimate >= 1).toBe(true)
        },
      ),
    )
  })
})

describe('patchRequest', () => {
  const patch = (body: string, model: string, override: Record<string, unknown> = {}) => {
    const raw = bytes(body)
    return text(joinParts(openaiChat.patchRequestBody(raw, { model, head: openaiChat.readRequestHead(raw), override })))
  }
  const messages = '"messages":[{"role":"user","content":"{\\"model\\":\\"no\\"}"}]'

  it('replaces the model and leaves every other byte', () => {
    expect(patch(`{ "seed": 1.0, "model" : "a", ${messages}, "x_unknown":[1e2] }`, 'b"c')).toBe(
      `{ "seed": 1.0, "model" : "b\\"c", ${messages}, "x_unknown":[1e2] }`,
    )
  })

  it('asks for usage in streams only', () => {
    expect(patch(`{"model":"a",${messages},"stream":true}`, 'a')).toBe(
      `{"model":"a",${messages},"stream":true,"stream_options":{"include_usage":true}}`,
    )
    expect(patch(`{"model":"a",${messages},"stream":true,"stream_options":{"include_usage":false, "z":0}}`, 'a')).toBe(
      `{"model":"a",${messages},"stream":true,"stream_options":{"include_usage":true, "z":0}}`,
    )
    expect(patch(`{"model":"a",${messages},"stream":true,"stream_options":null}`, 'a')).toContain(
      '{"include_usage":true}',
    )
    expect(patch(`{"model":"a",${messages},"stream_options":{"include_usage":true}}`, 'a')).toBe(
      `{"model":"a",${messages}}`,
    )
  })

  it('merges the override, null taking a key out, and never the stream', () => {
    expect(
      patch(`{"model":"a","top_k":1,${messages},"user":"u"}`, 'a', { top_k: 5, user: null, stream: true, n: 2 }),
    ).toBe(`{"model":"a","top_k":5,${messages},"n":2}`)
    const streaming = `{"model":"a",${messages},"stream":true}`
    expect(patch(streaming, 'a', { stream_options: null })).toBe(streaming)
    expect(patch(streaming, 'a', { stream_options: { z: 1 } })).toContain(
      '"stream_options":{"z":1,"include_usage":true}',
    )
  })

  it('lets nobody smuggle a second model or stream past', () => {
    expect(patch(`{"model":"dear","mod\\u0065l":"cheap","Model":"dear",${messages}}`, 'x')).toBe(
      `{"model":"x","mod\\u0065l":"x",${messages}}`,
    )
    expect(patch(`{"stream":true,"model":"a",${messages},"stream":false}`, 'a')).toBe(
      `{"stream":false,"model":"a",${messages},"stream":false}`,
    )
  })
})

describe('the neutral form', () => {
  const word = fc.string({ minLength: 1, unit: 'grapheme' })
  const part = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: word }),
    fc.record(
      { type: fc.constant('image' as const), url: word, detail: fc.constantFrom('low', 'high') },
      { requiredKeys: ['type', 'url'] },
    ),
    fc.record({ type: fc.constant('audio' as const), data: word, format: fc.constantFrom('wav', 'mp3') }),
    fc.record({ type: fc.constant('file' as const), data: word, filename: word }, { requiredKeys: ['type'] }),
  )
  const message: fc.Arbitrary<Message> = fc.oneof(
    fc.record(
      { role: fc.constantFrom('system' as const, 'user' as const), content: fc.array(part), name: word },
      { requiredKeys: ['role', 'content'] },
    ),
    fc.record(
      {
        role: fc.constant('assistant' as const),
        content: fc.array(fc.record({ type: fc.constant('text' as const), text: word })),
        tool_calls: fc.array(fc.record({ id: word, name: word, arguments: word }), { minLength: 1 }),
        reasoning: fc.record({ text: word, signature: word }, { requiredKeys: ['text'] }).map((one) => [one]),
      },
      { requiredKeys: ['role', 'content'] },
    ),
    fc.record({ role: fc.constant('tool' as const), content: fc.array(part), tool_call_id: word }),
  )
  const request: fc.Arbitrary<ModelRequest> = fc.record(
    {
      dialect: fc.constant('openai-chat'),
      model: fc.constantFrom('gpt-4o', 'gpt-5', 'o3', 'x'),
      stream: fc.boolean(),
      messages: fc.array(message, { minLength: 1 }),
      tools: fc.array(
        fc.record(
          { name: word, description: word, parameters: fc.dictionary(word, fc.constant(1)), strict: fc.boolean() },
          { requiredKeys: ['name'] },
        ),
      ),
      tool_choice: fc.oneof(
        fc.constantFrom('auto' as const, 'none' as const, 'required' as const),
        fc.record({ name: word }),
      ),
      max_tokens: fc.nat(1073741823),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0),
      top_p: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
      stop: fc.array(word),
      top_k: fc.nat(100),
      seed: fc.nat(),
      logprobs: fc.constant(true as const),
      top_logprobs: fc.nat(20),
      n: fc.nat(8),
      user: word,
      parallel_tool_calls: fc.boolean(),
      hosted_tools: fc.constant([{ name: 'web_search' }]),
      response_format: fc.oneof(
        fc.constant({}),
        fc.record({ name: word, schema: fc.dictionary(word, fc.constant(1)), strict: fc.boolean() }),
      ),
      reasoning_effort: fc.constantFrom('low', 'high'),
      extra: fc.dictionary(fc.constantFrom('logit_bias', 'store', 'x_vendor'), fc.nat()),
    },
    { requiredKeys: ['dialect', 'model', 'stream', 'messages', 'extra'] },
  )

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(request, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as ModelRequest
        expect(
          JSON.parse(JSON.stringify(openaiChat.readModelRequest(openaiChat.writeModelRequest(value).body))),
        ).toEqual(plain)
      }),
    )
  })

  it('reads older spellings', () => {
    const read = openaiChat.readModelRequest(
      bytes({
        model: 'm',
        stop: 'x',
        max_completion_tokens: 4,
        functions: [{ name: 'f', parameters: {} }],
        function_call: { name: 'f' },
        messages: [
          { role: 'developer', content: 'be kind' },
          { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
          { role: 'function', name: 'f', content: 'done' },
        ],
      }),
    )
    expect(read).toMatchObject({ stop: ['x'], max_tokens: 4, tools: [{ name: 'f' }], tool_choice: { name: 'f' } })
    expect(read.messages.map((one) => one.role)).toEqual(['system', 'assistant', 'tool'])
    expect(read.messages[1]?.tool_calls?.[0]?.id).toBe(read.messages[2]?.tool_call_id)
  })

  it.each([
    { role: 'robot', content: '' },
    { role: 'user', content: 7 },
    { role: 'user', content: [{ type: 'hologram' }] },
  ])('refuses %j', (bad) => {
    expect(() => openaiChat.readModelRequest(bytes({ model: 'm', messages: [bad] }))).toThrow(
      expect.objectContaining({ code: 'request.invalid' }),
    )
  })
})

const unmarked = (key: string, value: unknown) => (key === 'cache' ? undefined : value)

describe('recorded requests', () => {
  const requests = recordingsOf('openai.chat').flatMap((one) =>
    one.request?.body ? [{ id: one.id, body: one.request.body }] : [],
  )

  it('are patched and read back', async () => {
    const failures = await listFailures(
      requests.filter(({ body }) => Array.isArray((body as { messages?: unknown }).messages)),
      ({ id }) => id,
      ({ body }) => {
        const raw = bytes(body)
        const given = body as Record<string, unknown>
        // Some clients of deployments (Azure) leave the model out of the body.
        if (typeof given.model !== 'string') return
        const head: RequestHead = openaiChat.readRequestHead(raw)
        expect(head.prompt_estimate).toBeGreaterThan(3)
        const patched = JSON.parse(
          text(joinParts(openaiChat.patchRequestBody(raw, { model: 'other', head, override: {} }))),
        ) as object
        const { stream_options: _, ...rest } = given
        expect(patched).toEqual({
          ...rest,
          model: 'other',
          ...(head.stream ? { stream_options: { ...(given.stream_options as object), include_usage: true } } : {}),
        })
        // Marks of the cache go to Anthropic alone.
        const readOf = (json: Uint8Array) =>
          JSON.parse(
            JSON.stringify({ ...openaiChat.readModelRequest(json), lost: undefined }, unmarked),
          ) as ModelRequest
        expect(readOf(openaiChat.writeModelRequest(readOf(raw)).body)).toEqual(readOf(raw))
      },
    )
    expect(failures).toEqual([])
  })
})
