// A long conversation before it is summarized (docs/relay.md, 12.7.2): what the summary replaces, and what stays unchanged.
import { describe, expect, it } from 'vitest'
import {
  selectRetainedMessages,
  splitConversation,
  toSummaryMessage,
} from '../../../core/dialects/openai-responses/compaction.ts'

describe('a conversation that is summarized', () => {
  const system = { role: 'system', content: 'Be brief.' }
  const tools = { type: 'additional_tools', tools: [] }
  const user = (content: string) => ({ role: 'user', content })
  const said = (content: string) => ({ type: 'message', role: 'assistant', content })
  const reasoning = { type: 'reasoning', summary: [] }
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' })
  const result = (call_id: string) => ({ type: 'function_call_output', call_id, output: '1' })
  const early = [user('one'), said('two')]

  it.each([
    ['the last question', [...early, user('three')], [2]],
    ['questions that follow one another', [...early, user('three'), user('four')], [2, 3]],
    ['the last question, even before an answer', [...early, user('three'), said('four')], [2]],
    [
      'the calls whose results came last, with their reasoning and question',
      [...early, user('three'), reasoning, call('a'), call('b'), result('a'), result('b')],
      [2, 3, 4, 5, 6, 7],
    ],
    [
      'only the last of several turns of calls, with their question',
      [...early, user('three'), call('a'), result('a'), reasoning, call('b'), result('b')],
      [2, 5, 6, 7],
    ],
  ])('keeps %s', (_, items, places) => {
    const [first, ...rest] = items
    expect(splitConversation([system, first!, tools, ...rest], 1000)).toEqual({
      system: [system, tools],
      summed: items.filter((_item, place) => !places.includes(place)),
      behind: items.filter((_item, place) => places.includes(place)),
    })
  })

  it('summarizes a long question with the rest', () => {
    const long = user('x'.repeat(2000))
    const step = [call('a'), result('a')]
    expect(splitConversation([...early, long, ...step], 1000)).toEqual({
      system: [],
      summed: [...early, long],
      behind: step,
    })
  })

  it('retains the newest messages of the user next to the summary, without an earlier summary', () => {
    const long = (letter: string) => user(letter.repeat(30_000))
    const items = [long('a'), long('b'), toSummaryMessage('earlier'), said('no'), long('c')]
    expect(selectRetainedMessages(items)).toEqual([long('b'), long('c')].map((item) => ({ ...item, type: 'message' })))
  })
})
