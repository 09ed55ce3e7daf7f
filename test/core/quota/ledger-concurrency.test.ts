// Many at once: nobody spends what another has reserved, and one bad operation harms nobody else.
import { expect, test } from 'vitest'
import { describeWithStorage } from '../../support/databases.ts'
import { newLog, newUser } from '../../storage/samples.ts'
import { anotherLedger, costs, openWorld, outcomes } from './world.ts'

describeWithStorage('the ledger under load', (open, kind) => {
  const many = (count: number, work: (index: number) => Promise<unknown>) =>
    Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)))

  test('of 20 holds at once of a user who can afford 5, exactly 5 are granted', async () => {
    const world = await openWorld(open, { quota: 549, remain_quota: 0 })
    const { granted, refused } = outcomes(await many(20, () => world.ledger.hold(world.byUser, 100)))
    expect(granted).toBe(5)
    expect(new Set(refused)).toEqual(new Set(['quota.insufficient']))
    expect(world.ledger.openHolds()).toBe(5)
  })

  test('of 20 holds at once by a token that may spend 5 of them, exactly 5 are granted', async () => {
    const world = await openWorld(open, { quota: 100_000, remain_quota: 500 })
    const { granted, refused } = outcomes(await many(20, () => world.ledger.hold(world.byToken, 100)))
    expect(granted).toBe(5)
    expect(new Set(refused)).toEqual(new Set(['quota.token_insufficient']))
  })

  test('what one call frees, the next may hold', async () => {
    const world = await openWorld(open, { quota: 500, remain_quota: 500 })
    const results = await many(10, async () => {
      const hold = await world.ledger.hold(world.byToken, 100)
      await world.ledger.settle(hold, costs(20, world.channel), newLog({ quota: 20 }))
    })
    const { granted } = outcomes(results)
    expect(granted).toBeGreaterThanOrEqual(5)
    expect(await world.balance()).toBe(500 - 20 * granted)
    expect(await world.budget()).toEqual({ remain_quota: 500 - 20 * granted, used_quota: 20 * granted })
    expect(await world.logs()).toHaveLength(granted)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('200 settlements at once are charged once each', async () => {
    const world = await openWorld(open, { quota: 1_000_000, remain_quota: 1_000_000 })
    const holds = await Promise.all(Array.from({ length: 200 }, () => world.ledger.hold(world.byToken, 10)))
    await Promise.all(holds.map((hold, index) => world.ledger.settle(hold, costs(index, world.channel))))
    const sum = (199 * 200) / 2
    expect(await world.storage.users.find(world.user)).toMatchObject({ quota: 1_000_000 - sum, request_count: 200 })
    expect(await world.storage.channels.find(world.channel)).toMatchObject({ used_quota: sum })
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('in a group commit, one operation that fails does not take the others with it', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 100)
    const bob = await world.storage.users.insert(newUser({ username: 'bob' }))
    // The first begins a commit at once; what comes while it runs is one group.
    const results = await Promise.allSettled([
      world.ledger.credit({ account_id: world.user, kind: 'gift', amount: 1 }),
      world.ledger.credit({ account_id: bob.id, kind: 'gift', amount: 10 }),
      world.ledger.credit({ account_id: 999, kind: 'gift', amount: 10 }),
      world.ledger.settle(hold, costs(40)),
      world.ledger.credit({ account_id: bob.id, kind: 'gift', amount: 5, reference: 'code 1' }),
      world.ledger.setBudget({ id: world.token, remain_quota: 77, unlimited_quota: false }),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ])
    expect(await world.balance()).toBe(961)
    expect((await world.storage.users.find(bob.id))?.quota).toBe(15)
    expect(await world.budget()).toEqual({ remain_quota: 77, used_quota: 40 })
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('in a group commit, a refused hold does not take the others with it', async () => {
    const world = await openWorld(open, { quota: 100 })
    const results = await Promise.allSettled([
      world.ledger.credit({ account_id: world.user, kind: 'gift', amount: 1 }),
      world.ledger.hold(world.byUser, 60),
      world.ledger.hold(world.byUser, 60),
      world.ledger.hold(world.byUser, 40),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  test('closing waits for what is under way', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 100)
    const settled = world.ledger.settle(hold, costs(40))
    await world.ledger.close()
    await settled
    expect(await world.balance()).toBe(960)
  })

  if (kind === 'postgres')
    test('two processes on one database do not spend the same quota', async () => {
      const world = await openWorld(open, { quota: 549, remain_quota: 100_000 })
      const other = await anotherLedger(await open({ clock: world.clock }), world.clock)
      const results = await many(40, (index) => (index % 2 ? other : world.ledger).hold(world.byToken, 100))
      expect(outcomes(results).granted).toBe(5)
      expect(world.ledger.openHolds() + other.openHolds()).toBe(5)
      expect(await world.storage.ledger.countHolds()).toBe(5)
    })

  if (kind === 'postgres')
    test('two processes credit a reference once', async () => {
      const world = await openWorld(open)
      const other = await anotherLedger(await open({ clock: world.clock }), world.clock)
      const order = (index: number) => ({
        ...{ account_id: world.user, kind: 'topup' as const, amount: 500, reference: `order ${index}` },
      })
      for (let index = 0; index < 10; index += 1) {
        const results = await Promise.all([world.ledger.credit(order(index)), other.credit(order(index))])
        expect(results.filter(Boolean)).toHaveLength(1)
      }
      expect(await world.balance()).toBe(6000)
    })
})
