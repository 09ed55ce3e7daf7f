// Budgets in the ledger: what is held counts while a call runs and what is charged after it; periods end; restarts keep.
import { expect, test } from 'vitest'
import type { Period } from '../../../core/quota/calendar.ts'
import type { BudgetLimit } from '../../../core/quota/limits.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { createFakeClock } from '../../support/clock.ts'
import { anotherLedger, costs, leasedBy, openWorld, outcomes, type World } from '../quota/world.ts'

const HOUR = 3_600_000
/** The fake clock starts on Thursday, 9 October 2025, 08:53:20 UTC. */
const budget = (max: number, period: Period = 'day', zone = ''): BudgetLimit => ({
  ...{ kind: 'budget', key: `token:1:${period}:${zone || 'UTC'}`, period, zone, max },
})

const many = (count: number, work: (index: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)))

/** Charges `quota` under these limits. */
async function spend({ ledger, byToken }: World, quota: number, limits: BudgetLimit[]): Promise<void> {
  await ledger.settle(await ledger.hold(byToken, quota, { limits }), costs(quota))
}

const rich = { quota: 1_000_000, remain_quota: 1_000_000 }

describeWithStorage('budgets in the ledger', (open, kind) => {
  test('20 calls at once hold no more than the budget', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(549)]
    const results = await many(20, () => world.ledger.hold(world.byToken, 100, { limits }))
    expect(outcomes(results)).toEqual({ granted: 5, refused: Array(15).fill('budget.day') })
  })

  test('20 calls at once overshoot by no more than they used above their holds', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(1000)]
    const results = await many(20, async () => {
      const hold = await world.ledger.hold(world.byToken, 100, { limits })
      await world.ledger.settle(hold, costs(110))
    })
    const { granted } = outcomes(results)
    expect(granted * 110).toBeLessThanOrEqual(1000 + granted * 10)
    expect(await world.balance()).toBe(1_000_000 - granted * 110)
    await expect(world.ledger.hold(world.byToken, 100, { limits })).rejects.toMatchObject({ code: 'budget.day' })
  })

  test('a release gives the budget back, a settlement what was held too much', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100)]
    await world.ledger.release(await world.ledger.hold(world.byToken, 100, { limits }))
    const hold = await world.ledger.hold(world.byToken, 100, { limits })
    await world.ledger.settle(hold, costs(40))
    await expect(world.ledger.hold(world.byToken, 61, { limits })).rejects.toMatchObject({
      ...{ code: 'budget.day', parameters: { max: 100, left: 60 } },
    })
    await world.ledger.hold(world.byToken, 60, { limits })
  })

  test('a budget that is used up refuses a hold of 0, but not a free call', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100)]
    await spend(world, 100, limits)
    await expect(world.ledger.hold(world.byToken, 0, { limits })).rejects.toMatchObject({ code: 'budget.day' })
    await world.ledger.hold(world.byToken, 0, { limits, free: true })
  })

  if (kind === 'sqlite')
    test('leaves the memory some weeks after its period, however often it was charged', async () => {
      const world = await openWorld(open, rich)
      await world.ledger.close()
      const read: string[][] = []
      const store = world.storage.ledger
      const transact: typeof store.transact = (work, options) =>
        store.transact((transaction) => {
          const counters: typeof transaction.counters = (keys) => {
            read.push(keys)
            return transaction.counters(keys)
          }
          return work({ ...transaction, counters })
        }, options)
      const storage = { ...world.storage, ledger: { ...store, transact } }
      const ledger = await anotherLedger(storage, world.clock)
      const limits = [budget(1000)]
      for (let call = 0; call < 3; call += 1) await spend({ ...world, ledger }, 100, limits)
      await ledger.sweep()
      await spend({ ...world, ledger }, 100, limits)
      expect(read).toHaveLength(1)
      world.clock.advance(42 * 24 * HOUR)
      await ledger.sweep()
      await spend({ ...world, ledger }, 100, limits)
      expect(read).toEqual([[limits[0]?.key], [limits[0]?.key]])
    })

  test('begins anew at midnight of its time zone, and says when', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100, 'day', 'Asia/Tokyo')]
    await spend(world, 100, limits)
    // 17:53:20 in Tokyo.
    const left = 6 * HOUR + 6 * 60_000 + 40_000
    await expect(world.ledger.hold(world.byToken, 1, { limits })).rejects.toMatchObject({ retry_after_ms: left })
    world.clock.advance(left - 1000)
    await expect(world.ledger.hold(world.byToken, 1, { limits })).rejects.toMatchObject({ retry_after_ms: 1000 })
    world.clock.advance(1000)
    await spend(world, 100, limits)
    await expect(world.ledger.hold(world.byToken, 1, { limits })).rejects.toMatchObject({ retry_after_ms: 24 * HOUR })
  })

  test('a process whose clock has jumped by a day counts and renews as the others do', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100)]
    const jumped = 25 * HOUR
    // SQLite has no clock but the system's, and one process owns it.
    if (kind === 'sqlite') return
    const ahead = {
      ...world.clock.process(),
      now: () => world.clock.now() + jumped,
      systemTime: () => world.clock.now() + jumped,
    }
    const other = await anotherLedger(world.storage, ahead)
    await spend(world, 60, limits)
    await expect(other.hold(world.byToken, 50, { limits })).rejects.toMatchObject({
      ...{ code: 'budget.day', parameters: { max: 100, left: 40 }, retry_after_ms: 15 * HOUR + 6 * 60_000 + 40_000 },
    })
    await spend({ ...world, ledger: other }, 40, limits)
    await expect(world.ledger.hold(world.byToken, 1, { limits })).rejects.toMatchObject({ code: 'budget.day' })
    world.clock.advance(16 * HOUR)
    await spend({ ...world, ledger: other }, 100, limits)
    await other.close()
  })

  test('a call that ends after midnight is charged to the new day', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100)]
    const hold = await world.ledger.hold(world.byToken, 90, { limits })
    world.clock.advance(16 * HOUR)
    await expect(world.ledger.hold(world.byToken, 20, { limits })).rejects.toMatchObject({ code: 'budget.day' })
    await world.ledger.settle(hold, costs(90))
    await expect(world.ledger.hold(world.byToken, 20, { limits })).rejects.toMatchObject({ code: 'budget.day' })
    await world.ledger.hold(world.byToken, 10, { limits })
  })

  test('day, week and month are counted side by side', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100), budget(250, 'week'), budget(300, 'month')]
    const DAY = 24 * HOUR
    const refusedBy = async () =>
      world.ledger.hold(world.byToken, 1, { limits }).then(
        (hold) => world.ledger.release(hold).then(() => null),
        (error: { code: string }) => error.code,
      )
    await spend(world, 100, limits)
    expect(await refusedBy()).toBe('budget.day')
    world.clock.advance(DAY)
    await spend(world, 100, limits)
    world.clock.advance(DAY)
    await spend(world, 50, limits)
    expect(await refusedBy()).toBe('budget.week')
    // Monday.
    world.clock.advance(2 * DAY)
    await spend(world, 50, limits)
    expect(await refusedBy()).toBe('budget.month')
    world.clock.advance(19 * DAY)
    expect(new Date(world.clock.now()).toISOString()).toMatch(/^2025-11-01/)
    expect(await refusedBy()).toBeNull()
  })

  test('a restart keeps what was used, also where the counters are lost', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100)]
    await spend(world, 70, limits)
    const restarted = await anotherLedger(world.storage, world.clock)
    await expect(restarted.hold(world.byToken, 31, { limits })).rejects.toMatchObject({ code: 'budget.day' })
    await restarted.settle(await restarted.hold(world.byToken, 20, { limits }), costs(20))
    await world.storage.ledger.forgetCounters(Number.MAX_SAFE_INTEGER)
    const again = await anotherLedger(world.storage, world.clock)
    await expect(again.hold(world.byToken, 11, { limits })).rejects.toMatchObject({
      parameters: { left: 10 },
    })
    await again.hold(world.byToken, 10, { limits })
  })

  test('a new budget counts what was charged before it was set, of this token and this period alone', async () => {
    const world = await openWorld(open, rich)
    await spend(world, 1000, [])
    world.clock.advance(24 * HOUR)
    await spend(world, 60, [])
    await world.ledger.settle(await world.ledger.hold(world.byUser, 500), costs(500))
    await expect(world.ledger.hold(world.byToken, 41, { limits: [budget(100)] })).rejects.toMatchObject({
      parameters: { left: 40 },
    })
    await spend(world, 40, [budget(100)])
  })

  test('what was charged while a budget was off is counted once it is on again', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100)]
    await spend(world, 30, limits)
    await spend(world, 50, [])
    await world.ledger.recount(world.token, [budget(100).key])
    await expect(world.ledger.hold(world.byToken, 21, { limits })).rejects.toMatchObject({ parameters: { left: 20 } })
    await spend(world, 20, limits)
    await expect(world.ledger.hold(world.byToken, 1, { limits })).rejects.toMatchObject({ code: 'budget.day' })
  })

  test('a recount amid charges loses none of them', async () => {
    const world = await openWorld(open, rich)
    const limits = [budget(100_000)]
    await many(60, async (index) => {
      if (index % 10 === 5) return world.ledger.recount(world.token, [budget(1).key, budget(1).key])
      return spend(world, 10, limits)
    })
    await expect(world.ledger.hold(world.byToken, 100_000, { limits })).rejects.toMatchObject({
      parameters: { left: 100_000 - 54 * 10 },
    })
  })

  if (kind === 'postgres')
    test('two processes on one database spend one budget', async () => {
      const world = await openWorld(open, rich)
      const other = await anotherLedger(leasedBy(world.clock, await open({ clock: world.clock })), world.clock)
      const limits = [budget(1000)]
      const results = await many(60, async (index) => {
        const ledger = index % 2 ? other : world.ledger
        await ledger.settle(await ledger.hold(world.byToken, 50, { limits }), costs(50))
      })
      expect(outcomes(results).granted).toBe(20)
      expect(await world.balance()).toBe(1_000_000 - 1000)
    })
})

test('the fake clock starts on a Thursday', () => {
  expect(new Date(createFakeClock().now()).toISOString()).toBe('2025-10-09T08:53:20.000Z')
})
