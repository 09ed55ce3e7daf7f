// Old rows of the log go: by the setting, in small batches; receipts, entries and sums of usage stay.
import { expect, it } from 'vitest'
import { createCleanUp } from '../../../core/logs/clean-up.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { createFakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { openMemoryGateway } from '../gateway.ts'

const DAY = 86_400
const MINUTE_MS = 60_000

it('by the setting, every ten minutes, and not in the moment in which a command opens Weir', async () => {
  const weir = await openMemoryGateway()
  const { storage, clock, client } = weir
  const now = Math.floor(clock.now() / 1000)
  const rows = (days: number, count: number) =>
    Array.from({ length: count }, () => newLog({ created_at: now - days * DAY, username: `${days}` }))
  await storage.logs.insert([...rows(100, 300), ...rows(91, 1), ...rows(89, 1), ...rows(0, 1)])
  const left = async () => (await storage.logs.newest({}, 1000)).map(({ username }) => username)
  clock.advance(11 * MINUTE_MS)
  expect(await left()).toHaveLength(303)
  await client.settings.update({ key: 'LogRetentionDays', value: '90' })
  await expect
    .poll(async () => {
      clock.advance(5 * MINUTE_MS)
      return left()
    })
    .toEqual(['0', '89'])
  expect(await client.logs.cleanUpProgress({ target_timestamp: now })).toMatchObject({ running: false, older: 1 })
  await weir.close()
})

it('waits as long as a batch took, makes the next one smaller, and ends when Weir does', async () => {
  const clock = createFakeClock()
  const asked: number[] = []
  const pauses: number[] = []
  const slow = {
    countBefore: async () => 10_000,
    async deleteBefore(_: number, limit: number) {
      asked.push(limit)
      // As much as 0.1 ms a row.
      clock.advance(limit / 10)
      return limit
    },
  }
  const resting = {
    ...clock,
    sleep: async (ms: number) => {
      pauses.push(ms)
      if (pauses.length === 6) void cleanUp.close()
    },
  }
  const cleanUp = createCleanUp({ storage: { logs: slow } as unknown as Storage, clock: resting, logger: silent })
  const removed = await cleanUp.start(1)
  expect(asked).toEqual([100, 200, 400, 200, 400, 200, 400])
  expect(pauses).toEqual([10, 20, 40, 20, 40, 20])
  expect(removed).toBe(1900)
  expect(cleanUp.progress()).toMatchObject({ running: false, removed: 1900, total: 10_000 })
})
