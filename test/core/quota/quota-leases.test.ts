// Quota leases on PostgreSQL: a busy account costs a process one row for many calls, and nobody else any exactness.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { LEASE_PREFIX } from '../../../core/quota/quota-leases.ts'
import type { Hold } from '../../../core/quota/hold.ts'
import type { Ledger } from '../../../core/quota/ledger.ts'
import { describeOnPostgres } from '../../support/databases.ts'
import { newLog, newUser } from '../../storage/samples.ts'
import { flaky, type Failure } from './flaky.ts'
import { anotherLedger, costs, openWorld, outcomes, type World } from './world.ts'

const BALANCE = 1_000_000
const MANY = 30

describeOnPostgres('quota leases', (open) => {
  /** Two processes, each of which hears what the other recalls. */
  async function two(given: Parameters<typeof openWorld>[1] = { quota: BALANCE, remain_quota: BALANCE }) {
    const world = await openWorld(open, given)
    await world.ledger.close()
    const ledgers: Ledger[] = []
    const recall = async (account_id: number) => {
      await Promise.all(ledgers.map((each) => each.giveBack({ account_id })))
    }
    const process = async (clock = world.clock.process()) => {
      const ledger = await anotherLedger(world.storage, clock, { recall })
      ledgers.push(ledger)
      return ledger
    }
    const leases = () => world.storage.ledger.countLeases(world.user)
    return { ...world, process, leases, one: await process(), other: await process() }
  }

  /** So many calls that are busy enough to lease for. */
  async function busy(ledger: Ledger, { byUser }: World, amount = 20, quota = 10): Promise<void> {
    for (let call = 0; call < MANY; call += 1) await ledger.settle(await ledger.hold(byUser, amount), costs(quota))
  }
  const leased = async (ledger: Ledger, world: World & { leases(): Promise<number> }) => {
    await busy(ledger, world)
    await vi.waitFor(async () => expect(await world.leases()).toBeGreaterThan(0))
  }
  /** Time goes on while something waits. */
  async function whilePassing<T>({ clock }: World, work: () => Promise<T>): Promise<T> {
    const passing = setInterval(() => clock.advance(20), 5)
    return work().finally(() => clearInterval(passing))
  }
  const ofLease = (hold: Hold) => hold.lease?.startsWith(LEASE_PREFIX) === true

  test('who asks often is admitted without a row, and charged as ever', async () => {
    const world = await two()
    await leased(world.one, world)
    const holds = await Promise.all(Array.from({ length: 5 }, () => world.one.hold(world.byUser, 20)))
    expect(holds.every(ofLease)).toBe(true)
    await Promise.all(holds.map((hold) => world.one.settle(hold, costs(7), newLog({ quota: 7, hold_id: hold.id }))))
    await world.one.applied()
    expect(await world.balance()).toBe(BALANCE - MANY * 10 - 35)
    expect(await world.storage.ledger.faults()).toEqual([])
    await world.one.close()
    expect(await world.leases()).toBe(0)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('gives a transfer its hold, and has it back when the quota has moved', async () => {
    const world = await two()
    const { one, byUser, user } = world
    await leased(one, world)
    const { id } = await world.storage.users.insert(newUser({ username: 'bob' }))
    const hold = await one.hold(byUser, 20)
    expect(ofLease(hold)).toBe(true)
    await one.credit({ account_id: id, from: user, frees: hold, kind: 'transfer', amount: 20 })
    expect(one.openHolds()).toBe(0)
    const left = BALANCE - MANY * 10 - 20
    expect(await world.balance()).toBe(left)
    await whilePassing(world, async () => one.release(await one.hold(byUser, left)))
    await one.close()
    expect(await world.leases()).toBe(0)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('who asks seldom leases nothing', async () => {
    const world = await two()
    for (let call = 0; call < 10; call += 1) await world.one.settle(await world.one.hold(world.byUser, 20), costs(10))
    expect(await world.leases()).toBe(0)
  })

  test('is no open hold to anybody who counts them', async () => {
    const world = await two()
    await leased(world.one, world)
    expect(await world.storage.ledger.countHolds()).toBe(0)
    const hold = await world.one.hold(world.byUser, 20)
    expect(ofLease(hold)).toBe(true)
    expect(world.one.openHolds()).toBe(1)
    expect(world.one.isHeld(world.user)).toBe(true)
  })

  test('what one has leased comes back to another who needs it', async () => {
    const world = await two()
    await leased(world.one, world)
    const rest = await world.balance()
    // All there is, at the other process.
    const hold = await world.other.hold(world.byUser, rest)
    expect(await world.leases()).toBe(0)
    await expect(world.one.hold(world.byUser, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
    await world.other.release(hold)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('all who are short at once wait for what comes back', async () => {
    const world = await two()
    await leased(world.one, world)
    const rest = await world.balance()
    const each = Math.floor(rest / 10)
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => world.other.hold(world.byUser, each)))
    expect(outcomes(results)).toEqual({ granted: 10, refused: ['quota.insufficient', 'quota.insufficient'] })
  })

  test('what could not be given back while storage was away goes back later', async () => {
    const world = await two()
    const failures: Failure[] = []
    const storage = { ...world.storage, ledger: flaky(world.storage.ledger, failures) }
    const ledger = await anotherLedger(storage, world.clock.process())
    await leased(ledger, world)
    failures.push('before')
    await ledger.giveBack({ account_id: world.user })
    expect(await world.leases()).toBeGreaterThan(0)
    await vi.waitFor(async () => {
      world.clock.advance(1_000)
      expect(await world.leases()).toBe(0)
    })
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('calls that are open keep what they hold when the rest is given back', async () => {
    const world = await two()
    await leased(world.one, world)
    const mine = await world.one.hold(world.byUser, 20)
    expect(ofLease(mine)).toBe(true)
    const rest = await world.balance()
    const refused = expect(world.other.hold(world.byUser, rest)).rejects.toMatchObject({
      code: 'quota.insufficient',
      parameters: { balance: rest - 20 },
    })
    // The row of an open call stays, which is waited for a moment.
    await whilePassing(world, () => refused)
    world.clock.advance(1_500)
    await world.other.hold(world.byUser, rest - 20)
    await world.one.settle(mine, costs(20))
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('an idle account is left alone', async () => {
    const world = await two()
    await leased(world.one, world)
    for (let second = 0; second < 4; second += 1) world.clock.advance(1_000)
    await vi.waitFor(async () => expect(await world.leases()).toBe(0))
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('what is taken from a balance is taken at once', async () => {
    const world = await two()
    await leased(world.one, world)
    const rest = await world.balance()
    await world.other.credit({ account_id: world.user, kind: 'adjustment', amount: -rest })
    await expect(world.one.hold(world.byUser, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
  })

  test('a token leases no more than it may spend, and a budget that is set counts at once', async () => {
    const world = await two({ quota: BALANCE, remain_quota: 50_000 })
    for (let call = 0; call < MANY; call += 1)
      await world.one.settle(await world.one.hold(world.byToken, 20), costs(10))
    await vi.waitFor(async () => expect(await world.leases()).toBeGreaterThan(0))
    await world.other.setBudget({ id: world.token, remain_quota: 0, unlimited_quota: false })
    await world.one.giveBack({ token_id: world.token })
    await expect(world.one.hold(world.byToken, 1)).rejects.toMatchObject({ code: 'key.exhausted' })
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('what a crash strands is freed with its lease', async () => {
    const world = await two()
    const clock = world.clock.process()
    const dead = await world.process(clock)
    await leased(dead, world)
    const open = await dead.hold(world.byUser, 20)
    expect(ofLease(open)).toBe(true)
    clock.stop()
    world.clock.advance(60_000)
    await vi.waitFor(async () => expect(await world.other.sweep()).toBeGreaterThan(0))
    expect(await world.leases()).toBe(0)
    expect(await world.storage.ledger.faults()).toEqual([])
    // It was only asleep: its work is charged in full, and admits nothing more by what it had.
    await dead.settle(open, costs(13))
    await dead.applied()
    expect(await world.charged(open.id)).toBe(true)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('a process that was thought dead admits nothing by what it had', async () => {
    const world = await two()
    const clock = world.clock.process()
    const store = world.storage.ledger
    let isCut = false
    const renewLease: typeof store.renewLease = (...given) =>
      isCut ? Promise.reject(new Error('cut')) : store.renewLease(...given)
    const ledger = await anotherLedger({ ...world.storage, ledger: { ...store, renewLease } }, clock)
    await leased(ledger, world)
    const open = await ledger.hold(world.byUser, 20)
    expect(ofLease(open)).toBe(true)
    isCut = true
    for (let second = 0; second < 12; second += 1) world.clock.advance(1_000)
    await vi.waitFor(async () => expect(await world.other.sweep()).toBeGreaterThan(0))
    isCut = false
    world.clock.advance(2_000)
    await vi.waitFor(() => expect(ledger.takesCalls()).toBe(true))
    await ledger.settle(open, costs(5))
    const next = await ledger.hold(world.byUser, 20)
    expect(next.lease).toBeUndefined()
    await ledger.release(next)
    await ledger.close()
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('however many ask at both, never more is held than there is', async () => {
    const world = await two({ quota: 20_000, remain_quota: 20_000 })
    const results = await Promise.allSettled(
      Array.from({ length: 400 }, (_, at) => (at % 2 ? world.one : world.other).hold(world.byUser, 100)),
    )
    expect(outcomes(results).granted).toBe(200)
  })

  describe('in whatever order', () => {
    test('what is charged is charged once, and all agrees', { timeout: 120_000 }, async () => {
      const step = fc.record({
        at: fc.nat(1),
        calls: fc.integer({ min: 1, max: 40 }),
        amount: fc.integer({ min: 0, max: 300 }),
        part: fc.constantFrom(0, 0.3, 1, 1.7),
        fails: fc.boolean(),
        wait: fc.constantFrom(0, 0, 500, 1_000, 3_000),
        back: fc.boolean(),
      })
      const world = await two({ quota: 10_000_000, remain_quota: 100_000 })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
          const [one, other] = [await world.process(), await world.process()]
          let due = await world.balance()
          for (const { at, calls, amount, part, fails, wait, back } of steps) {
            const ledger = at ? one : other
            const results = await whilePassing(world, () =>
              Promise.allSettled(
                Array.from({ length: calls }, (_, call) =>
                  ledger.hold(call % 3 ? world.byUser : world.byToken, amount),
                ),
              ),
            )
            world.clock.advance(wait)
            if (back) await ledger.giveBack({ account_id: world.user })
            for (const result of results) {
              if (result.status === 'rejected') continue
              if (fails) await ledger.release(result.value)
              else {
                await ledger.settle(result.value, costs(Math.floor(amount * part)))
                due -= Math.floor(amount * part)
              }
            }
          }
          await one.applied()
          await other.applied()
          expect(await world.balance()).toBe(due)
          expect(await world.storage.ledger.faults()).toEqual([])
          await one.close()
          await other.close()
          expect(await world.leases()).toBe(0)
          expect(await world.storage.ledger.faults()).toEqual([])
        }),
        { numRuns: 15 },
      )
    })
  })
})
