// Tools that take a text as it is, of chat callers: functions elsewhere, and custom calls again on the way back.
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const jsonOf = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const grammar = { syntax: 'lark', definition: 'start: patch' }

describe('a custom tool of a chat caller', () => {
  const tools = [
    { type: 'custom', custom: { name: 'edit', description: 'Edits.', format: { type: 'grammar', grammar } } },
  ]
  const request = (more: object = {}) => ({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools, ...more })
  const events: ModelEvent[] = [
    { type: 'start', id: 'c', model: 'm', created: 1 },
    { type: 'tool_call', index: 0, choice: 0, id: 'call_1', name: 'edit', arguments: '{"inp' },
    { type: 'tool_call', index: 0, choice: 0, arguments: 'ut":"a\\' },
    { type: 'tool_call', index: 0, choice: 0, arguments: 'nb"}' },
    { type: 'tool_call', index: 1, choice: 0, id: 'call_2', name: 'edit', arguments: 'as it is' },
    { type: 'finish', reason: 'tool_calls', choice: 0 },
    { type: 'end' },
  ]

  it('is a function elsewhere, with its history', () => {
    const history = [
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'edit', input: 'a' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ]
    const read = openaiChat.readModelRequest(
      bytes(request({ messages: history, tool_choice: { type: 'custom', custom: { name: 'edit' } } })),
    )
    expect(read.tools).toMatchObject([{ name: 'edit', parameters: { required: ['input'] } }])
    expect(read.tools![0]!.description).toContain('start: patch')
    expect(read.tool_choice).toEqual({ name: 'edit' })
    expect(read.messages[1]!.tool_calls).toEqual([{ id: 'c', name: 'edit', arguments: '{"input":"a"}' }])
  })

  it('comes back as a custom call, streamed and whole', async () => {
    const head = openaiChat.readRequestHead(bytes({ ...request(), stream: true }))
    const write = openaiChat.writer(head)
    const stream = events.flatMap(write).map(({ data }) => `data: ${data}\n\n`)
    const calls = [
      { id: 'call_1', type: 'custom', custom: { name: 'edit', input: 'a\nb' } },
      { id: 'call_2', type: 'custom', custom: { name: 'edit', input: 'as it is' } },
    ]
    const inputs = ['', '']
    const client = new OpenAI({
      apiKey: 'k',
      baseURL: 'http://chat.test/v1',
      fetch: () => Promise.resolve(new Response(stream.join(''), { headers: { 'content-type': 'text/event-stream' } })),
    })
    const read = await client.chat.completions.create({ model: 'm', messages: [], stream: true })
    for await (const chunk of read) {
      for (const call of (chunk.choices[0]?.delta.tool_calls ?? []) as Json[]) inputs[call.index] += call.custom.input
    }
    expect(inputs).toEqual(['a\nb', 'as it is'])
    expect(jsonOf(openaiChat.writeWholeReply(events, head)).choices[0].message.tool_calls).toMatchObject(calls)
  })

  it('may be allowed with others', () => {
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tools[0]] } }
    expect(openaiChat.readModelRequest(bytes(request({ tool_choice: choice }))).tool_choice).toEqual({ name: 'edit' })
  })
})
