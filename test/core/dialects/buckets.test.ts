// Parts of a prompt and of an answer, as every dialect counts them: inside their whole or beside it.
import { describe, expect, it } from 'vitest'
import { ALL_INSIDE, disjoint, type Bucket, type Buckets, type Report } from '../../../core/dialects/buckets.ts'
import type { Usage } from '../../../core/dialects/usage.ts'
import { reporters } from './reports.ts'
import { listFailures } from '../../support/list-failures.ts'

const NOTHING: Report = {
  ...{ prompt: 0, answer: 0, total: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0 },
  ...{ audio_in: 0, image_in: 0, audio_out: 0, image_out: 0, reasoning: 0 },
}
const buckets = Object.keys(ALL_INSIDE) as Bucket[]
const ofAnswer = (bucket: Bucket) => ['audio_out', 'image_out', 'reasoning'].includes(bucket)

const plainInput = ({ input, audio_in = 0, image_in = 0 }: Usage) => input - audio_in - image_in
const plainOutput = ({ output, audio_out = 0, image_out = 0 }: Usage) => output - audio_out - image_out

/** What is left of a whole of that size beside a part of it. */
function rest(bucket: Bucket, where: Buckets[Bucket], whole: number, part: number): number {
  // Thoughts have no price of their own: they stay part of the plain answer, which is at least as long.
  if (bucket === 'reasoning') return where === 'inside' ? Math.max(whole, part) : whole + part
  return where === 'inside' ? Math.max(0, whole - part) : whole
}

function check(usage: Usage | undefined, bucket: Bucket, where: Buckets[Bucket], whole: number, part: number) {
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
  const reportOf = (whole: number, part: number): Report => ({
    ...NOTHING,
    ...(ofAnswer(bucket) ? { prompt: 7, answer: whole } : { prompt: whole, answer: 7 }),
    [bucket]: part,
  })

  it.each(['inside', 'beside'] as const)('%s its whole leaves it as much as is not part of it', (where) => {
    for (const [whole, part] of SIZES) {
      check(disjoint(reportOf(whole, part), { ...ALL_INSIDE, [bucket]: where }), bucket, where, whole, part)
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
