// The counters of calls are equal when they are counted at their end and from their log rows, for every kind of sum.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallRecord } from '../../../core/calls/call-record.ts'
import { buildCallRecord } from '../../../core/calls/finish.ts'
import { estimateQuantile } from '../../../core/calls/histogram.ts'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import { buildCallRow } from '../../../core/logs/call-row.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { toCountedCall, parseCountedRow, type CallForUsage } from '../../../core/usage/counted-call.ts'
import { toMeasures } from '../../../core/usage/report.ts'
import { createRollUp } from '../../../core/usage/roll-up.ts'
import type { UsageStore } from '../../../core/usage/store.ts'
import { SLOT_SECONDS, SUMMED_MEASURES, UsageSums, type UsageSum } from '../../../core/usage/sums.ts'

const settings = defaultSettings()
const price = findPrice('gpt-4o', settings, false)!
const START = 1_760_000_000_000

const failures = fc.record({
  status: fc.constantFrom(400, 401, 403, 408, 429, 499, 500, 502, 504),
  code: fc.constantFrom('upstream_timeout', 'do_request_failed', 'bad_response', 'rate_limited', 7, null),
  ...{ message: fc.constant('no'), type: fc.constant('x'), param: fc.constant(null) },
  source: fc.constantFrom('gateway' as const, 'upstream' as const),
})
const usages = fc
  .record({ input: fc.nat(100_000), cache_read: fc.nat(10_000), cache_write: fc.nat(9_000), output: fc.nat(10_000) })
  .map((counts) => buildKnownUsage({ ...counts, reasoning: 0 }))

/** Calls of few users, tokens and channels, within two hours, in whatever way they end. */
const records: fc.Arbitrary<CallRecord> = fc
  .record({
    ...{ user_id: fc.integer({ min: 1, max: 3 }), token_id: fc.nat(2), channel_id: fc.nat(2) },
    ...{ group: fc.constantFrom('default', 'vip', ''), model: fc.constantFrom('gpt-4o', 'm'), stream: fc.boolean() },
    ...{ began: fc.nat(7_200_000), ms: fc.nat(90_000), first: fc.option(fc.nat(9_000)) },
    ...{ status: fc.constantFrom('complete' as const, 'failed' as const), usage: fc.option(usages) },
    ...{ failure: fc.option(failures, { nil: undefined }), cost: fc.option(fc.nat(9_999), { nil: undefined }) },
    cached: fc.constantFrom('inside' as const, 'beside' as const, undefined),
  })
  .map(({ user_id, token_id, channel_id, group, model, stream, began, ms, first, status, usage, failure, ...rest }) => {
    const started_at = START + began
    const attempt = {
      channel_id,
      channel_type: 1,
      key: '',
      key_index: 0,
      model,
      served: model,
      began: started_at,
      ms,
      first_content_ms: first,
    }
    return buildCallRecord({
      call: {
        ...{
          id: 'h',
          request_id: 'r',
          language: 'en',
          operation: 'chat',
          dialect: 'openai-chat',
          requestedModel: model,
          stream,
        },
        ...{ payer: { user_id, username: 'ann', token_id, token_name: 'laptop' }, started_at },
      },
      terms: { group, price, group_ratio: 1, special_ratio: false, quota_per_unit: settings.QuotaPerUnit },
      course: {
        attempts: channel_id === 0 ? [] : [{ ...attempt, result: 'answered' }],
        ...{ served: model, first_content_ms: first, affinity: false, cached: rest.cached },
      },
      came: { status, usage, failure: status === 'failed' ? (failure ?? undefined) : undefined },
      cost: usage ? rest.cost : undefined,
      ended_at: started_at + ms,
    })
  })

const logged = (record: CallRecord): LogEntry => ({ ...buildCallRow(record), id: 1, channel_name: '' })
const summed = (calls: Iterable<CallForUsage>) => {
  const sums = new UsageSums()
  for (const call of calls) sums.add(call)
  return sums
}
const inOrder = (rows: UsageSum[]) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort((a, b) => (a < b ? -1 : 1))
const placeOf = (name: string) => SUMMED_MEASURES.indexOf(name)

describe('a call', () => {
  test('counts the same as it ends and out of its row in the log', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(parseCountedRow(logged(record))).toEqual(toCountedCall(record))
      }),
    )
  })

  test('of rows of before, which know whole seconds, counts with these; what no call made counts nothing', () => {
    const row = { ...logged(fc.sample(records, 1)[0]!), type: 2, other: '', use_time: 3, is_stream: true }
    expect(parseCountedRow(row)).toMatchObject({ ms: 3000, first_ms: 0, cached_tokens: 0, cost: 0, error: undefined })
    for (const type of [1, 3, 4]) expect(parseCountedRow({ ...row, type })).toBeUndefined()
    expect(parseCountedRow({ ...row, type: 5 })).toMatchObject({ error: 'server' })
  })
})

describe('sums', () => {
  test('are those of the calls, in quarters of an hour, and no two names are taken for one', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 30 }), (all) => {
        const calls = all.map(toCountedCall)
        const rows = summed(calls).rows()
        const of = (name: string) => rows.reduce((sum, { counts }) => sum + counts[placeOf(name)]!, 0)
        const plain = (count: (call: CallForUsage) => number) => calls.reduce((sum, call) => sum + count(call), 0)
        expect(of('calls')).toBe(calls.length)
        expect(of('quota')).toBe(plain(({ quota }) => quota))
        expect(of('prompt_tokens')).toBe(plain(({ prompt_tokens }) => prompt_tokens))
        expect(of('cached_tokens')).toBe(plain(({ cached_tokens }) => cached_tokens))
        expect(of('output_tokens')).toBe(plain(({ output_tokens }) => output_tokens))
        expect(of('cost')).toBe(plain(({ cost }) => cost))
        // What was plain input, whatever the provider counts as its prompt.
        const input = of('prompt_tokens') + of('beside_tokens') - of('cached_tokens') - of('written_tokens')
        expect(input).toBe(all.reduce((sum, { usage }) => sum + (usage?.input ?? 0), 0))
        const keys = new Set(
          calls.map(({ at, user_id, token_id, channel_id, group, model_name }) =>
            JSON.stringify([Math.floor(at / SLOT_SECONDS), user_id, token_id, channel_id, group, model_name]),
          ),
        )
        expect(rows).toHaveLength(keys.size)
      }),
    )
  })

  test('tell errors by kind, and times of what gave something', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 30 }), (all) => {
        const one = all.map((record) => ({ ...toCountedCall(record), at: 0, user_id: 1, token_id: 1, channel_id: 1 }))
        const [row] = summed(one.map((call) => ({ ...call, group: '', model_name: '' }))).rows()
        const told = toMeasures(row?.counts ?? SUMMED_MEASURES.map(() => 0))
        expect(told.failed).toBe(all.filter(({ status }) => status === 'failed').length)
        expect(told.errors.cut_short).toBe(all.filter(({ status }) => status === 'cut_short').length)
        const times = all
          .filter(({ status }) => status !== 'failed')
          .map((record) => record.ended_at - record.started_at)
        expect(told.latency_ms?.p50 === null).toBe(times.length === 0)
        if (times.length > 0) expect(told.latency_ms!.p99!).toBeGreaterThanOrEqual(told.latency_ms!.p50!)
        expect(toMeasures(row?.counts.slice(0, placeOf('latency_0')) ?? []).latency_ms).toBeUndefined()
        expect(estimateQuantile([], 0.5)).toBeNull()
      }),
    )
  })
})

describe('the roll-up', () => {
  test('writes each call once: those of a failed write with the next one, and the rest at the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(records, { maxLength: 5 }), { maxLength: 8 }),
        fc.infiniteStream(fc.boolean()),
        async (batches, luck) => {
          const written = new UsageSums()
          let fails = true
          const add: UsageStore['add'] = async (rows) => {
            await Promise.resolve()
            if (fails && luck.next().value) throw new Error('away')
            for (const row of rows) written.merge(asSums(structuredClone(row)))
          }
          const rollUp = createRollUp({ storage: { usage: { add } as UsageStore }, settings: () => settings })
          const flushes = batches.map((batch) => {
            void rollUp.sink.take(batch)
            return rollUp.flush().catch(() => undefined)
          })
          await Promise.all(flushes)
          fails = false
          await rollUp.sink.close?.()
          expect(inOrder(written.rows())).toEqual(inOrder(summed(batches.flat().map(toCountedCall)).rows()))
        },
      ),
      { numRuns: 50 },
    )
  })

  test('hears nothing while the setting is off', async () => {
    let rows = 0
    const add: UsageStore['add'] = async (sums) => void (rows += sums.length)
    const off = { ...settings, DataExportEnabled: false }
    const rollUp = createRollUp({ storage: { usage: { add } as UsageStore }, settings: () => off })
    void rollUp.sink.take(fc.sample(records, 5))
    await rollUp.flush()
    expect(rows).toBe(0)
  })
})

/** One row as sums. */
function asSums(row: UsageSum): UsageSums {
  const sums = new UsageSums()
  const { slot, user_id, token_id, channel_id, group, model_name } = row
  const tokens = { prompt_tokens: 0, cached_tokens: 0, output_tokens: 0, written_tokens: 0, beside_tokens: 0 }
  const nothing = { ...tokens, quota: 0, cost: 0, ms: 0, first_ms: 0 }
  sums.add({ at: slot, user_id, token_id, channel_id, group, model_name, error: undefined, ...nothing })
  sums.rows()[0]!.counts = row.counts
  return sums
}
