// Responses requests: what a call needs of them, both ways, and what is refused.
import { joinParts } from '../../../core/dialects/json/json-bytes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContentPart, Message, ModelRequest } from '../../../core/dialects/model-request.ts'
import { refuseVendorData } from '../../../core/dialects/requests/shape.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const jsonOf = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const read = (more: object = {}) => openaiResponses.readModelRequest(bytes({ model: 'm', input: 'Hello', ...more }))
const head = (more: object = {}) => openaiResponses.readRequestHead(bytes({ model: 'm', input: 'Hello', ...more }))

describe('the head', () => {
  it('tells what a call needs', () => {
    expect(head({ stream: true, max_output_tokens: 7, temperature: 1, tools: [] })).toMatchObject({
      model: 'm',
      stream: true,
      max_tokens: 7,
      include_usage: true,
      repeated: { temperature: 1, max_output_tokens: 7, tools: [] },
    })
    expect(head({ input: 'x'.repeat(8000), prompt_cache_key: 'mine' }).session).toBe('mine')
    expect(head({ input: [{ role: 'user', content: 'x'.repeat(8000) }] }).prefix).toEqual(expect.any(Number))
    expect(head({ input: 'x'.repeat(4000) }).prompt_estimate).toBeGreaterThan(1000)
    expect(
      head({ input: [{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] })
        .prompt_estimate,
    ).toBeGreaterThan(255)
  })

  it('tells which of its items are encrypted or stored elsewhere, if only one is', () => {
    const said = { role: 'user', content: 'x' }
    const reasoning = (encrypted_content: string) => ({ type: 'reasoning', summary: [], encrypted_content })
    const compaction = (encrypted_content: string) => ({ type: 'compaction', encrypted_content })
    const none = { refers: undefined, borrowed: undefined, proof: undefined, compaction: undefined, summed: undefined }
    const facts = (...items: object[]) => {
      const { refers, borrowed, proof, compaction: compacted, summed } = head({ input: [said, ...items, said] })
      return { refers, borrowed, proof, compaction: compacted, summed }
    }
    expect(facts()).toEqual(none)
    expect(facts({ type: 'item_reference', id: 'msg_1' })).toEqual({ ...none, refers: true })
    expect(facts(reasoning('ONE'), said, reasoning('TWO'))).toEqual({ ...none, proof: 'TWO' })
    expect(facts(reasoning('redacted.DATA'))).toEqual({ ...none, borrowed: true, proof: 'DATA' })
    expect(facts(compaction('ONE'), compaction('TWO'))).toMatchObject({ ...none, proof: 'TWO', compaction: 'TWO' })
    expect(facts(compaction('weic1.OWN'))).toMatchObject({ compaction: undefined, summed: true })
  })

  it.each([
    [{ model: '' }, 'request.no_model'],
    [{ input: 5 }, 'request.invalid'],
    [{ input: ['text'] }, 'request.invalid'],
    [{ input: null }, 'request.invalid'],
    [{ stream: 'yes' }, 'request.invalid'],
    [{ max_output_tokens: -1 }, 'request.invalid'],
    [{ background: true, store: false }, 'request.invalid'],
  ])('refuses %j', (more, code) => {
    expect(() => head(more)).toThrow(expect.objectContaining({ code }))
  })

  it('needs no input where the provider keeps it', () => {
    expect(head({ input: null, prompt: { id: 'p' } }).model).toBe('m')
  })
})

describe('reading', () => {
  it('joins what one turn says', () => {
    const { messages } = read({
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Rules' },
        { type: 'reasoning', id: 'rs', summary: [{ text: 'a' }, { text: 'b' }], encrypted_content: 'SEAL' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'ok' }] },
        { type: 'reasoning', summary: [], encrypted_content: 'redacted.DATA' },
        { type: 'function_call', call_id: 'd', name: 'f', arguments: '' },
      ],
    })
    expect(messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'system', content: [{ type: 'text', text: 'Rules' }] },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Hi' }],
        reasoning: [{ text: 'a\n\nb', signature: 'SEAL' }],
        tool_calls: [{ id: 'c', name: 'f', arguments: '{}' }],
      },
      { role: 'tool', content: [{ type: 'text', text: 'ok' }], tool_call_id: 'c' },
      {
        role: 'assistant',
        content: [],
        reasoning: [{ text: 'DATA', redacted: true }],
        tool_calls: [{ id: 'd', name: 'f', arguments: '' }],
      },
    ])
  })

  it('knows its fields, and names what it leaves out', () => {
    const request = read({
      max_output_tokens: 5,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'n', schema: { a: 1 }, strict: true }, verbosity: 'low' },
      tools: [
        { type: 'function', name: 'f', parameters: {}, strict: null },
        { type: 'web_search_preview', search_context_size: 'low' },
        { type: 'computer_use_preview', environment: 'browser' },
      ],
      tool_choice: { type: 'function', name: 'f' },
      include: ['reasoning.encrypted_content', 'web_search_call.action.sources'],
      store: true,
      metadata: { a: 'b' },
      input: [
        { type: 'web_search_call', id: 'ws' },
        { role: 'user', content: 'x' },
      ],
    })
    expect(request).toMatchObject({
      max_tokens: 5,
      reasoning_effort: 'low',
      response_format: { name: 'n', schema: { a: 1 }, strict: true },
      tools: [{ name: 'f', parameters: {} }],
      hosted_tools: [
        { name: 'web_search', options: { search_context_size: 'low' } },
        { name: 'computer_use_preview', options: { environment: 'browser' } },
      ],
      tool_choice: { name: 'f' },
      extra: { metadata: { a: 'b' }, verbosity: 'low' },
    })
    expect(request.lost).toEqual([
      'reasoning.summary',
      'include.web_search_call.action.sources',
      'input.web_search_call',
    ])
  })

  it.each([
    { previous_response_id: 'r' },
    { conversation: 'c' },
    { prompt: { id: 'p' } },
    { background: true, stream: true },
    { input: [{ type: 'item_reference', id: 'x' }] },
    { input: [{ type: 'compaction', encrypted_content: 'x' }] },
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
  ])('tells apart what only OpenAI knows: %j', (more) => {
    const { vendorData: kept } = read(more)
    expect(kept).toHaveLength(1)
    expect(() => refuseVendorData({ ...read(more) }, 'anthropic-messages')).toThrow(
      expect.objectContaining({ code: 'request.kept_elsewhere' }),
    )
  })
})

describe('writing', () => {
  const written = (more: Partial<ModelRequest>) => {
    const neutral = { dialect: 'other', model: 'm', stream: false, messages: [], extra: {}, ...more }
    const { body, dropped } = openaiResponses.writeModelRequest(neutral)
    return { ...jsonOf(body), dropped }
  }

  it('keeps nothing at the provider, and asks for sealed thoughts where there may be some', () => {
    expect(written({})).toMatchObject({ store: false })
    expect(written({})).not.toHaveProperty('include')
    expect(written({ reasoning_budget: 9000 })).toMatchObject({
      reasoning: { effort: 'medium' },
      include: ['reasoning.encrypted_content'],
    })
    expect(written({ model: 'gpt-5' }).include).toEqual(['reasoning.encrypted_content'])
  })

  it('names what it cannot say', () => {
    const message: Message = { role: 'tool', content: [], tool_call_id: 'c', failed: true, name: 'n' }
    expect(
      written({ top_k: 1, seed: 2, stop: ['x'], n: 2, extra: { logit_bias: {} }, messages: [message] }).dropped,
    ).toEqual(['logit_bias', 'top_k', 'seed', 'stop', 'n', 'messages.name', 'tool_result.is_error'])
  })

  it('says that tools are not strict where nobody said they are', () => {
    expect(written({ tools: [{ name: 'f' }] }).tools).toEqual([
      { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
    ])
  })
})

const word = fc.string({ minLength: 1, unit: 'grapheme' })
const text: fc.Arbitrary<ContentPart> = fc.record({ type: fc.constant('text' as const), text: word })
const part: fc.Arbitrary<ContentPart> = fc.oneof(
  text,
  fc.record({ type: fc.constant('image' as const), url: fc.webUrl(), detail: fc.constantFrom('low', 'high') }),
  fc.record({ type: fc.constant('audio' as const), data: word, format: fc.constantFrom('wav', 'mp3') }),
  fc.record({ type: fc.constant('file' as const), url: fc.webUrl(), filename: word }),
  fc.record({ type: fc.constant('file' as const), file_id: word }),
)
const thought = fc.record({ text: word, signature: fc.base64String({ minLength: 4 }) })
const call = fc.record({ id: word, name: word, arguments: fc.string() })
const user: fc.Arbitrary<Message> = fc.record({
  role: fc.constant('user' as const),
  content: fc.array(part, { minLength: 1 }),
})
/** Two turns of one side behind one another would be read as one. */
const exchange: fc.Arbitrary<Message[]> = fc.tuple(
  user,
  fc.record(
    {
      role: fc.constant('assistant' as const),
      content: fc.array(text, { minLength: 1 }),
      reasoning: fc.array(thought, { minLength: 1 }),
      tool_calls: fc.array(call, { minLength: 1 }),
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record({ role: fc.constant('tool' as const), content: fc.array(text, { minLength: 1 }), tool_call_id: word }),
)
const request: fc.Arbitrary<ModelRequest> = fc.record(
  {
    dialect: fc.constant('openai-responses'),
    model: fc.string({ minLength: 1 }).filter((name) => name.trim() !== ''),
    stream: fc.boolean(),
    messages: fc
      .tuple(fc.option(word), fc.array(exchange, { minLength: 1 }))
      .map(([system, turns]) => [
        ...(system === null ? [] : [{ role: 'system' as const, content: [{ type: 'text' as const, text: system }] }]),
        ...turns.flat(),
      ]),
    // A name is declared once.
    tools: fc.uniqueArray(
      fc.record({ name: word, description: word, parameters: fc.constant({ a: 1 }), strict: fc.boolean() }),
      { minLength: 1, selector: ({ name }) => name },
    ),
    hosted_tools: fc.array(fc.record({ name: fc.constantFrom('web_search', 'code_interpreter', 'image_generation') }), {
      minLength: 1,
    }),
    tool_choice: fc.oneof(
      fc.constantFrom('auto' as const, 'none' as const, 'required' as const),
      fc.record({ name: word }),
    ),
    parallel_tool_calls: fc.boolean(),
    max_tokens: fc.nat(1_000_000),
    temperature: fc.constantFrom(0, 0.5, 1),
    top_p: fc.constantFrom(0.1, 1),
    user: word,
    service_tier: fc.constantFrom('flex', 'priority'),
    response_format: fc.oneof(
      fc.constant({}),
      fc.record({ schema: fc.constant({ a: 1 }), name: word, strict: fc.boolean() }),
    ),
    reasoning_effort: fc.constantFrom('low', 'high'),
    extra: fc.constantFrom({}, { metadata: { a: 'b' }, verbosity: 'low' }),
  },
  { requiredKeys: ['dialect', 'model', 'stream', 'messages', 'extra'] },
)

describe('requests', () => {
  it('read back what they write', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { body, dropped } = openaiResponses.writeModelRequest(one)
        const { vendorData: _kept, ...again } = openaiResponses.readModelRequest(body)
        expect(again).toEqual(one)
        expect(dropped).toEqual([])
      }),
    )
  })
})

describe('patching', () => {
  const patch = (body: object, override = {}, implied?: { reasoning_effort: string }) => {
    const raw = bytes(body)
    return jsonOf(
      joinParts(
        openaiResponses.patchRequestBody(raw, {
          model: 'n',
          head: openaiResponses.readRequestHead(raw),
          override,
          implied,
        }),
      ),
    )
  }

  it('changes the model, the override, and the effort that a name stands for', () => {
    const body = { model: 'm', input: 'x', stream: true, unknown: { kept: [1] } }
    expect(patch(body, { store: false, stream: false })).toEqual({ ...body, model: 'n', store: false })
    expect(patch(body, {}, { reasoning_effort: 'high' })).toEqual({
      ...body,
      model: 'n',
      reasoning: { effort: 'high' },
    })
    const asked = (reasoning: object) => patch({ ...body, reasoning }, {}, { reasoning_effort: 'high' }).reasoning
    expect(asked({ summary: 'auto' })).toEqual({ summary: 'auto', effort: 'high' })
    expect(asked({ effort: 'low' })).toEqual({ effort: 'low' })
  })
})

describe('recorded requests', () => {
  const recorded = recordingsOf('openai.responses').filter(({ request: asked }) => asked?.body)

  it('are read and written again', async () => {
    const failures = await listFailures(
      recorded,
      ({ provider, id }) => `${provider} ${id}`,
      ({ request: asked }) => {
        const body = asked!.body as Json
        if (body.model === undefined) return expect(() => openaiResponses.readRequestHead(bytes(body))).toThrow()
        expect(openaiResponses.readRequestHead(bytes(body)).prompt_estimate).toBeGreaterThan(1)
        const neutral = openaiResponses.readModelRequest(bytes(body))
        const { lost: _lost, ...said } = neutral
        expect(openaiResponses.readModelRequest(openaiResponses.writeModelRequest(neutral).body)).toEqual(said)
      },
    )
    expect(failures).toEqual([])
  })
})
