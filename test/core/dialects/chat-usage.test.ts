// The usage that providers report, in its many notations.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUsage } from '../../../core/dialects/openai-chat/usage.ts'

describe('usage', () => {
  const none = { input: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 0, reasoning: 0 }

  it.each([
    [
      'OpenAI',
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
      { input: 6, cache_read: 4, output: 5, reasoning: 3 },
    ],
    [
      'DeepSeek',
      { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
      { input: 2, cache_read: 8, output: 5 },
    ],
    ['Moonshot', { prompt_tokens: 10, completion_tokens: 5, cached_tokens: 7 }, { input: 3, cache_read: 7, output: 5 }],
    [
      'xAI',
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 40,
        completion_tokens_details: { reasoning_tokens: 25 },
      },
      { input: 10, output: 30, reasoning: 25 },
    ],
    [
      'cache writes',
      {
        prompt_tokens: 10,
        completion_tokens: 1,
        prompt_tokens_details: { cache_write_tokens: 6, cached_tokens: 2 },
        cache_creation: { ephemeral_1h_input_tokens: 5 },
      },
      { input: 2, cache_read: 2, cache_write: 1, cache_write_1h: 5, output: 1 },
    ],
    [
      'more cached than sent',
      { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } },
      { cache_read: 9, output: 1 },
    ],
    [
      'nonsense',
      {
        prompt_tokens: -5,
        completion_tokens: 2.9,
        total_tokens: Number.NaN,
        prompt_tokens_details: { cached_tokens: '7' },
      },
      { output: 2 },
    ],
    ['too much', { prompt_tokens: 1e300, completion_tokens: 2 ** 53 }, { input: 2 ** 31, output: 2 ** 31 }],
  ])('%s', (_, given, expected) => {
    expect(parseUsage(given)).toEqual({ ...none, ...expected, source: 'reported' })
  })

  it('is missing where all is zero or none', () => {
    for (const given of [undefined, null, 5, [], {}, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }]) {
      expect(parseUsage(given)).toBeUndefined()
    }
  })

  it('is always made of whole counts within bounds', () => {
    const names = ['prompt_tokens', 'completion_tokens', 'total_tokens', 'cached_tokens', 'prompt_cache_hit_tokens']
    const any = fc.oneof(fc.double(), fc.integer(), fc.jsonValue())
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), any),
        fc.dictionary(fc.constantFrom('cached_tokens', 'cache_write_tokens'), any),
        (top, detail) => {
          const { source: _, ...counts } = parseUsage({ ...top, prompt_tokens_details: detail }) ?? {
            ...none,
            source: 'reported',
          }
          for (const value of Object.values(counts))
            expect(Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 2 ** 31).toBe(true)
          expect(counts.reasoning).toBeLessThanOrEqual(counts.output)
        },
      ),
    )
  })
})
