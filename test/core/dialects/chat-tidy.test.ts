// Corrected streams of chat answers: one end for each choice, and the members that every chunk has.
import { describe, expect, it } from 'vitest'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import type { Json } from '../../support/json.ts'

/** The chunks as a client receives them. */
function tidy(...chunks: object[]): Json[] {
  const change = openaiChat.tidy!.stream()
  return chunks.map((chunk) => JSON.parse(change(JSON.stringify(chunk))))
}
const choice = (index: number, finish_reason: string | null = null, delta: object = {}) => ({
  choices: [{ index, delta, finish_reason }],
})

describe('a corrected stream', () => {
  it('ends each choice once, with its first reason', () => {
    const chunks = tidy(
      choice(0, null, { content: 'a' }),
      choice(0, 'length'),
      choice(1, null, { content: 'b' }),
      choice(0, 'stop'),
      choice(1, 'eos'),
      { choices: [0, 1, 2].map((index) => ({ index, delta: {}, finish_reason: 'stop' })) },
    )
    expect(chunks.map(({ choices }) => choices.map((one: Json) => one.finish_reason))).toEqual([
      [null],
      ['length'],
      [null],
      [null],
      ['stop'],
      [null, null, 'stop'],
    ])
  })

  it('counts ends within one stream alone', () => {
    for (let stream = 0; stream < 2; stream++) expect(tidy(choice(0, 'stop'))[0]!.choices[0].finish_reason).toBe('stop')
  })

  it('repeats the id, time and model of the first chunks in those that lack them', () => {
    const known = { id: 'i', created: 5, model: 'm' }
    const chunks = tidy(
      { id: 'i', model: '', ...choice(0) },
      { created: 5, model: 'm', ...choice(0) },
      { id: '', ...choice(0) },
      choice(0),
    )
    expect(chunks.map(({ id, created, model }) => ({ id, created, model }))).toEqual([
      { id: 'i', model: '' },
      known,
      known,
      known,
    ])
  })

  it('leaves errors, and what is no JSON, as they are', () => {
    const change = openaiChat.tidy!.stream()
    for (const data of ['{"error": {"message": "no"}}', '[DONE]', 'text']) expect(change(data)).toBe(data)
  })
})
