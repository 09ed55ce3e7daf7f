// Refused calls in memory: a flood of them costs a few writes, and none is lost while the database is away.
import { expect, test } from 'vitest'
import { createRefusalLog, type RefusedCall } from '../../../core/logs/refusals.ts'
import {
  placeRefusedCalls,
  toCountedRefusal,
  addRefusalCounts,
  type CountedRefusal,
  type RefusalRow,
  type RefusalSum,
} from '../../../core/logs/refusal-rows.ts'
import { createFakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'

function openLog() {
  const clock = createFakeClock()
  const writes: (readonly RefusalSum[])[] = []
  const counted: CountedRefusal[] = []
  const rows: RefusalRow[] = []
  const state = { isAway: false, enabled: true }
  const refusals = {
    findSharedRows: async () => [],
    removeBefore: async () => undefined,
    /** All calls here are of one token and minute. */
    async add(sums: readonly RefusalSum[]) {
      if (state.isAway) throw new Error('away')
      writes.push(sums)
      return placeRefusedCalls(rows, sums).map((write) => {
        const { id = rows.length + 1, row, refused } = write
        rows[id - 1] = { ...row, id, other: addRefusalCounts(row.other, refused) }
        return toCountedRefusal(write)
      })
    },
  }
  const settings = () => ({ ...defaultSettings(), LogConsumeEnabled: state.enabled })
  const onCounted = (each: readonly CountedRefusal[]) => void counted.push(...each)
  const log = createRefusalLog({ storage: { refusals }, clock, logger: silent, settings, onCounted })
  const note = (model: string, more: Partial<RefusedCall> = {}) =>
    log.note({
      ...{ request_id: `id-${Math.random()}`, user_id: 1, username: 'ada', token_id: 3, token_name: 'test' },
      ...{ group: 'default', model, operation: 'chat', stream: false, reason: 'model.missing', language: 'en' },
      failure: { status: 404, message: 'missing', type: '', code: 'missing', param: null, source: 'gateway' },
      ...more,
    })
  const sum = () => counted.reduce((total, { calls }) => total + calls, 0)
  /** Lets the promises of a write run, after `ms`. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { log, note, pass, sum, writes, rows, counted, state }
}

test('10,000 refused calls of a second are one row, written a few times', async () => {
  const { log, note, pass, sum, writes, rows } = openLog()
  for (let part = 0; part < 10; part++) {
    for (let n = 0; n < 1000; n++) note('a')
    await pass(100)
  }
  expect(writes.length).toBeLessThanOrEqual(5)
  await log.flush()
  expect([rows.length, sum()]).toEqual([1, 10_000])
  await log.close()
})

test('10,000 refused calls of as many models are ten rows', async () => {
  const { log, note, sum, writes, rows } = openLog()
  for (let n = 0; n < 10_000; n++) note(`model ${n}`)
  await log.flush()
  expect(writes.flat().length).toBeLessThanOrEqual(10)
  expect([rows.length, sum()]).toEqual([10, 10_000])
  await log.close()
})

test('the first call is written at once', async () => {
  const { note, pass, rows, log } = openLog()
  note('a')
  await pass(0)
  expect(rows).toHaveLength(1)
  await log.close()
})

test('calls wait while the database is away, and are counted once', async () => {
  const { log, note, sum, state, rows } = openLog()
  state.isAway = true
  for (let n = 0; n < 30; n++) note(`model ${n % 2}`)
  await log.flush()
  await log.flush()
  expect(sum()).toBe(0)
  note('model 1')
  state.isAway = false
  await log.flush()
  expect([rows.length, sum()]).toEqual([2, 31])
  await log.close()
})

test('without rows in the log they are counted all the same', async () => {
  const { log, note, counted, state, writes } = openLog()
  state.enabled = false
  note('a')
  note('a', { reason: 'model.no_price' })
  await log.flush()
  expect(writes).toEqual([])
  expect(counted.map(({ model_name, reason, calls }) => [model_name, reason, calls])).toEqual([
    ['a', 'model.missing', 1],
    ['a', 'model.no_price', 1],
  ])
  await log.close()
})
