// Quota that moves between two accounts: it is never in both, never in neither, and never counted twice in between.
import { expect, test } from 'vitest'
import { transferQuota } from '../../../core/quota/ledger.ts'
import { newUser } from '../../storage/samples.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { openWorld, outcomes } from './world.ts'

describeWithStorage('a transfer', (open) => {
  async function two() {
    const world = await openWorld(open, { quota: 1000, remain_quota: 0 })
    const { storage, user: from } = world
    const { id: to } = await storage.users.insert(newUser({ username: 'bob' }))
    const balances = async () => [await world.balance(), (await storage.users.find(to))?.quota]
    const faults = () => storage.ledger.faults()
    return { ...world, from, to, balances, faults }
  }

  test('moves what is free, as often as there is enough', async () => {
    const { ledger, from, to, balances, faults } = await two()
    const moves = await Promise.allSettled(
      Array.from({ length: 8 }, () => transferQuota(ledger, { from, to, amount: 400 })),
    )
    const refused = Array.from({ length: 6 }, () => 'quota.insufficient')
    expect(outcomes(moves)).toEqual({ granted: 2, refused })
    expect(await balances()).toEqual([200, 800])
    expect(ledger.openHolds()).toBe(0)
    expect(await faults()).toEqual([])
  })

  test('leaves the rest to the next hold, also before its own caller has the answer', async () => {
    const { ledger, byUser, from, to, balances, faults } = await two()
    const hold = await ledger.hold(byUser, 600)
    await ledger.credit({ account_id: to, from, frees: hold, kind: 'transfer', amount: 600 })
    expect(ledger.openHolds()).toBe(0)
    const rest = await ledger.hold(byUser, 400)
    // Its hold is over: another end of it gives nothing back.
    await ledger.release(hold)
    await expect(ledger.hold(byUser, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
    await ledger.release(rest)
    expect(await balances()).toEqual([400, 600])
    expect(await faults()).toEqual([])
  })

  test('that fails frees what it held, once', async () => {
    const { ledger, byUser, from, to, balances, faults } = await two()
    const inTransaction = () => Promise.reject(new Error('the team is gone'))
    await expect(transferQuota(ledger, { from, to, amount: 600, inTransaction })).rejects.toThrow('the team is gone')
    expect(ledger.openHolds()).toBe(0)
    await ledger.release(await ledger.hold(byUser, 1000))
    await expect(ledger.hold(byUser, 1001)).rejects.toMatchObject({ code: 'quota.insufficient' })
    const reference = 'once'
    await transferQuota(ledger, { from, to, amount: 300, reference })
    await transferQuota(ledger, { from, to, amount: 300, reference })
    await ledger.release(await ledger.hold(byUser, 700))
    expect(await balances()).toEqual([700, 300])
    expect(await faults()).toEqual([])
  })
})
