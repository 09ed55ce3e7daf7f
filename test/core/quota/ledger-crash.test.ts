// Processes that die or fall asleep in the middle of calls.
import { expect, test, vi } from 'vitest'
import { createSystemClock } from '../../../core/adapters/platform.ts'
import type { Ledger } from '../../../core/quota/ledger.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { anotherLedger, costs, openWorld, type World } from './world.ts'

/** Longer than any lease. */
const LONG = 60_000

describeWithStorage('the ledger after a crash', (open, kind) => {
  const shared = kind === 'postgres'

  /** A process that holds and then is never heard of again, and one that lives on. */
  async function crashed(amount: number) {
    const world = await openWorld(open, { quota: 1000, remain_quota: 1000 })
    const clock = world.clock.process()
    const dead = await anotherLedger(world.storage, clock)
    const hold = await dead.hold(world.byToken, amount)
    clock.stop()
    return { world, dead, hold }
  }

  /** Moves time on until the living process alone has a lease. */
  async function later(world: World, living: string[] = []): Promise<void> {
    world.clock.advance(LONG)
    await vi.waitFor(async () => {
      const orphans = (await world.storage.ledger.orphanedHolds(100)).map(({ id }) => id)
      expect(orphans.filter((id) => living.includes(id))).toEqual([])
    })
  }

  if (!shared)
    test('a process that owns the database alone starts with every hold free', async () => {
      const { world } = await crashed(900)
      const next = await anotherLedger(world.storage, world.clock)
      expect(await next.sweep()).toBe(0)
      await next.hold(world.byToken, 1000)
      expect(await world.storage.ledger.faults()).toEqual([])
    })

  if (!shared)
    test('nothing that was settled before a crash is lost', async () => {
      const world = await openWorld(open)
      const hold = await world.ledger.hold(world.byToken, 300)
      await world.ledger.hold(world.byToken, 300)
      await world.ledger.settle(hold, costs(200), newLog({ quota: 200 }))
      const next = await anotherLedger(world.storage, world.clock)
      await expect(next.hold(world.byToken, 801)).rejects.toMatchObject({ parameters: { balance: 800, needed: 801 } })
      await next.hold(world.byToken, 800)
    })

  if (shared)
    test('holds of a dead process are released by the sweep of another', async () => {
      const { world } = await crashed(900)
      await expect(world.ledger.hold(world.byToken, 200)).rejects.toMatchObject({ code: 'quota.insufficient' })
      expect(await world.ledger.sweep()).toBe(0)
      await later(world)
      expect(await world.ledger.sweep()).toBe(1)
      expect(await world.ledger.sweep()).toBe(0)
      await world.ledger.hold(world.byToken, 1000)
      expect(await world.storage.ledger.faults()).toEqual([])
    })

  if (shared)
    test.each([60_000, -60_000])('a process whose clock is %d ms ahead frees nobody else’s holds', async (ahead) => {
      const storage = await open({})
      const { byToken } = await openWorld(async () => storage)
      const [here, there] = [createSystemClock(), createSystemClock()]
      const living = await anotherLedger(storage, here)
      await living.hold(byToken, 900)
      const other = await anotherLedger(storage, { ...there, now: () => there.now() + ahead })
      await other.hold(byToken, 50)
      expect([await other.sweep(), await living.sweep()]).toEqual([0, 0])
      expect(await storage.ledger.countHolds()).toBe(2)
      await Promise.all([living.close(), other.close()])
    })

  if (shared)
    test('two sweeps at once free a hold once', async () => {
      const { world } = await crashed(900)
      const other = await anotherLedger(world.storage, world.clock)
      await later(world)
      expect((await Promise.all([world.ledger.sweep(), other.sweep()])).sort()).toEqual([0, 1])
      expect(await world.storage.ledger.faults()).toEqual([])
    })

  if (shared)
    test('holds of a living process stay, however long its calls take', async () => {
      const world = await openWorld(open)
      const hold = await world.ledger.hold(world.byToken, 900)
      const other = await anotherLedger(world.storage, world.clock)
      await later(world, [hold.id])
      expect(await other.sweep()).toBe(0)
      await expect(other.hold(world.byToken, 200)).rejects.toMatchObject({ code: 'quota.insufficient' })
    })

  if (shared)
    test('a process that gives up its lease at its end leaves its holds to the next sweep', async () => {
      const world = await openWorld(open)
      const leaving = await anotherLedger(world.storage, world.clock)
      await leaving.hold(world.byToken, 900)
      await leaving.close()
      expect(await world.ledger.sweep()).toBe(1)
    })

  async function sweptWhileAsleep(): Promise<{
    world: World
    asleep: Ledger
    hold: Awaited<ReturnType<Ledger['hold']>>
  }> {
    const { world, dead, hold } = await crashed(900)
    await later(world)
    await world.ledger.sweep()
    return { world, asleep: dead, hold }
  }

  if (shared)
    test('a process that was only asleep still charges the whole amount', async () => {
      const { world, asleep, hold } = await sweptWhileAsleep()
      const meanwhile = await world.ledger.hold(world.byToken, 1000)
      await asleep.settle(hold, costs(700), newLog({ quota: 700 }))
      await asleep.settle(hold, costs(700))
      await world.ledger.settle(meanwhile, costs(1000))
      expect(await world.balance()).toBe(-700)
      expect(await world.budget()).toEqual({ remain_quota: -700, used_quota: 1700 })
      expect(await world.storage.ledger.faults()).toEqual([])
    })

  if (shared)
    test('a process that was only asleep frees its hold no second time', async () => {
      const { world, asleep, hold } = await sweptWhileAsleep()
      await asleep.release(hold)
      await world.ledger.hold(world.byToken, 1000)
      await expect(world.ledger.hold(world.byToken, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
      expect(await world.storage.ledger.faults()).toEqual([])
    })

  if (shared)
    test('a settlement and a sweep at the same moment charge in full and free once', async () => {
      const { world, dead, hold } = await crashed(900)
      await later(world)
      await Promise.all([world.ledger.sweep(), dead.settle(hold, costs(400))])
      expect(await world.balance()).toBe(600)
      expect(await world.storage.ledger.countHolds()).toBe(0)
      expect(await world.storage.ledger.faults()).toEqual([])
    })
})
