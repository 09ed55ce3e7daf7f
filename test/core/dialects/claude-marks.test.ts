// Cache breakpoints for Claude on translated prompts: limits of the vendor, cached parts, and the precedence of a
// client's own breakpoints.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type {
  CacheMark,
  CacheUse,
  ContentPart,
  Message,
  ModelRequest,
  Tool,
} from '../../../core/dialects/model-request.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { createClaudeCache } from '../../support/claude-cache.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const plain = { dialect: 'another', model: 'claude-sonnet-4-5', stream: false, extra: {} }
const written = (request: Partial<ModelRequest>, use: CacheUse = 'auto') =>
  json(anthropicMessages.writeModelRequest({ ...plain, messages: [], ...request }, use).body)

const words = fc.stringMatching(/^[a-z ]{0,60}$/)

/** An agent's rounds: what it says, which tools it calls, what they answer, and what its user says to it. */
const talkMarked = (mark: fc.Arbitrary<CacheMark | undefined>) => {
  const part = fc.record({ type: fc.constant('text' as const), text: words, cache: mark })
  const tool: fc.Arbitrary<Tool> = fc.record({ name: fc.constant('look'), description: words, cache: mark })
  const round: fc.Arbitrary<Message[]> = fc
    .record({ said: words, calls: fc.nat(30), output: words, asked: fc.option(part) })
    .map(({ said, calls, output, asked }): Message[] => {
      const ids = Array.from({ length: calls }, (_, index) => `t${index}`)
      return [
        {
          role: 'assistant',
          content: [{ type: 'text', text: said }],
          reasoning: [{ text: 'Hm', signature: 'c2ln' }],
          tool_calls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
        },
        ...ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: [{ type: 'text', text: output }] })),
        ...(asked || calls === 0 ? [{ role: 'user' as const, content: [asked ?? { type: 'text', text: 'On' }] }] : []),
      ]
    })
  return fc.record({
    tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
    system: fc.array(part, { maxLength: 2 }),
    asked: part,
    rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
  })
}

const unmarked = fc.constant(undefined)
const markedFor = (ttl: CacheMark) => fc.option(fc.constant(ttl), { nil: undefined, freq: 2 })

/** What the vendor reports for each turn of it. */
function usagesOf({
  tools,
  system,
  asked,
  rounds,
}: {
  tools: Tool[]
  system: ContentPart[]
  asked: ContentPart
  rounds: Message[][]
}) {
  const cache = createClaudeCache({ least: 1 })
  const opening: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: [asked] },
  ]
  return [...rounds.keys(), rounds.length].map((turns) =>
    cache.usageOf(written({ tools, messages: [...opening, ...rounds.slice(0, turns).flat()] })),
  )
}

describe('the marks of a translated prompt', () => {
  it('let every turn of an agent read what the turn before has written, and are never refused', () => {
    fc.assert(
      fc.property(talkMarked(unmarked), (talk) => {
        let kept = 0
        for (const { cache_read_input_tokens: read, cache_creation_input_tokens: made } of usagesOf(talk)) {
          expect(read).toBe(kept)
          kept = read + made
        }
      }),
    )
    for (const ttl of ['5m', '1h'] as const)
      fc.assert(fc.property(talkMarked(markedFor(ttl)), (talk) => void usagesOf(talk)))
  })

  it('stand on tools, system and the last two turns, and in one call without tools nowhere', () => {
    const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
    const said: Message = { role: 'assistant', content: [{ type: 'text', text: 'Yes' }] }
    const system: Message = { role: 'system', content: [{ type: 'text', text: 'Be brief' }] }
    const tools = [{ name: 'look' }, { name: 'seek' }]
    const messages = [system, user('1'), said, user('2'), said, user('3')]
    const ephemeral = { cache_control: { type: 'ephemeral' } }
    const out = written({ tools, messages })
    expect(out.tools.map((one: Json) => one.cache_control)).toEqual([undefined, ephemeral.cache_control])
    expect(out.system).toEqual([{ type: 'text', text: 'Be brief', ...ephemeral }])
    expect(out.messages.map(({ content }: Json) => content[0].cache_control !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ])
    const marks = (request: Partial<ModelRequest>, use?: CacheUse) =>
      JSON.stringify(written(request, use)).split('cache_control').length - 1
    expect(marks({ messages: [system, user('1')] })).toBe(0)
    expect(marks({ messages: [system, user('1')] }, 'always')).toBe(2)
    expect(marks({ messages, tools }, 'never')).toBe(0)
    expect(marks({ messages: [user('1')], tools })).toBe(2)
    expect(marks({ messages: [user('1')], tools, tool_choice: 'auto' })).toBe(2)
    expect(marks({ messages: [user('1')], tools: [], tool_choice: 'auto' })).toBe(0)
    expect(marks({ messages: [user('1')], tools, tool_choice: { name: 'look' } })).toBe(0)
    expect(marks({ messages, tools, model: 'kimi-k2' }, 'always')).toBe(0)
    expect(marks({ messages, tools, model: 'us.anthropic.claude-opus-4-6-v1' })).toBe(4)
    expect(marks({ messages, tools, model: 'anthropic/claude-sonnet-4.5' })).toBe(4)
    expect(marks({ messages, tools, dialect: 'anthropic-messages' })).toBe(0)
  })

  it("leave the caller's own where they are, and are never more than four", () => {
    const cache_control = { type: 'ephemeral' }
    const texts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ type: 'text', text: `${index}`, cache_control }))
    const ask = (body: object) => {
      const request = openaiChat.readModelRequest(bytes({ model: plain.model, ...body }))
      const { body: out, dropped } = anthropicMessages.writeModelRequest(request, 'auto')
      return { out: json(out), dropped }
    }
    const call = { id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }
    const { out, dropped } = ask({
      tools: [{ type: 'function', function: { name: 'f' }, cache_control: { ...cache_control, ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a', cache_control },
            { type: 'text', text: 'b' },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 't', content: 'c', cache_control },
      ],
    })
    expect(dropped).toEqual([])
    expect(out.tools[0].cache_control).toEqual({ ...cache_control, ttl: '1h' })
    expect(out.messages[0].content.map((block: Json) => block.cache_control)).toEqual([cache_control, cache_control])
    expect(out.messages[2].content[0]).toEqual({ type: 'tool_result', tool_use_id: 't', content: 'c', cache_control })
    const many = ask({ messages: [{ role: 'user', content: texts(6) }] })
    expect(many.out.messages[0].content.filter((block: Json) => block.cache_control)).toHaveLength(4)
    expect(many.dropped).toEqual(['cache_control'])
  })
})
