// Limits in the ledger: many calls at once, over any number of processes, and what comes of a call that fails or dies.
import { expect, test } from 'vitest'
import type { Limit, WindowLimit } from '../../../core/quota/limits.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { anotherLedger, costs, openWorld, outcomes } from '../quota/world.ts'

const MINUTE = 60_000
const windowOf = (kind: WindowLimit['kind'], max: number, amount = 1): WindowLimit => ({
  ...{ kind, key: `token:1:${kind}`, length: MINUTE, max, amount },
})
const concurrent = (max: number, key = 'token:1:calls'): Limit => ({ kind: 'concurrent', key, max })

const many = (count: number, work: (index: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)))

describeWithStorage('limits in the ledger', (open, kind) => {
  test('of 20 calls at once, as many are let in as the limit says; the others are told when to come back', async () => {
    const { ledger, byToken, clock } = await openWorld(open)
    const limits = [windowOf('requests', 5)]
    const results = await many(20, () => ledger.hold(byToken, 1, { limits }))
    expect(outcomes(results)).toEqual({ granted: 5, refused: Array(15).fill('limit.requests') })
    clock.advance(20_000)
    await expect(ledger.hold(byToken, 1, { limits })).rejects.toMatchObject({ retry_after_ms: 40_000 })
    clock.advance(39_999)
    await expect(ledger.hold(byToken, 1, { limits })).rejects.toMatchObject({ retry_after_ms: 1 })
    clock.advance(1)
    expect(outcomes(await many(20, () => ledger.hold(byToken, 1, { limits }))).granted).toBe(5)
  })

  test('a refused call counts nowhere: neither in another limit nor on the balance', async () => {
    const { ledger, byToken, byUser } = await openWorld(open, { quota: 100 })
    const both = [windowOf('requests', 3), concurrent(1)]
    const first = await ledger.hold(byToken, 10, { limits: both })
    for (let index = 0; index < 10; index += 1)
      await expect(ledger.hold(byToken, 10, { limits: both })).rejects.toMatchObject({ code: 'limit.concurrent' })
    await ledger.release(first)
    await ledger.hold(byToken, 10, { limits: [windowOf('requests', 3)] })
    await ledger.hold(byToken, 10, { limits: [windowOf('requests', 3)] })
    await expect(ledger.hold(byToken, 10, { limits: [windowOf('requests', 3)] })).rejects.toMatchObject({
      code: 'limit.requests',
    })
    // And one that the balance refuses is not counted against the limit.
    await expect(ledger.hold(byUser, 1000, { limits: [concurrent(1)] })).rejects.toMatchObject({
      code: 'quota.insufficient',
    })
    await ledger.hold(byUser, 80, { limits: [concurrent(1)] })
  })

  test('of several refusals the longest wait is told', async () => {
    const { ledger, byUser } = await openWorld(open)
    const limits = [concurrent(1), windowOf('requests', 1)]
    await ledger.hold(byUser, 1, { limits })
    await expect(ledger.hold(byUser, 1, { limits })).rejects.toMatchObject({
      ...{ code: 'limit.requests', retry_after_ms: MINUTE },
    })
  })

  test('calls in progress are counted until they are settled or released', async () => {
    const { ledger, byToken, storage } = await openWorld(open)
    const limits = [concurrent(3)]
    const results = await many(20, () => ledger.hold(byToken, 1, { limits }))
    expect(outcomes(results)).toEqual({ granted: 3, refused: Array(17).fill('limit.concurrent') })
    const holds = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])) as never[]
    await ledger.settle(holds[0]!, costs(1))
    await ledger.settle(holds[0]!, costs(1))
    await ledger.release(holds[1]!)
    await ledger.release(holds[1]!)
    expect(outcomes(await many(20, () => ledger.hold(byToken, 1, { limits }))).granted).toBe(2)
    expect(await storage.ledger.faults()).toEqual([])
  })

  test('a failed call gives its success slot back, a finished one keeps it until the window has passed', async () => {
    const { ledger, byUser, clock } = await openWorld(open)
    const limits = [windowOf('model_successes', 2), windowOf('model_requests', 6)]
    const first = await ledger.hold(byUser, 1, { limits })
    clock.advance(1000)
    const second = await ledger.hold(byUser, 1, { limits })
    // Both slots are taken while the calls run.
    await expect(ledger.hold(byUser, 1, { limits })).rejects.toMatchObject({ code: 'limit.model_successes' })
    await ledger.settle(first, costs(1))
    await expect(ledger.hold(byUser, 1, { limits })).rejects.toMatchObject({ code: 'limit.model_successes' })
    await ledger.release(second)
    for (let index = 0; index < 4; index += 1) await ledger.release(await ledger.hold(byUser, 1, { limits }))
    // Failed calls are requests all the same.
    await expect(ledger.hold(byUser, 1, { limits })).rejects.toMatchObject({ code: 'limit.model_requests' })
    clock.advance(MINUTE)
    await ledger.hold(byUser, 1, { limits })
  })

  test('tokens per minute count the estimate first and what was used in the end', async () => {
    const { ledger, byUser, clock } = await openWorld(open)
    const of = (amount: number) => ({ limits: [windowOf('tokens', 1000, amount)] })
    const first = await ledger.hold(byUser, 1, of(700))
    await expect(ledger.hold(byUser, 1, of(400))).rejects.toMatchObject({ code: 'limit.tokens' })
    await ledger.settle(first, { ...costs(1), tokens: 500 })
    const second = await ledger.hold(byUser, 1, of(400))
    await ledger.settle(second, { ...costs(1), tokens: 490 })
    await expect(ledger.hold(byUser, 1, of(20))).rejects.toMatchObject({ code: 'limit.tokens' })
    const third = await ledger.hold(byUser, 1, of(10))
    await ledger.release(third)
    await ledger.hold(byUser, 1, of(10))
    clock.advance(MINUTE)
    await ledger.hold(byUser, 1, of(1000))
  })

  test('a hold without limits knows nothing of counters', async () => {
    const { ledger, byToken, storage } = await openWorld(open)
    const hold = await ledger.hold(byToken, 1, { limits: [] })
    expect(hold).not.toHaveProperty('claims')
    await ledger.settle(hold, costs(1))
    expect(await storage.ledger.counters(['token:1:requests'])).toEqual([])
  })

  if (kind === 'postgres') {
    test('two processes on one database let in no more than one would', async () => {
      const world = await openWorld(open, { quota: 100_000, remain_quota: 100_000 })
      const other = await anotherLedger(await open({ clock: world.clock }), world.clock)
      const users = await Promise.all(
        ['b', 'c', 'd'].map((username) => world.storage.users.insert({ ...newUserOf(username) })),
      )
      for (const { id } of users) await world.ledger.credit({ account_id: id, kind: 'gift', amount: 1000 })
      const payers = [world.byToken, ...users.map(({ id }) => ({ account_id: id, by_user_id: null, token: null }))]
      // Different accounts, one group: nothing but the counter's own lock keeps them apart.
      const limits = [{ ...windowOf('requests', 7), key: 'group:vip:requests' }, concurrent(50, 'group:vip:calls')]
      const results = await many(60, (index) =>
        (index % 2 ? other : world.ledger).hold(payers[index % 4]!, 1, { limits }),
      )
      expect(outcomes(results)).toEqual({ granted: 7, refused: Array(53).fill('limit.requests') })
    })

    test('crossing limits of two processes lock each other never', async () => {
      const world = await openWorld(open, { quota: 100_000, remain_quota: 100_000 })
      const other = await anotherLedger(await open({ clock: world.clock }), world.clock)
      const pair = [concurrent(1000, 'group:a:calls'), concurrent(1000, 'group:b:calls')]
      const results = await many(200, async (index) => {
        const ledger = index % 2 ? other : world.ledger
        const hold = await ledger.hold(world.byToken, 1, { limits: index % 3 ? pair : [...pair].reverse() })
        await (index % 5 ? ledger.settle(hold, costs(1)) : ledger.release(hold))
      })
      expect(outcomes(results)).toEqual({ granted: 200, refused: [] })
      const [counter] = await world.storage.ledger.counters(['group:a:calls'])
      expect(counter?.state).toBe('[]')
    })

    test('calls of a process that died stop counting when its holds are swept, and it may still settle one', async () => {
      const world = await openWorld(open)
      const process = world.clock.process()
      const dying = await anotherLedger(world.storage, process)
      const limits = [concurrent(2)]
      const hold = await dying.hold(world.byToken, 1, { limits })
      await dying.hold(world.byToken, 1, { limits })
      process.stop()
      await expect(world.ledger.hold(world.byToken, 1, { limits })).rejects.toMatchObject({ code: 'limit.concurrent' })
      world.clock.advance(11_000)
      expect(await world.ledger.sweep()).toBe(2)
      await world.ledger.hold(world.byToken, 1, { limits })
      await world.ledger.hold(world.byToken, 1, { limits })
      await dying.settle(hold, costs(1))
      await expect(world.ledger.hold(world.byToken, 1, { limits })).rejects.toMatchObject({ code: 'limit.concurrent' })
      expect(await world.storage.ledger.faults()).toEqual([])
    })

    test('counters that say nothing any more are forgotten', async () => {
      const { ledger, byToken, clock, storage } = await openWorld(open)
      await ledger.hold(byToken, 1, { limits: [windowOf('requests', 5), concurrent(5)] })
      const left = async () => (await storage.ledger.counters(['token:1:requests', 'token:1:calls'])).length
      await storage.ledger.forgetCounters(clock.now())
      expect(await left()).toBe(2)
      clock.advance(MINUTE + 1)
      await storage.ledger.forgetCounters(clock.now())
      // The call is still in progress.
      expect(await left()).toBe(1)
    })
  }
})

const newUserOf = (username: string) => ({
  ...{ username, display_name: username, role: 1 as const, group: 'vip', password_hash: '', created_time: 1 },
})
