// Answers that Weir stores: what is stored of a request and its answer, how a later request continues it, and the list of its input.
import { describe, expect, it } from 'vitest'
import { encodeFrame } from '../../../core/dialects/answers/frames.ts'
import {
  buildInputPage,
  buildStoredAnswer,
  createAnswerId,
  findItemAnswer,
  findItemReferences,
  findStoredItem,
  prependStoredConversation,
  readStoredAnswer,
} from '../../../core/dialects/openai-responses/stored-answer.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const jsonOf = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))

const ID = createAnswerId((length) => 'a'.repeat(length))
const output = [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }]
const response = { id: ID, object: 'response', status: 'completed', output }
const inStream = (type: string, said: object) =>
  encodeFrame({ event: type, data: JSON.stringify({ type, response: said }) })
const ends = [
  ['whole', bytes(response), false],
  [
    'streamed',
    Buffer.concat([
      // Only the last bytes of a stream are there: they begin inside an event.
      Buffer.from('"half": "an event"}\n\n'),
      inStream('response.in_progress', { ...response, status: 'in_progress', output: [] }),
      inStream('response.completed', response),
    ]),
    true,
  ],
] as const

describe.each(ends)('what is stored of an answer, %s', (_, end, streamed) => {
  const store = (input: unknown) => buildStoredAnswer(bytes({ model: 'm', input }), end, streamed)

  it('is the answer as the caller saw it, after a text as a message of the user', () => {
    expect(store('Hello')).toEqual({
      input: [{ id: `msg_${ID}_i0`, type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      response,
    })
  })

  it('gives every item a type and an id of the answer, unless it has its own', () => {
    const items = [
      { role: 'user', content: 'Look.' },
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'done' },
      { id: 'msg_own', role: 'user', content: 'And?' },
    ]
    const input = store(items)!.input
    expect(input.map(({ id, type }) => [id, type])).toEqual([
      [`msg_${ID}_i0`, 'message'],
      [`rs_${ID}_i1`, 'reasoning'],
      [`fc_${ID}_i2`, 'function_call'],
      [`item_${ID}_i3`, 'function_call_output'],
      ['msg_own', 'message'],
    ])
    expect(input.map(({ id }) => findItemAnswer(String(id)))).toEqual([ID, ID, ID, ID, undefined])
    for (const [place, item] of input.entries()) expect(item).toMatchObject(items[place]!)
    expect(readStoredAnswer(bytes({ input: items }), end, streamed)).toEqual({ input: items, response })
  })

  it('is found by its id, in the input and in the output', () => {
    const stored = store('Hello')!
    expect(findStoredItem(stored, `msg_${ID}_i0`)).toBe(stored.input[0])
    expect(findStoredItem(stored, 'msg_1')).toEqual(output[0])
    expect(findStoredItem(stored, 'msg_2')).toBeUndefined()
  })
})

it('an answer that is cut off, or of the other kind, is not stored', () => {
  const cut = inStream('response.completed', response).subarray(0, 60)
  for (const [end, streamed] of [
    [ends[0][1], true],
    [ends[1][1], false],
    [cut, true],
    [bytes({}), false],
  ] as const)
    expect(buildStoredAnswer(bytes({ input: 'Hello' }), end, streamed)).toBeUndefined()
})

describe('a request that continues a stored answer', () => {
  const previous = buildStoredAnswer(bytes({ input: 'Hello' }), ends[0][1], false)!
  const ask = (input: unknown, items: [string, Json][] = [], continues?: string) =>
    jsonOf(
      prependStoredConversation(
        bytes({ model: 'm', previous_response_id: ID, input }),
        previous,
        new Map(items),
        continues,
      ),
    )

  it('has the conversation before its own input', () => {
    const own = { role: 'user', content: 'And now?' }
    expect(ask([own])).toEqual({ model: 'm', input: [...previous.input, ...output, own] })
    expect(ask([own], [], 'resp_upstream').previous_response_id).toBe('resp_upstream')
  })

  it('has the items that it refers to', () => {
    const refers = [
      { type: 'item_reference', id: 'a' },
      { role: 'user', content: 'x' },
      { type: 'item_reference', id: 'b' },
    ]
    expect(findItemReferences(bytes({ input: refers }))).toEqual(['a', 'b'])
    const stored = { type: 'message', id: 'a', role: 'user', content: 'stored' }
    expect(ask(refers, [['a', stored]]).input.slice(-3)).toEqual([stored, refers[1], refers[2]])
  })

  it('is refused if it has the result of an unknown call', () => {
    const result = { type: 'function_call_output', call_id: 'c', output: '1' }
    expect(() => ask([result])).toThrow(expect.objectContaining({ code: 'response.no_call' }))
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
    expect(ask([call, result]).input.slice(-2)).toEqual([call, result])
    expect(ask([result], [], 'resp_upstream').input.at(-1)).toEqual(result)
  })
})

describe('the list of input items', () => {
  const items = Array.from({ length: 25 }, (_, index) => ({
    id: `i${index}`,
    type: 'message',
    role: 'user',
    content: 'x',
  }))
  const page = (query: string) => {
    const found = buildInputPage({ input: items, response }, new URLSearchParams(query)) as Json
    return found && [found.first_id, found.last_id, found.data.length, found.has_more]
  }

  it.each([
    ['', ['i24', 'i5', 20, true]],
    ['order=asc', ['i0', 'i19', 20, true]],
    ['order=asc&after=i19', ['i20', 'i24', 5, false]],
    ['after=i5&limit=4', ['i4', 'i1', 4, true]],
    ['after=i5&limit=5', ['i4', 'i0', 5, false]],
    ['limit=-1', ['i24', 'i24', 1, true]],
    ['limit=1000', ['i24', 'i0', 25, false]],
    ['limit=many', ['i24', 'i5', 20, true]],
    ['after=unknown', undefined],
    ['after=i0', [null, null, 0, false]],
  ])('is read by pages: %s', (query, expected) => {
    expect(page(query)).toEqual(expected)
  })
})
