// No part of a report makes its bill smaller: whoever leaves one out, and what it is a part of by as much, pays no more.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Bucket, Report } from '../../../core/dialects/buckets.ts'
import type { Usage } from '../../../core/dialects/dialect.ts'
import { usageIn as readClaude } from '../../../core/dialects/anthropic-messages/usage.ts'
import { usageIn as readGemini } from '../../../core/dialects/gemini-generate/usage.ts'
import { openaiTranscriptions } from '../../../core/dialects/openai-audio.ts'
import { openaiImages } from '../../../core/dialects/openai-images.ts'
import { usageOf as readResponses } from '../../../core/dialects/openai-responses/usage.ts'
import { jsonBytes } from '../../../core/dialects/json-bytes.ts'
import { charge } from '../../../core/pricing/charge.ts'
import type { Price } from '../../../core/pricing/price.ts'
import { reporters } from '../dialects/reports.ts'

const UNIT = 500_000
const runs = { seed: 11, numRuns: 1500 }

const ratio = fc.constantFrom(0, 0.1, 0.29, 1, 1.25, 2.5, 8, 60)
const extras = {
  tools: fc.constant({ web_search: 10, file_search: 2.5 }),
  image_multipliers: fc.constantFrom<Price['image_multipliers'][]>(undefined, { '512x512': 0.5, hd: 2 }),
  tiers: fc.constantFrom<Price['tiers'][]>(undefined, {
    prompt: [{ above: 500, factor: { input: 2, output: 1.5 } }],
  }),
}
const prices: fc.Arbitrary<Price> = fc.oneof(
  fc.record({
    ...extras,
    kind: fc.constant('per_usage' as const),
    ...{ model_ratio: ratio, completion_ratio: ratio, cache_ratio: ratio, create_cache_ratio: ratio },
    ...{ audio_ratio: fc.option(ratio, { nil: undefined }), image_ratio: fc.option(ratio, { nil: undefined }) },
    audio_completion_ratio: fc.option(ratio, { nil: undefined }),
    audio_input_price: fc.option(ratio, { nil: undefined }),
  }),
  fc.record({ ...extras, kind: fc.constant('per_call' as const), model_price: ratio }),
)
const count = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(2000))
const due = (price: Price, usage: Usage | undefined) => (usage ? charge(price, 1, usage, UNIT).quota : 0)

describe('the bill of a report', () => {
  const reports = fc.record<Report>({
    ...{ prompt: count, answer: count, cache_read: count, cache_write: count, cache_write_1h: count },
    ...{ audio_in: count, image_in: count, audio_out: count, image_out: count, reasoning: count },
    total: fc.constant(0),
  })
  const ANSWER: Bucket[] = ['audio_out', 'image_out', 'reasoning']

  it.each(reporters)('of $name is not smaller for anything that it counts', ({ read, where, tells, totals }) => {
    fc.assert(
      fc.property(prices, reports, fc.boolean(), (price, report, total) => {
        const beside = tells.reduce((sum, bucket) => sum + (where[bucket] === 'beside' ? report[bucket] : 0), 0)
        const whole = { ...report, total: total && totals ? report.prompt + report.answer + beside : 0 }
        const bill = due(price, read(whole))
        for (const part of ['prompt', 'answer', ...tells] as const) {
          const less = { ...whole, [part]: 0, total: Math.max(0, whole.total - whole[part]) }
          if (part !== 'prompt' && part !== 'answer' && where[part] === 'inside') {
            const of = ANSWER.includes(part) ? 'answer' : 'prompt'
            less[of] = Math.max(0, whole[of] - whole[part])
          }
          expect(bill, part).toBeGreaterThanOrEqual(due(price, read(less)))
        }
      }),
      runs,
    )
  })

  test('is not smaller for anything that usage can say', () => {
    const usages: fc.Arbitrary<Usage> = fc.record({
      ...{
        input: count,
        cache_read: count,
        cache_write: count,
        cache_write_1h: count,
        output: count,
        reasoning: count,
      },
      ...{ audio_in: count, image_in: count, audio_out: count, image_out: count, characters: count, seconds: count },
      images: fc.record({ n: fc.nat(3), size: fc.constantFrom('512x512', '1024x1024') }),
      calls: fc.record({ web_search: fc.nat(3), file_search: fc.nat(3), unheard_of: fc.nat(3) }),
      source: fc.constant('reported' as const),
    })
    const none = (images: Usage['images']) => ({ images: images && { ...images, n: 0 } })
    /** Each part, and what it is a part of. What is drawn or heard is counted in tokens or by the piece: both go. */
    const less: Record<string, (usage: Usage) => Partial<Usage>> = {
      input: () => ({ input: 0, audio_in: 0, image_in: 0, seconds: 0 }),
      output: ({ images }) => ({ output: 0, audio_out: 0, image_out: 0, ...none(images) }),
      cache_read: () => ({ cache_read: 0 }),
      cache_write: () => ({ cache_write: 0 }),
      cache_write_1h: () => ({ cache_write_1h: 0 }),
      audio_in: ({ input, audio_in = 0 }) => ({ audio_in: 0, input: Math.max(0, input - audio_in), seconds: 0 }),
      image_in: ({ input, image_in = 0 }) => ({ image_in: 0, input: Math.max(0, input - image_in), seconds: 0 }),
      audio_out: ({ output, audio_out = 0, images }) => ({
        ...{ audio_out: 0, output: Math.max(0, output - audio_out), ...none(images) },
      }),
      characters: () => ({ characters: 0 }),
      seconds: () => ({ seconds: 0 }),
      images: ({ images }) => none(images),
      calls: () => ({ calls: undefined }),
      one_tool: ({ calls }) => ({ calls: { ...calls, web_search: 0 } }),
    }
    fc.assert(
      fc.property(prices, usages, (price, usage) => {
        const bill = due(price, usage)
        for (const [part, without] of Object.entries(less)) {
          expect(bill, part).toBeGreaterThanOrEqual(due(price, { ...usage, ...without(usage) }))
        }
      }),
      runs,
    )
  })
})

describe('without a single token', () => {
  const plain = { model_ratio: 1, completion_ratio: 1, cache_ratio: 1, create_cache_ratio: 1 }
  const priced: Price = { kind: 'per_usage', ...plain, tools: { web_search: 10, google_search: 14 } }
  const perCall: Price = { kind: 'per_call', model_price: 0.01, tools: { web_search: 10, google_search: 14 } }
  const head = openaiImages.readHead(jsonBytes({ model: 'm', prompt: 'a cat', n: 2 }))

  it.each<[string, Usage | undefined, number, number]>([
    [
      'searches of Claude',
      readClaude({ input_tokens: 0, output_tokens: 0, server_tool_use: { web_search_requests: 2 } }),
      ...([10_000, 15_000] as const),
    ],
    ['searches of Gemini', readGemini({ promptTokenCount: 0 }, { google_search: 1 }), 7_000, 12_000],
    [
      'searches of a Responses answer that reports zeros',
      readResponses({ usage: { input_tokens: 0, output_tokens: 0 }, output: [{ type: 'web_search_call' }] }),
      ...([5_000, 10_000] as const),
    ],
    ['searches of one that reports nothing', readResponses({ output: [{ type: 'web_search_call' }] }), 5_000, 10_000],
    ['pictures', openaiImages.usageOf({ data: [{}, {}] }, head), 2_500, 10_000],
    [
      'pictures of which only the prompt was counted',
      openaiImages.usageOf({ data: [{}, {}], usage: { input_tokens: 10, output_tokens: 0, total_tokens: 10 } }, head),
      ...([2_510, 10_000] as const),
    ],
    [
      'seconds of sound',
      openaiTranscriptions.usageOf({ duration: 60 }, { ...head, images: undefined }),
      ...([1_000, 5_000] as const),
    ],
    [
      'seconds of sound of which only the text was counted',
      openaiTranscriptions.usageOf({ duration: 60, usage: { output_tokens: 9 } }, { ...head, images: undefined }),
      ...([1_009, 5_000] as const),
    ],
  ])('%s cost what they cost', (_, usage, byUsage, byCall) => {
    expect(due(priced, usage)).toBe(byUsage)
    expect(due(perCall, usage)).toBe(byCall)
  })
})
