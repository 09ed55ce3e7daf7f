// The rough count of a text, whichever way it is read.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openaiRealtime } from '../../../core/dialects/openai-realtime.ts'
import { estimateTextTokens } from '../../../core/dialects/requests/head.ts'

/** docs/billing.md, 12.2, letter by letter. */
const expected = (text: string): number => {
  const letters = [...text]
  const plain = letters.filter((letter) => (letter.codePointAt(0) ?? 0) < 0x80).length
  return plain / 4 + (letters.length - plain) * 0.9
}

describe('the rough count of a text', () => {
  it('is a quarter of its ASCII letters and nearly one for each other character, however long it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
        fc.integer({ min: 1, max: 4_000 }),
        (piece, end, times) => {
          const text = piece.repeat(times) + end
          expect(estimateTextTokens(text)).toBe(expected(text))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('sees one wide character at the edge of what is looked at in one go', () => {
    for (const before of [16_383, 16_384, 16_385, 32_767]) {
      const text = `${'a'.repeat(before)}é`
      expect(estimateTextTokens(text)).toBe(before / 4 + 0.9)
    }
  })
})

it('a request without texts counts as one token', () => {
  const request = new TextEncoder().encode(JSON.stringify({ model: 'm' }))
  expect(openaiRealtime.readRequestHead(request)).toEqual({
    model: 'm',
    stream: true,
    include_usage: false,
    prompt_estimate: 1,
  })
})
