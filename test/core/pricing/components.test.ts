// No part of a report makes its bill smaller: whoever leaves one out, and what it is a part of by as much, pays no more.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  ALL_COUNTS_INSIDE,
  type UsageBucket,
  type UsageReport,
  type Usage,
} from '../../../core/dialects/answers/usage.ts'
import { parseUsage as readClaude } from '../../../core/dialects/anthropic-messages/usage.ts'
import { parseUsage as readGemini } from '../../../core/dialects/gemini-generate/usage.ts'
import { openaiTranscriptions } from '../../../core/dialects/media/openai-audio.ts'
import { openaiImages } from '../../../core/dialects/media/openai-images.ts'
import { parseAnswerUsage as readResponses } from '../../../core/dialects/openai-responses/usage.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import { charge } from '../../../core/pricing/charge.ts'
import { defineComponents, type PriceComponent, type CountedUsage } from '../../../core/pricing/component.ts'
import { PRICE_COMPONENTS, type ComponentName } from '../../../core/pricing/components.ts'
import type { Price } from '../../../core/pricing/price.ts'
import { runsAllTests } from '../../support/suite.ts'
import { reporters } from '../dialects/reports.ts'

const UNIT = 500_000
const BUCKETS = Object.keys(ALL_COUNTS_INSIDE) as UsageBucket[]
const table = Object.entries(PRICE_COMPONENTS) as [ComponentName, PriceComponent][]
const runs = { seed: 11, numRuns: runsAllTests ? 1500 : 600 }

const ratio = fc.constantFrom(0, 0.1, 0.29, 1, 1.25, 2.5, 8, 60)
const extras = {
  tools: fc.constant({ web_search: 10, file_search: 2.5 }),
  image_multipliers: fc.constantFrom<Price['image_multipliers'][]>(undefined, { '512x512': 0.5, hd: 2 }),
  tiers: fc.constantFrom<Price['tiers'][]>(undefined, {
    prompt: [{ above: 500, factor: { input: 2, output: 1.5 } }],
  }),
}
/** As a price book has them: what is derived of a price is computed once. */
const prices: fc.Arbitrary<Price> = fc
  .oneof(
    fc.record({
      ...extras,
      kind: fc.constant('per_usage' as const),
      ...{ model_ratio: ratio, completion_ratio: ratio, cache_ratio: ratio, create_cache_ratio: ratio },
      ...{ audio_ratio: fc.option(ratio, { nil: undefined }), image_ratio: fc.option(ratio, { nil: undefined }) },
      audio_completion_ratio: fc.option(ratio, { nil: undefined }),
      audio_input_price: fc.option(ratio, { nil: undefined }),
      video_price: fc.option(ratio, { nil: undefined }),
    }),
    fc.record({ ...extras, kind: fc.constant('per_call' as const), model_price: ratio }),
  )
  .map((price): Price => Object.freeze({ ...price }))
const count = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(2000))
const due = (price: Price, usage: Usage | undefined) => (usage ? charge(price, 1, usage, UNIT).quota : 0)

describe('the bill of a report', () => {
  const reports = fc.record<UsageReport>({
    ...{ prompt: count, answer: count, cache_read: count, cache_write: count, cache_write_1h: count },
    ...{ audio_in: count, image_in: count, audio_out: count, image_out: count, reasoning: count },
    total: fc.constant(0),
  })
  const ANSWER: UsageBucket[] = ['audio_out', 'image_out', 'reasoning']
  /** A report of what the format has words for. */
  const tellable = (report: UsageReport, tells: UsageBucket[]): UsageReport => {
    const untold = BUCKETS.filter((bucket) => !tells.includes(bucket))
    return { ...report, ...Object.fromEntries(untold.map((bucket) => [bucket, 0])) }
  }

  it.each(reporters)('of $name is not smaller for anything that it counts', ({ read, where, tells, totals }) => {
    fc.assert(
      fc.property(prices, reports, fc.boolean(), (price, counts, total) => {
        const report = tellable(counts, tells)
        const beside = tells.reduce((sum, bucket) => sum + (where[bucket] === 'beside' ? report[bucket] : 0), 0)
        const within = tells.filter((bucket) => !ANSWER.includes(bucket) && where[bucket] === 'inside')
        const prompt = within.reduce((sum, bucket) => sum + report[bucket], report.prompt)
        const whole = { ...report, prompt, total: total && totals ? prompt + report.answer + beside : 0 }
        const bill = due(price, read(whole))
        for (const part of ['prompt', 'answer', ...tells] as const) {
          const less = { ...whole, [part]: 0, total: Math.max(0, whole.total - whole[part]) }
          if (part !== 'prompt' && part !== 'answer' && where[part] === 'inside') {
            const of = ANSWER.includes(part) ? 'answer' : 'prompt'
            less[of] = Math.max(0, whole[of] - whole[part])
          }
          const without = due(price, read(less))
          // A plain condition: a call of expect takes longer than the bill.
          if (bill < without) throw new Error(`${bill} is less than ${without} without ${part}`)
        }
      }),
      runs,
    )
  })

  it.each(reporters)('of $name has no more input than was reported, whatever contradicts itself', (reporter) => {
    const { read, where, tells } = reporter
    fc.assert(
      fc.property(reports, fc.integer({ min: -2000, max: 2000 }), (counts, more) => {
        const report = tellable(counts, tells)
        const parts = tells.filter((bucket) => !ANSWER.includes(bucket))
        const within = parts.filter((bucket) => where[bucket] === 'inside')
        const beside = parts.reduce((sum, bucket) => sum + (where[bucket] === 'beside' ? report[bucket] : 0), 0)
        const usage = read({ ...report, total: Math.max(0, report.prompt + report.answer + more) })
        if (usage === undefined) return
        const lines = usage.input + usage.cache_read + usage.cache_write + usage.cache_write_1h
        // A part that is larger than its prompt is not in it, and a total that has all of them has them beside it.
        const most = Math.max(report.prompt, ...within.map((bucket) => report[bucket])) + beside
        const cached = report.cache_read + report.cache_write + report.cache_write_1h
        if (more >= cached && cached > report.prompt) return
        if (lines > most) throw new Error(`${lines} tokens of input are more than ${most}`)
        for (const part of parts)
          if ((usage[part] ?? 0) > report[part]) throw new Error(`more of ${part} than reported`)
      }),
      runs,
    )
  })

  const FIELDS: Record<CountedUsage, true> = {
    ...{ input: true, cache_read: true, cache_write: true, cache_write_1h: true, output: true, reasoning: true },
    ...{ audio_in: true, image_in: true, audio_out: true, image_out: true, characters: true, seconds: true },
    ...{ video_seconds: true, tasks: true },
  }

  test.each(Object.keys(FIELDS))('has one component for %s', (field) => {
    expect(table.filter(([, component]) => component.field === field)).toHaveLength(1)
  })

  test('is not smaller for anything that usage can say', () => {
    const usages = fc.record({
      ...Object.fromEntries(Object.keys(FIELDS).map((field) => [field, count])),
      images: fc.record({ n: fc.nat(3), size: fc.constantFrom('512x512', '1024x1024') }),
      calls: fc.record({ web_search: fc.nat(3), file_search: fc.nat(3), unheard_of: fc.nat(3) }),
      source: fc.constant('reported' as const),
    }) as fc.Arbitrary<unknown> as fc.Arbitrary<Usage>
    /** What has no number of its own, and how it is taken away. */
    const apart: Partial<Record<ComponentName, (usage: Usage) => Partial<Usage>>> = {
      call: () => ({}),
      image: ({ images }) => ({ images: images && { ...images, n: 0 } }),
      tool: () => ({ calls: undefined }),
    }
    const gone = ([what, { field }]: (typeof table)[number], usage: Usage): Partial<Usage> =>
      field ? { [field]: 0 } : apart[what]!(usage)
    /** Without one thing, its parts, its share of what it is a part of, and whatever counts the same in another way. */
    const without = (one: (typeof table)[number], usage: Usage): Partial<Usage> => {
      const [what, { field, partOf }] = one
      const along = table.filter(
        ([, other]) => other.partOf === what || (other.insteadOf && [what, partOf].includes(other.insteadOf)),
      )
      const whole = partOf && field ? { [partOf]: Math.max(0, usage[partOf] - (usage[field] ?? 0)) } : {}
      return Object.assign({}, ...[one, ...along].map((each) => gone(each, usage)), whole)
    }
    fc.assert(
      fc.property(prices, usages, (price, usage) => {
        const bill = due(price, usage)
        for (const one of table) {
          expect(bill, one[0]).toBeGreaterThanOrEqual(due(price, { ...usage, ...without(one, usage) }))
        }
      }),
      runs,
    )
  })
})

describe('the table of components', () => {
  test('refuses one that nobody has priced', () => {
    const unpriced = { ...PRICE_COMPONENTS, smell: { ...PRICE_COMPONENTS.characters, rate: { per_usage: undefined } } }
    expect(() => defineComponents(unpriced as never)).toThrow('The component smell has no price (per_usage)')
    const whole = { ...PRICE_COMPONENTS.characters, rate: { per_usage: 'in_whole', per_call: 'in_call' } as const }
    expect(() => defineComponents({ ...PRICE_COMPONENTS, smell: whole })).toThrow(
      'The component smell has no price (per_usage)',
    )
    expect(() => defineComponents({ ...PRICE_COMPONENTS, smell: { ...whole, partOf: 'output' } })).not.toThrow()
  })

  test.each(table)('has words for %s, and a place in the log', (what, { label, log }) => {
    expect(label.en && label.zh && label.en !== label.zh).toBeTruthy()
    expect(log !== undefined || ['input', 'output', 'call'].includes(what)).toBe(true)
    expect(table.filter(([, other]) => other.log === log || other.label.en === label.en)).toHaveLength(
      log === undefined ? 3 : 1,
    )
  })
})

describe('without a single token', () => {
  const plain = { model_ratio: 1, completion_ratio: 1, cache_ratio: 1, create_cache_ratio: 1 }
  const priced: Price = { kind: 'per_usage', ...plain, tools: { web_search: 10, google_search: 14 } }
  const perCall: Price = { kind: 'per_call', model_price: 0.01, tools: { web_search: 10, google_search: 14 } }
  const head = openaiImages.readRequestHead(toJsonBytes({ model: 'm', prompt: 'a cat', n: 2 }))

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
