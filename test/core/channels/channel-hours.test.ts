// The hourly statistics of channels: what is counted of an attempt, and that a write that fails loses nothing.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt, CallRecord } from '../../../core/calls/call-record.ts'
import {
  ATTEMPT_FAILURE_KINDS,
  createChannelHours,
  getFailureKind,
  type ChannelHour,
} from '../../../core/channels/channel-hours.ts'
import type { CallFailure } from '../../../core/dialects/answers/call-failure.ts'
import { createFakeClock } from '../../support/clock.ts'

const HOUR_MS = 3_600_000
const START = 1_760_000_400_000

const failure = (fields: Partial<CallFailure> = {}): CallFailure => ({
  ...{ status: 500, message: 'no', type: 'error', code: null, param: null, source: 'upstream' },
  ...fields,
})
const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  ...{ channel_id: 1, channel_type: 1, key: '', key_index: 0, served: 'm', model: 'm', began: START, ms: 100 },
  ...{ first_content_ms: 40, result: 'answered' },
  ...fields,
})
/** A finished call, with the facts that these statistics read. */
function record(...attempts: Attempt[]): CallRecord {
  const facts: Partial<CallRecord> = { attempts, status: 'complete', ended_at: START + 500 }
  return facts as CallRecord
}

/** A counter, whose writes fail or succeed when the test decides. */
function open() {
  const written: ChannelHour[] = []
  const results: ((error?: Error) => void)[] = []
  const add = async (hours: readonly ChannelHour[]) => {
    const error = await new Promise<Error | undefined>((resolve) => void results.push(resolve))
    if (error) throw error
    written.push(...hours)
  }
  const storage = { channelHours: { add, since: async () => [], deleteBefore: async () => undefined } }
  const { sink, flush } = createChannelHours({ storage, clock: createFakeClock() })
  /** Starts a write, counts further records while it is on its way, and ends it. */
  async function write({ meanwhile = [] as CallRecord[], error = undefined as Error | undefined } = {}) {
    const done = flush()
    await Promise.resolve()
    void sink.take(meanwhile)
    results.shift()?.(error)
    await (error ? expect(done).rejects.toBe(error) : done)
  }
  return { take: (records: CallRecord[]) => void sink.take(records), write, written }
}

const byPlace = (hours: ChannelHour[]) => [...hours].sort((a, b) => a.hour - b.hour || a.key.localeCompare(b.key))

describe('the hours of a channel', () => {
  test('count answers with their times, and failures by their reasons', async () => {
    const { take, write, written } = open()
    const failed = (fields: Partial<CallFailure>, ms: number) =>
      record(attempt({ result: 'failed', failure: failure(fields), first_content_ms: null, ms }))
    take([
      record(attempt(), attempt({ first_content_ms: null, ms: 300 })),
      record(attempt({ result: 'abandoned', first_content_ms: null })),
      failed({ status: 401, message: 'bad key' }, 1000),
      failed({ status: 529, message: 'busy' }, 4000),
      // An invalid request is no failure of the channel.
      failed({ status: 400, message: 'bad request' }, 9000),
      record(attempt({ began: START + HOUR_MS })),
    ])
    await write()
    expect(byPlace(written)).toMatchObject([
      {
        ...{ channel_id: 1, key: '', hour: Math.floor(START / HOUR_MS) * 3600 },
        ...{ answered: 2, abandoned: 1, ms: 400, firsts: 1, first_ms: 40 },
        failed: { key: 1, limit: 0, server: 1, timeout: 0, network: 0, answer: 0, request: 1 },
        ...{ error_at: START / 1000 + 4, error_status: 529, error: 'busy' },
      },
      { hour: Math.floor(START / HOUR_MS) * 3600 + 3600, answered: 1, error_at: 0, error_status: 0, error: '' },
    ])
    expect(written.map(({ spans }) => spans.reduce((sum, count) => sum + count, 0))).toEqual([2, 1])
  })

  test('are the same after a write that failed, whatever was counted while it was on its way', async () => {
    const one = fc
      .record({
        key: fc.constantFrom('', 'a'),
        result: fc.constantFrom('answered' as const, 'failed' as const, 'abandoned' as const),
        hours: fc.nat(1),
        ms: fc.nat(60_000),
        first_content_ms: fc.option(fc.nat(5000)),
        status: fc.constantFrom(400, 401, 429, 500, 504),
      })
      .map(({ hours, status, ...fields }) => ({ fields, hours, status }))
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 2, maxLength: 8 }), fc.nat(8), async (list, cut) => {
        // Each attempt ends after the one before, as those of a process do.
        const records = list.map(({ fields: { ms, ...fields }, hours, status }, at) => {
          const began = START + hours * HOUR_MS + at * 100_000
          const failed = { failure: failure({ status, message: `failure ${at}` }) }
          return record(attempt({ ...fields, began, ms, ...(fields.result === 'failed' ? failed : {}) }))
        })
        const [first, second] = [records.slice(0, cut), records.slice(cut)]
        const [broken, whole] = [open(), open()]
        broken.take(first)
        await broken.write({ meanwhile: second, ...(first.length > 0 ? { error: new Error('database away') } : {}) })
        await broken.write()
        whole.take(records)
        await whole.write()
        expect(byPlace(broken.written)).toEqual(byPlace(whole.written))
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  test.each<[(typeof ATTEMPT_FAILURE_KINDS)[number], Partial<CallFailure>[]]>([
    ['key', [{ status: 401 }, { status: 402 }, { status: 403 }]],
    ['limit', [{ status: 429 }]],
    ['timeout', [{ status: 408 }, { status: 504 }, { status: 502, source: 'gateway', code: 'upstream_timeout' }]],
    ['network', [{ status: 502, source: 'gateway', code: 'do_request_failed' }]],
    [
      'answer',
      [
        { status: 502, source: 'gateway', code: 'bad_response' },
        { status: 502, source: 'gateway', code: 'bad_response_body' },
      ],
    ],
    // A provider may use such a code too, which then says nothing about the way to it.
    ['server', [{ status: 500 }, { status: 529 }, { status: 502, code: 'do_request_failed' }]],
    ['request', [{ status: 400 }, { status: 404 }, { status: 422 }]],
  ])('name the reason "%s"', (kind, failures) => {
    expect(ATTEMPT_FAILURE_KINDS).toContain(kind)
    for (const fields of failures) expect(getFailureKind(failure(fields)), JSON.stringify(fields)).toBe(kind)
  })
})
