// The record of a call: made by one pure function from what its steps returned.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallRequestFacts, CallResult, CallPath, ChargeTerms } from '../../../core/calls/call-record.ts'
import { parseCallDetail } from '../../../core/calls/detail.ts'
import { buildCallRecord } from '../../../core/calls/finish.ts'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import { buildCallRow } from '../../../core/logs/call-row.ts'
import { charge } from '../../../core/pricing/charge.ts'
import { createEmptyTotal } from '../../../core/pricing/session.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'

const settings = defaultSettings()
const call: CallRequestFacts = {
  ...{
    id: 'h1',
    request_id: 'r1',
    language: 'en',
    operation: 'chat',
    dialect: 'openai-chat',
    requestedModel: 'gpt-4o',
  },
  ...{ payer: { user_id: 7, username: 'ann', token_id: 3, token_name: 'laptop' }, stream: true, started_at: 1_000 },
}
const terms: ChargeTerms = {
  ...{ group: 'default', group_ratio: 1, special_ratio: false, quota_per_unit: settings.QuotaPerUnit },
  price: findPrice('gpt-4o', settings, false)!,
}
const attempt = {
  ...{
    channel_id: 4,
    channel_type: 1,
    key: '',
    key_index: 0,
    served: 'gpt-4o',
    model: 'gpt-4o',
    began: 1_000,
    ms: 500,
  },
  ...{ first_content_ms: 200, result: 'answered' as const },
}
const course: CallPath = { attempts: [attempt], served: 'gpt-4o', first_content_ms: 200, affinity: false }
const ended_at = 1_500

/** Fails on any write to it, however deep. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}

const counts = fc.record({
  input: fc.nat(100_000),
  cache_read: fc.nat(10_000),
  cache_write: fc.nat(10_000),
  output: fc.nat(10_000),
  reasoning: fc.nat(100),
})
const cames: fc.Arbitrary<CallResult> = fc.record(
  {
    status: fc.constantFrom('complete' as const, 'failed' as const),
    usage: fc.option(counts.map((known) => buildKnownUsage(known))),
    spent: fc.boolean(),
    unheard: fc.boolean(),
  },
  { requiredKeys: ['status', 'usage'] },
)

describe('the record of a call', () => {
  test('is a value: the same parts give the same one, and none of them is changed', () => {
    fc.assert(
      fc.property(cames, (came) => {
        const parts = () => frozen({ call, terms: { ...terms }, course, came, ended_at })
        const record = frozen(buildCallRecord(parts()))
        expect(buildCallRecord(parts())).toEqual(record)
        expect(buildCallRow(record)).toEqual(buildCallRow(buildCallRecord(parts())))
      }),
    )
  })

  test('charges what was used, and says of a call that failed with it that it was cut short', () => {
    fc.assert(
      fc.property(cames, (came) => {
        const record = buildCallRecord({ call, terms, course, came, ended_at })
        const due = came.usage ? charge(terms.price, 1, came.usage, terms.quota_per_unit, call.started_at).quota : 0
        expect(record.charge.quota).toBe(due)
        const status = came.status === 'failed' && came.usage ? 'cut_short' : came.status
        expect(record.status).toBe(status)
        expect(buildCallRow(record)).toMatchObject({ quota: due, type: status === 'failed' ? 5 : 2, use_time: 1 })
      }),
    )
  })

  test('of turns of a session adds up to the one charge of them all', () => {
    fc.assert(
      fc.property(fc.array(counts, { minLength: 1, maxLength: 6 }), (turns) => {
        let before = createEmptyTotal
        let taken = 0
        for (const known of turns) {
          const came: CallResult = { status: 'complete', usage: buildKnownUsage(known) }
          const record = buildCallRecord({ call, terms, course, came, before, ended_at })
          expect(parseCallDetail(buildCallRow(record).other).session_before?.debited).toBe(before.debited)
          taken += record.charge.quota
          before = record.session!.after
        }
        expect(taken).toBe(before.debited)
      }),
    )
  })
})
