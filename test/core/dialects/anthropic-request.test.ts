// Anthropic's requests, both ways: the head, the neutral form, the patch, and what each model takes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { ContentPart, Message, ModelRequest } from '../../../core/dialects/model-request.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const plain = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
describe('the head of a message request', () => {
  it('tells model, stream, limit and session', () => {
    const long = { role: 'user', content: [{ type: 'text', text: 'word '.repeat(2000) }] }
    const head = anthropicMessages.readRequestHead(
      bytes({ ...plain, stream: true, messages: [long], metadata: { user_id: 'ada' } }),
    )
    expect(head).toMatchObject({
      model: plain.model,
      stream: true,
      max_tokens: 100,
      include_usage: true,
      session: 'ada',
    })
    expect(head.prompt_estimate).toBeGreaterThan(2000)
  })

  it.each([
    ['request.unreadable', 'oops'],
    ['request.no_model', { ...plain, model: '' }],
    ['request.invalid', { ...plain, messages: [] }],
    ['request.invalid', { ...plain, stream: 'yes' }],
    ['request.invalid', { ...plain, max_tokens: 1.5 }],
    ['request.invalid', { ...plain, max_tokens: -1 }],
  ])('refuses with %s', (code, body) => {
    expect(() => anthropicMessages.readRequestHead(bytes(body))).toThrow(expect.objectContaining({ code }))
  })
})

const word = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '')
const cache = fc.option(fc.constantFrom('5m' as const, '1h' as const), { nil: undefined })
const marked = <T extends object>(part: T, mark: '5m' | '1h' | undefined) => (mark ? { ...part, cache: mark } : part)
const part: fc.Arbitrary<ContentPart> = fc.oneof(
  fc.tuple(word, cache).map(([text, mark]) => marked({ type: 'text' as const, text }, mark)),
  fc.tuple(fc.webUrl(), cache).map(([url, mark]) => marked({ type: 'image' as const, url }, mark)),
  fc.base64String().map((data) => ({ type: 'image' as const, url: `data:image/png;base64,${data}` })),
  fc.tuple(fc.webUrl(), word).map(([url, filename]) => ({ type: 'file' as const, url, filename })),
  fc.base64String().map((data) => ({ type: 'file' as const, url: `data:application/pdf;base64,${data}` })),
  word.map((file_id) => ({ type: 'file' as const, file_id })),
)
const texts = fc.array(
  fc.tuple(word, cache).map(([text, mark]) => marked({ type: 'text' as const, text }, mark)),
  { minLength: 1 },
)
const id = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)
const call = fc
  .record({ id, name: id, input: fc.dictionary(word, word) })
  .map(({ input, ...rest }) => ({ ...rest, arguments: JSON.stringify(input) }))
const reasoning = fc.array(
  fc.oneof(
    fc.record({ text: fc.string(), signature: word }),
    word.map((text) => ({ text, redacted: true })),
  ),
  { minLength: 1 },
)
const asks: fc.Arbitrary<Message> = fc.array(part, { minLength: 1 }).map((content) => ({ role: 'user', content }))
const answers: fc.Arbitrary<Message> = fc
  .record({ content: texts, tool_calls: fc.array(call, { minLength: 1 }), reasoning }, { requiredKeys: ['content'] })
  .map((message) => ({ role: 'assistant', ...message }))
/** The mark of a result lies on its last part. */
const results: fc.Arbitrary<Message> = fc
  .record(
    { content: texts, tool_call_id: id, failed: fc.constant(true) },
    { requiredKeys: ['content', 'tool_call_id'] },
  )
  .map((message) => ({ role: 'tool', ...message }))
/** Turns as a conversation has them: a question, or results and a question; then an answer. */
const turns = fc.array(
  fc
    .tuple(fc.array(results, { maxLength: 2 }), asks, answers)
    .map(([some, question, answer]) => [...some, question, answer]),
  { minLength: 1, maxLength: 3 },
)
const request: fc.Arbitrary<ModelRequest> = fc
  .record(
    {
      dialect: fc.constant('anthropic-messages'),
      model: fc.constantFrom('claude-sonnet-4-5', 'claude-3-7-sonnet-20250219', 'other'),
      stream: fc.boolean(),
      max_tokens: fc.integer({ min: 40_000, max: 60_000 }),
      stop: fc.array(word, { minLength: 1 }),
      user: word,
      service_tier: fc.constantFrom('auto', 'default'),
      reasoning_budget: fc.constantFrom(0, 1024, 30_000),
      extra: fc.constant({ container: 'c' }),
    },
    { requiredKeys: ['dialect', 'model', 'stream', 'max_tokens', 'extra'] },
  )
  .chain((fields) =>
    fc
      .record({
        system: fc.option(texts, { nil: undefined }),
        turns,
        tools: fc.option(
          fc.array(
            fc.record(
              { name: id, description: word, parameters: fc.constant({ type: 'object' }), strict: fc.boolean(), cache },
              { requiredKeys: ['name', 'parameters'] },
            ),
            { minLength: 1 },
          ),
          { nil: undefined },
        ),
        parallel: fc.option(fc.boolean(), { nil: undefined }),
      })
      .map(({ system, turns: some, tools, parallel }) => ({
        ...fields,
        messages: [...(system ? [{ role: 'system' as const, content: system }] : []), ...some.flat()],
        ...(tools ? { tools, tool_choice: 'auto' as const } : {}),
        ...(tools && parallel !== undefined ? { parallel_tool_calls: parallel } : {}),
      })),
  )

describe('the neutral form', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { body, dropped } = anthropicMessages.writeModelRequest(one)
        expect(dropped).toEqual([])
        // Undefined members are no members.
        const { vendorData: kept, ...again } = anthropicMessages.readModelRequest(body)
        expect(again).toEqual(JSON.parse(JSON.stringify(one)))
        expect(kept?.[0]).toMatchObject({ field: 'container' })
      }),
      { numRuns: 200 },
    )
  })

  it('reads every corner of a request', () => {
    const read = anthropicMessages.readModelRequest(
      bytes({
        ...plain,
        system: [{ type: 'text', text: 'Be kind', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        messages: [
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm', signature: 'sig' },
              { type: 'redacted_thinking', data: 'sealed' },
              { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
              { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Ulm' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'broken' },
              {
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: 'a page' },
                citations: { enabled: true },
              },
              { type: 'text', text: 'Again' },
            ],
          },
        ],
        tools: [
          { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
          { name: 'weather', input_schema: { type: 'object' }, defer_loading: true },
        ],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        thinking: { type: 'adaptive' },
        output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object' } } },
        service_tier: 'standard_only',
        mcp_servers: [],
        speed: 'fast',
      }),
    )
    expect(read).toEqual({
      dialect: 'anthropic-messages',
      model: plain.model,
      stream: false,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be kind', cache: '1h' }] },
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        {
          role: 'assistant',
          content: [],
          tool_calls: [{ id: 'a', name: 'weather', arguments: '{"city":"Ulm"}' }],
          reasoning: [
            { text: 'Hm', signature: 'sig' },
            { text: 'sealed', redacted: true },
          ],
        },
        { role: 'tool', content: [{ type: 'text', text: 'broken' }], tool_call_id: 'a', failed: true },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a page' },
            { type: 'text', text: 'Again' },
          ],
        },
      ],
      tools: [{ name: 'weather', parameters: { type: 'object' } }],
      hosted_tools: [{ name: 'web_search', options: { type: 'web_search_20250305', max_uses: 3 } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_tokens: 100,
      service_tier: 'default',
      response_format: { schema: { type: 'object' } },
      reasoning_effort: 'max',
      extra: { speed: 'fast' },
      lost: ['server_tool_use', 'document.citations', 'tools.defer_loading'],
    })
  })
})

describe('recorded requests', () => {
  const requests = recordingsOf('anthropic.messages').flatMap(({ id: name, request: asked }) => {
    const body = asked?.body as Json
    return body?.messages && body.model ? [[name, body] as const] : []
  })

  it('can be written as chat requests', async () => {
    const failures = await listFailures(
      requests,
      ([id]) => id,
      ([, body]) => {
        const { lost = [], ...read } = anthropicMessages.readModelRequest(bytes(body))
        const { body: out, dropped } = openaiChat.writeModelRequest(read)
        const again = openaiChat.readModelRequest(out)
        const said = (messages: Message[]) =>
          messages.flatMap(({ content }) => content.flatMap((one) => (one.type === 'text' ? [one.text] : []))).join('')
        expect(said(again.messages).replaceAll('\n', '')).toBe(said(read.messages).replaceAll('\n', ''))
        expect([...lost, ...dropped].every((name) => name !== '')).toBe(true)
      },
    )
    expect(failures).toEqual([])
  })
})
