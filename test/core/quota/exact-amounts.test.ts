// No balance leaves what a number holds exactly: what would, is refused before anything moves.
import { expect, test } from 'vitest'
import { describeWithStorage } from '../../support/databases.ts'
import { costs, openWorld } from './world.ts'

const MOST = Number.MAX_SAFE_INTEGER

describeWithStorage('the largest balances', (open) => {
  test.each([MOST, MOST - 999, -MOST - 1001, 0.5, Number.NaN, Infinity])(
    'a credit of %d is refused',
    async (amount) => {
      const world = await openWorld(open, { quota: 1000 })
      const credit = { account_id: world.user, kind: 'gift' as const, amount, reference: 'r' }
      await expect(world.ledger.credit(credit)).rejects.toMatchObject({ code: 'quota.out_of_range' })
      expect(await world.balance()).toBe(1000)
      // A refusal uses nothing up: the same reference may be credited with what fits.
      expect(await world.ledger.credit({ ...credit, amount: MOST - 1000 })).toBe(true)
      expect(await world.balance()).toBe(MOST)
      expect(await world.storage.ledger.faults()).toEqual([])
    },
  )

  test('in one commit, too, the sum counts', async () => {
    const world = await openWorld(open, { quota: 0 })
    const half = (MOST - 1) / 2 + 1
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => world.ledger.credit({ account_id: world.user, kind: 'gift', amount: half })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.balance()).toBe(half)
  })

  test('figures that refuse nothing stand still at the end', async () => {
    const world = await openWorld(open, { quota: MOST, remain_quota: 1000 })
    for (const charge of [MOST, 5, 5]) {
      await world.ledger.credit({ account_id: world.user, kind: 'gift', amount: MOST - (await world.balance()) })
      const hold = await world.ledger.hold(world.byUser, 1)
      await world.ledger.settle({ ...hold }, costs(charge, world.channel))
    }
    expect(await world.storage.users.find(world.user)).toMatchObject({ used_quota: MOST, quota: MOST - 5 })
    expect(await world.storage.channels.find(world.channel)).toMatchObject({ used_quota: MOST })
    expect(await world.storage.ledger.faults()).toEqual([])
  })
})
