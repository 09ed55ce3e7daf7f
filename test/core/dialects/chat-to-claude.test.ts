// Chat requests of OpenAI's callers in Anthropic's words.
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))

describe("what OpenAI's callers say", () => {
  const fromChat = (body: object) => {
    const { body: out, dropped } = anthropicMessages.writeModelRequest(
      openaiChat.readModelRequest(
        bytes({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hi' }], ...body }),
      ),
    )
    return { ...json(out), dropped }
  }

  it('becomes turns of blocks, with results first and neighbours in one turn', () => {
    const call = { id: 'call:1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
    const out = fromChat({
      messages: [
        { role: 'system', content: 'One' },
        { role: 'developer', content: 'Two' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call:1', content: '4' },
        { role: 'user', content: 'And?' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } }] },
      ],
    })
    expect(out.system).toEqual([
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ])
    expect(out.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '...' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: '4' },
          { type: 'text', text: 'And?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
        ],
      },
    ])
    expect(out.max_tokens).toBe(64_000)
  })

  it('names what this format has no word for', () => {
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    const out = fromChat({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, audio] }],
      seed: 1,
      n: 2,
      logit_bias: { 50256: -100 },
      frequency_penalty: 1,
      response_format: { type: 'json_object' },
      temperature: 1.7,
    })
    expect(out.dropped.sort()).toEqual(
      ['frequency_penalty', 'input_audio', 'logit_bias', 'n', 'response_format', 'seed', 'temperature'].sort(),
    )
    expect(out.temperature).toBe(1)
  })

  it('asks for the search in the words of this format', () => {
    const place = { type: 'approximate', approximate: { city: 'Ulm' } }
    const out = fromChat({ web_search_options: { search_context_size: 'high', user_location: place } })
    expect(out.tools).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 10,
        user_location: { type: 'approximate', city: 'Ulm' },
      },
    ])
  })

  it('sends a thought back only where it is signed', () => {
    const said = { role: 'assistant', content: 'Yes', reasoning_content: 'Hm' }
    const ask = (more: object) =>
      fromChat({
        messages: [
          { role: 'user', content: 'Hi' },
          { ...said, ...more },
          { role: 'user', content: '?' },
        ],
      })
    expect(ask({}).dropped).toEqual(['reasoning_content'])
    expect(ask({ reasoning_signature: 's' }).messages[1].content[0]).toEqual({
      type: 'thinking',
      thinking: 'Hm',
      signature: 's',
    })
  })
})
