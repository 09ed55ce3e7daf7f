// Thoughts in a history, at every provider that speaks OpenAI's Chat, for models of every family, of callers of every
// format, and in the caller's own bytes.
import { describe, expect, it } from 'vitest'
import { families } from '../../core/dialects/reasoning/families.data.ts'
import { anthropicMessages } from '../../core/dialects/anthropic-messages/index.ts'
import { geminiGenerate } from '../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../core/dialects/openai-responses/index.ts'
import { dropSignatures } from '../../core/dialects/reasoning/reasoning-signature.ts'
import { fitReasoning, fitReasoningBytes } from '../../core/dialects/reasoning/thoughts.ts'
import { allProviders } from '../../core/providers/index.ts'
import { getEarlierReasoningRule } from '../../core/providers/provider.ts'
import type { Json } from '../support/json.ts'

const speaking = allProviders.filter(({ chat = [] }) => chat.some(({ dialect }) => dialect === openaiChat))
const models = ['kimi-k2-thinking', 'deepseek/deepseek-v4-pro', 'MiniMaxAI/MiniMax-M2.5', 'gpt-5.2', 'a-model']

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (run: Uint8Array): Json => JSON.parse(new TextDecoder().decode(run))

/** A turn with a thought and a call, one whose thought the caller has removed, and one without calls. */
const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } })
const chat = {
  model: 'm',
  messages: [
    { role: 'user', content: 'Hi, "reasoning_content": no' },
    { role: 'assistant', content: null, tool_calls: [call('c1')], reasoning_content: 'Hm.' },
    { role: 'tool', tool_call_id: 'c1', content: '1' },
    { role: 'assistant', content: '', tool_calls: [call('c2')] },
    { role: 'tool', tool_call_id: 'c2', content: '2' },
    { role: 'assistant', content: 'Done' },
    { role: 'user', content: 'More' },
  ],
}
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { a: 1 } })
const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '1' }] })
const messages = {
  model: 'm',
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }, use('c1')] },
    result('c1'),
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }, use('c2')] },
    result('c2'),
    { role: 'assistant', content: 'Done' },
    { role: 'user', content: 'More' },
  ],
}
const item = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{"a":1}' })
const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: '1' })
const responses = {
  model: 'm',
  input: [
    { role: 'user', content: 'Hi' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    ...[item('c1'), output('c1'), item('c2'), output('c2')],
    { role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] },
    { role: 'user', content: 'More' },
  ],
}
const named = { functionCall: { name: 'f', args: { a: 1 } } }
const answered = { role: 'user', parts: [{ functionResponse: { name: 'f', response: { a: 1 } } }] }
const gemini = {
  contents: [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ text: 'Hm.', thought: true }, named] },
    answered,
    { role: 'model', parts: [named] },
    answered,
    { role: 'model', parts: [{ text: 'Done' }] },
    { role: 'user', parts: [{ text: 'More' }] },
  ],
}
const callers = [
  { dialect: openaiChat, body: chat },
  { dialect: anthropicMessages, body: messages },
  { dialect: openaiResponses, body: responses },
  { dialect: geminiGenerate, body: gemini, place: { model: 'm' } },
]
const expected = { refuses: [undefined, undefined], takes: ['Hm.', undefined], wants: ['Hm.', ''] }
const thoughtsIn = ({ messages: turns }: Json): unknown[] =>
  turns.filter((turn: Json) => turn.tool_calls).map((turn: Json) => turn.reasoning_content)

describe('a provider of OpenAI’s Chat', () => {
  it.each(speaking)('$name says what it makes of thoughts', ({ thoughts }) => {
    expect(thoughts).toMatch(/^(refuses|takes|wants|by_model)$/)
  })

  it.each(speaking)('$name gets what it wants of them, whoever asks', (provider) => {
    for (const model of models) {
      const word = getEarlierReasoningRule(provider, model, model)
      for (const { dialect, body, place } of callers) {
        const read = dropSignatures({ ...dialect.readModelRequest(bytes(body), place), model })
        const request = fitReasoning(read, word)
        const written = json(openaiChat.writeModelRequest(request).body)
        expect(thoughtsIn(written), `${model} from ${dialect.name}`).toEqual(expected[word])
        expect(request.lost?.includes('reasoning_content') ?? false).toBe(word === 'refuses')
      }
      const { body, dropped } = fitReasoningBytes(bytes(chat), word)
      expect(thoughtsIn(json(body)), `${model}, spliceRanges`).toEqual(expected[word])
      expect(dropped).toEqual(word === 'refuses' ? ['reasoning_content'] : [])
      for (const { reasoning_content: _, ...turn } of json(body).messages) {
        expect(chat.messages.map(({ reasoning_content: __, ...own }: Json) => own)).toContainEqual(turn)
      }
    }
  })
})

it("a provider's own word wins over that of the model's family", () => {
  const of = (id: string) => allProviders.find((one) => one.id === id)!
  expect(getEarlierReasoningRule(of('groq'), 'moonshotai/kimi-k2-instruct-0905', 'kimi')).toBe('refuses')
  expect(getEarlierReasoningRule(of('cerebras'), 'gpt-oss-120b', 'gpt-oss-120b')).toBe('refuses')
  expect(getEarlierReasoningRule(of('custom'), 'moonshotai/Kimi-K2-Thinking', 'kimi')).toBe('wants')
  expect(getEarlierReasoningRule(of('custom'), 'deployment-7', 'deepseek-v4-pro')).toBe('wants')
  expect(getEarlierReasoningRule(of('deepseek'), 'anything', 'anything')).toBe('wants')
  expect(families.some(({ thoughts }) => thoughts)).toBe(true)
})

it('a thought under another name gets the name that is wanted, and every name is refused', () => {
  const turn = { role: 'assistant', reasoning: 'Hm.', tool_calls: [call('c1')], reasoning_details: [{}] }
  const body = bytes({
    model: 'm',
    messages: [turn, { role: 'assistant', reasoning_content: null, tool_calls: [call('c2')] }],
  })
  expect(thoughtsIn(json(fitReasoningBytes(body, 'wants').body))).toEqual(['Hm.', ''])
  const refused = json(fitReasoningBytes(body, 'refuses').body).messages
  expect(refused.map((one: Json) => Object.keys(one))).toEqual([
    ['role', 'tool_calls'],
    ['role', 'tool_calls'],
  ])
})
