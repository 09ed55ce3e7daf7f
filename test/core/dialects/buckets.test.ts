// Parts of a prompt and of an answer in each dialect's notation: included in their total, or in addition to it.
import { describe, expect, it } from 'vitest'
import {
  ALL_COUNTS_INSIDE,
  type UsageBucket,
  type UsageBuckets,
  type UsageReport,
  toDisjointCounts,
  type Usage,
} from '../../../core/dialects/answers/usage.ts'
import { parseUsage as readClaude } from '../../../core/dialects/anthropic-messages/usage.ts'
import { parseUsage as readChat } from '../../../core/dialects/openai-chat/usage.ts'
import { reporters } from './reports.ts'
import { listFailures } from '../../support/list-failures.ts'

const NOTHING: UsageReport = {
  ...{ prompt: 0, answer: 0, total: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0 },
  ...{ audio_in: 0, image_in: 0, audio_out: 0, image_out: 0, reasoning: 0 },
}
const buckets = Object.keys(ALL_COUNTS_INSIDE) as UsageBucket[]
const ofAnswer = (bucket: UsageBucket) => ['audio_out', 'image_out', 'reasoning'].includes(bucket)

const plainInput = ({ input, audio_in = 0, image_in = 0 }: Usage) => input - audio_in - image_in
const plainOutput = ({ output, audio_out = 0, image_out = 0 }: Usage) => output - audio_out - image_out

/** What is left of a whole of that size beside a part of it. */
function rest(bucket: UsageBucket, where: UsageBuckets[UsageBucket], whole: number, part: number): number {
  // Thoughts have no price of their own: they stay part of the plain answer, unless they are more than it.
  if (bucket === 'reasoning') return where === 'inside' && part <= whole ? whole : whole + part
  return where === 'inside' ? Math.max(0, whole - part) : whole
}

function check(
  usage: Usage | undefined,
  bucket: UsageBucket,
  where: UsageBuckets[UsageBucket],
  whole: number,
  part: number,
) {
  expect(usage?.[bucket]).toBe(part)
  const other = ofAnswer(bucket) ? plainInput : plainOutput
  expect((ofAnswer(bucket) ? plainOutput : plainInput)(usage!)).toBe(rest(bucket, where, whole, part))
  expect(other(usage!)).toBe(7)
}

/** Ordinary, as large as its whole, and larger than it. */
const SIZES = [
  [1000, 300],
  [1000, 1000],
  [100, 10_000],
] as const

describe.each(buckets)('%s', (bucket) => {
  const reportOf = (whole: number, part: number): UsageReport => ({
    ...NOTHING,
    ...(ofAnswer(bucket) ? { prompt: 7, answer: whole } : { prompt: whole, answer: 7 }),
    [bucket]: part,
  })

  it.each(['inside', 'beside'] as const)('%s its whole leaves it as much as is not part of it', (where) => {
    for (const [whole, part] of SIZES) {
      check(
        toDisjointCounts(reportOf(whole, part), { ...ALL_COUNTS_INSIDE, [bucket]: where }),
        bucket,
        where,
        whole,
        part,
      )
    }
  })

  it('is never less than what a provider reports', async () => {
    const failures = await listFailures(
      reporters.filter(({ tells }) => tells.includes(bucket)),
      ({ name }) => name,
      ({ read, where }) => {
        for (const [whole, part] of SIZES) check(read(reportOf(whole, part)), bucket, where[bucket], whole, part)
      },
    )
    expect(failures).toEqual([])
  })
})

describe('parts that are more than their whole together', () => {
  const COUNTS = { prompt: 24_643, answer: 7, cache_read: 24_503 }

  it('are not paid for twice: pictures and sound that were cached count as cached', async () => {
    const failures = await listFailures(
      reporters.flatMap((reporter) =>
        (['image_in', 'audio_in'] as const)
          .filter((bucket) => reporter.tells.includes(bucket))
          .map((bucket) => ({ ...reporter, bucket })),
      ),
      ({ name, bucket }) => `${name}, ${bucket}`,
      ({ read, bucket }) => {
        const usage = read({ ...NOTHING, ...COUNTS, [bucket]: 22_000 })
        expect(usage).toMatchObject({ input: 140, cache_read: 24_503 })
        expect(usage?.[bucket]).toBeUndefined()
        // As much text as was cached: nothing is contradicted.
        expect(read({ ...NOTHING, ...COUNTS, cache_read: 2643, [bucket]: 22_000 })).toMatchObject({
          ...{ input: 22_000, cache_read: 2643 },
          [bucket]: 22_000,
        })
      },
    )
    expect(failures).toEqual([])
  })

  it('are cut to it, the dearest first', () => {
    const usage = toDisjointCounts(
      { ...NOTHING, prompt: 1000, answer: 7, cache_read: 900, cache_write: 900 },
      ALL_COUNTS_INSIDE,
    )
    expect(usage).toMatchObject({ input: 0, cache_read: 900, cache_write: 100 })
    const total = { prompt_tokens: 1000, input_tokens: 0, completion_tokens: 7, output_tokens: 7 }
    const both = { ephemeral_5m_input_tokens: 800, ephemeral_1h_input_tokens: 800 }
    for (const read of [readClaude, readChat]) {
      const written = read({ ...total, cache_creation_input_tokens: 800, cache_creation: both })
      expect(written).toMatchObject({ cache_write: 800, cache_write_1h: 0 })
      // A total that is not told is the sum of its parts.
      expect(read({ ...total, prompt_tokens: 2000, cache_creation: both })).toMatchObject({
        ...{ cache_write: 800, cache_write_1h: 800 },
      })
    }
  })

  it('are told apart by a report that says what was cached', () => {
    const cached = { cached_tokens: 600, cached_tokens_details: { audio_tokens: 500 } }
    const input_tokens_details = { ...cached, audio_tokens: 700 }
    expect(readChat({ input_tokens: 1000, output_tokens: 7, input_tokens_details })).toMatchObject({
      ...{ input: 400, audio_in: 200, cache_read: 600 },
    })
  })

  it('are beside it where they are thoughts: 43 and 14 of an answer are 57', () => {
    const usage = { prompt_tokens: 40, completion_tokens: 14, completion_tokens_details: { reasoning_tokens: 43 } }
    expect(readChat(usage)).toMatchObject({ input: 40, output: 57, reasoning: 43 })
  })
})

describe('a total', () => {
  it('tells what no other count does, at every provider that reports one', async () => {
    const failures = await listFailures(
      reporters.filter(({ totals }) => totals),
      ({ name }) => name,
      ({ read }) => {
        expect(read({ ...NOTHING, prompt: 10, answer: 5, total: 40 })?.output).toBe(30)
        // Another reading of the same numbers: what was cached is counted on top of the prompt, and is no answer.
        expect(read({ ...NOTHING, prompt: 10, answer: 5, cache_read: 500, total: 515 })?.output).toBe(5)
      },
    )
    expect(failures).toEqual([])
  })
})

it('a report of nothing is none, in every dialect', () => {
  for (const { read } of reporters) expect(read(NOTHING)).toBeUndefined()
})
