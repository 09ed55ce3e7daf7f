// Words of the system inside a conversation, in every format that has none there, and for models that take them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProviderDialect } from '../../../core/dialects/dialect.ts'
import type { Message } from '../../../core/dialects/model-request.ts'
import { placeSystemTurns, CONVERTED_SYSTEM_MESSAGES } from '../../../core/dialects/requests/system-turns.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { wenxinChatDialect } from '../../../core/dialects/provider-only/wenxin-chat.ts'
import { hunyuanChatDialect } from '../../../core/dialects/provider-only/hunyuan-chat.ts'
import type { Json } from '../../support/json.ts'

const said = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] })
const calling: Message = { role: 'assistant', content: [], tool_calls: [{ id: 'c1', name: 'f', arguments: '{}' }] }
const result: Message = { role: 'tool', content: [{ type: 'text', text: 'found' }], tool_call_id: 'c1' }
const conversation = [
  said('system', 'Be brief.'),
  said('user', 'Hello'),
  said('system', 'Now in French.'),
  calling,
  said('system', 'Mind the budget.'),
  result,
]

function written(dialect: ProviderDialect, model: string, messages: Message[], more: object = {}) {
  const request = { dialect: 'neutral', model, stream: false, max_tokens: 9, extra: {}, messages, ...more }
  const { body, dropped } = dialect.writeModelRequest(request)
  return { body: JSON.parse(new TextDecoder().decode(body)) as Json, dropped }
}

describe('words of the system inside a conversation', () => {
  it.each(['claude-opus-4-8', 'claude-opus-5-5', 'claude-sonnet-5-5-20261020'])('stay as they are for %s', (model) => {
    const { body, dropped } = written(anthropicMessages, model, conversation)
    expect(body.system).toBe('Be brief.')
    expect(body.messages.map(({ role }: Json) => role)).toEqual(['user', 'system', 'assistant', 'user', 'system'])
    expect(body.messages[1].content[0].text).toBe('Now in French.')
    expect(dropped).not.toContain(CONVERTED_SYSTEM_MESSAGES)
  })

  it('are one message at the beginning for models whose template takes no other, and marked words after it', () => {
    const told = [said('system', 'Be kind.'), ...conversation]
    const { body, dropped } = written(openaiChat, 'Qwen/Qwen3.8-27B', told)
    expect(body.messages.map(({ role }: Json) => role)).not.toContain('developer')
    expect(body.messages.filter(({ role }: Json) => role === 'system')).toEqual([body.messages[0]])
    expect(JSON.stringify(body.messages[0])).toMatch(/Be kind.*Be brief/)
    expect(JSON.stringify(body.messages.slice(1))).toMatch(/<system>.*French.*<system>.*budget/)
    expect(dropped).toContain(CONVERTED_SYSTEM_MESSAGES)
    const others = written(openaiChat, 'gpt-oss-120b', told)
    expect(others.body.messages.filter(({ role }: Json) => role === 'system')).toHaveLength(4)
    expect(others.dropped).not.toContain(CONVERTED_SYSTEM_MESSAGES)
  })

  it.each([
    ['an older model', anthropicMessages, 'claude-sonnet-4-5', {}],
    ['a cloud', anthropicMessages, 'claude-opus-4-8', { system_first: true }],
    ['Gemini', geminiGenerate, 'gemini-3-pro', {}],
    ['Wenxin', wenxinChatDialect, 'ernie', {}],
    ['Hunyuan', hunyuanChatDialect, 'hunyuan', {}],
  ] as const)('are marked words of the user in place for %s, and named', (_, dialect, model, more) => {
    const { body, dropped } = written(dialect, model, conversation, more)
    const { system, systemInstruction, ...rest } = body
    const words = JSON.stringify(rest)
    expect(JSON.stringify([system, systemInstruction])).not.toMatch(/French|budget/)
    const places = [
      'Hello',
      '<system>\\nNow in French.\\n</system>',
      'found',
      '<system>\\nMind the budget.\\n</system>',
    ]
    const at = places.map((text) => words.indexOf(text))
    expect(at, words).toEqual([...at].sort((one, other) => one - other))
    expect(at).not.toContain(-1)
    expect(dropped).toContain(CONVERTED_SYSTEM_MESSAGES)
  })

  it.each([openaiChat, openaiResponses])('stay where they are in $name', (dialect) => {
    const { body, dropped } = written(dialect, 'm', [
      said('user', 'Hello'),
      said('system', 'In French.'),
      said('user', 'Go'),
    ])
    expect(JSON.stringify(body)).toMatch(/Hello.*(system|developer).*In French\..*Go/)
    expect(dropped).not.toContain(CONVERTED_SYSTEM_MESSAGES)
  })

  it('change nothing before them, however the conversation goes on', () => {
    const one = fc.constantFrom(said('user', 'u'), said('assistant', 'a'), said('system', 's'), calling, result)
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), fc.boolean(), (messages, takesTurns) => {
        const { messages: placed, isConverted: retold } = placeSystemTurns(messages, takesTurns)
        const first = messages.findIndex(({ role }) => role !== 'system')
        const spoken = (list: readonly Message[]) => list.filter(({ role }) => role === 'assistant' || role === 'tool')
        expect(spoken(placed)).toEqual(spoken(messages))
        placed.forEach(({ role }, at) => {
          if (role !== 'system' || (first >= 0 && at < first) || first < 0) return
          expect(takesTurns).toBe(true)
          expect(['user', 'tool']).toContain(placed[at - 1]?.role)
          expect([undefined, 'assistant']).toContain(placed[at + 1]?.role)
        })
        const words = (list: readonly Message[]) =>
          JSON.stringify(list).match(/"text":"(?:<system>\\n)?(?:s\\n)*s/g)?.length ?? 0
        expect(words(placed) > 0 || retold).toBe(words(messages) > 0)
      }),
    )
  })
})
