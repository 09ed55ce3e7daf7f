// The guarantees of holds, settlements, releases, credits and budgets, on both databases.
import { expect, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { costs, openWorld } from './world.ts'

/** A row that no database accepts. */
const badLog = () => ({ ...newLog(), content: null as unknown as string })

describeWithStorage('the ledger', (open) => {
  test('a hold reserves without moving the balance', async () => {
    const world = await openWorld(open)
    await world.ledger.hold(world.byToken, 600)
    expect(await world.balance()).toBe(1000)
    expect((await world.budget()).remain_quota).toBe(1000)
    await expect(world.ledger.hold(world.byUser, 401)).rejects.toMatchObject({
      code: 'quota.insufficient',
      parameters: { balance: 400, needed: 401 },
    })
    await world.ledger.hold(world.byUser, 400)
    expect(world.ledger.openHolds()).toBe(2)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('a settlement charges user, token and channel, and frees the rest of the hold', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 600)
    world.clock.advance(5000)
    await world.ledger.settle(hold, costs(250, world.channel), newLog({ quota: 250 }))
    expect(await world.storage.users.find(world.user)).toMatchObject({ quota: 750, used_quota: 250, request_count: 1 })
    expect(await world.storage.tokens.find(world.token)).toMatchObject({
      ...{ remain_quota: 750, used_quota: 250, accessed_time: Math.floor(world.clock.now() / 1000) },
    })
    expect(await world.storage.channels.find(world.channel)).toMatchObject({ used_quota: 250 })
    expect(await world.logs()).toMatchObject([{ quota: 250 }])
    expect(world.ledger.openHolds()).toBe(0)
    await world.ledger.hold(world.byToken, 750)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('refuses a second settlement of the same hold: it charges once', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 600)
    await Promise.all([world.ledger.settle(hold, costs(250)), world.ledger.settle(hold, costs(250))])
    await world.ledger.settle(hold, costs(300), newLog())
    expect(await world.balance()).toBe(750)
    expect(await world.budget()).toEqual({ remain_quota: 750, used_quota: 250 })
    expect(await world.logs()).toEqual([])
  })

  test('a hold that was settled cannot be released, and one that was released cannot be settled', async () => {
    const world = await openWorld(open)
    const settled = await world.ledger.hold(world.byUser, 100)
    await world.ledger.settle(settled, costs(100))
    await world.ledger.release(settled)
    const released = await world.ledger.hold(world.byUser, 100)
    await world.ledger.release(released)
    await world.ledger.settle(released, costs(100))
    await world.ledger.release(released)
    expect(await world.balance()).toBe(900)
    await world.ledger.hold(world.byUser, 900)
    await expect(world.ledger.hold(world.byUser, 1)).rejects.toMatchObject({ code: 'quota.insufficient' })
  })

  test('a release gives everything back and writes its log row', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 1000)
    await world.ledger.release(hold, newLog({ type: 5, quota: 0, content: 'the provider failed' }))
    expect(await world.balance()).toBe(1000)
    expect(await world.budget()).toEqual({ remain_quota: 1000, used_quota: 0 })
    expect(await world.logs()).toMatchObject([{ content: 'the provider failed' }])
    await world.ledger.hold(world.byToken, 1000)
  })

  test('a charge above the hold is taken in full, and the next hold is refused', async () => {
    const world = await openWorld(open, { quota: 1000, remain_quota: 10_000 })
    const hold = await world.ledger.hold(world.byToken, 900)
    await world.ledger.settle(hold, costs(4000))
    expect(await world.balance()).toBe(-3000)
    await expect(world.ledger.hold(world.byToken, 0)).rejects.toMatchObject({
      code: 'quota.insufficient',
      parameters: { balance: -3000 },
    })
    await world.ledger.credit({ account_id: world.user, kind: 'topup', amount: 3001 })
    await world.ledger.hold(world.byToken, 1)
  })

  test('a call whose price is 0 needs no balance', async () => {
    const world = await openWorld(open, { quota: 0, remain_quota: 0 })
    const hold = await world.ledger.hold(world.byToken, 0, { free: true })
    await world.ledger.settle(hold, costs(0))
    expect(await world.storage.users.find(world.user)).toMatchObject({ quota: 0, used_quota: 0, request_count: 1 })
    await expect(world.ledger.hold(world.byUser, 0)).rejects.toMatchObject({ code: 'quota.insufficient' })
  })

  test('a call that used nothing moves no counter', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 100)
    await world.ledger.settle(hold, { quota: 0, channel_id: world.channel, billable: false }, newLog({ quota: 0 }))
    expect(await world.storage.users.find(world.user)).toMatchObject({ quota: 1000, used_quota: 0, request_count: 0 })
    expect(await world.budget()).toEqual({ remain_quota: 1000, used_quota: 0 })
    expect(await world.logs()).toHaveLength(1)
  })

  test('refuses by the token before it refuses by the user', async () => {
    const world = await openWorld(open, { quota: 1000, remain_quota: 50 })
    await expect(world.ledger.hold(world.byToken, 51)).rejects.toMatchObject({
      code: 'quota.token_insufficient',
      parameters: { balance: 50, needed: 51 },
    })
    await world.ledger.setBudget({ id: world.token, remain_quota: 0, unlimited_quota: false })
    await expect(world.ledger.hold(world.byToken, 10)).rejects.toMatchObject({
      code: 'key.exhausted',
      parameters: { masked: 'sk-abc***xyz' },
    })
    expect(world.ledger.openHolds()).toBe(0)
    await world.ledger.hold(world.byUser, 1000)
  })

  test('an unlimited token never refuses, and what it spends is still counted', async () => {
    const world = await openWorld(open, { remain_quota: 5 })
    await world.ledger.setBudget({ id: world.token, remain_quota: 5, unlimited_quota: true })
    const hold = await world.ledger.hold(world.byToken, 800)
    await world.ledger.settle(hold, costs(800))
    expect(await world.budget()).toEqual({ remain_quota: -795, used_quota: 800 })
    await world.ledger.hold(world.byToken, 200)
  })

  test('a new budget counts at once, and what is held of the old one stays held', async () => {
    const world = await openWorld(open, { quota: 1000, remain_quota: 100 })
    const hold = await world.ledger.hold(world.byToken, 80)
    await world.ledger.setBudget({ id: world.token, remain_quota: 200, unlimited_quota: false })
    await expect(world.ledger.hold(world.byToken, 121)).rejects.toMatchObject({ code: 'quota.token_insufficient' })
    await world.ledger.settle(hold, costs(30))
    expect(await world.budget()).toEqual({ remain_quota: 170, used_quota: 30 })
    await world.ledger.hold(world.byToken, 170)
  })

  test('a change of one half of a budget leaves what is spent meanwhile', async () => {
    const world = await openWorld(open, { quota: 1000, remain_quota: 100 })
    const hold = await world.ledger.hold(world.byToken, 80)
    await Promise.all([
      world.ledger.settle(hold, costs(30)),
      world.ledger.setBudget({ id: world.token, unlimited_quota: true }),
    ])
    expect(await world.budget()).toEqual({ remain_quota: 70, used_quota: 30 })
    await world.ledger.settle(await world.ledger.hold(world.byToken, 200), costs(10))
    await world.ledger.setBudget({ id: world.token, unlimited_quota: false })
    await expect(world.ledger.hold(world.byToken, 61)).rejects.toMatchObject({ code: 'quota.token_insufficient' })
    await world.ledger.setBudget({ id: world.token, remain_quota: 500 })
    await world.ledger.hold(world.byToken, 500)
    expect(await world.storage.tokens.find(world.token)).toMatchObject({ remain_quota: 500, unlimited_quota: false })
  })

  test('credits a reference once', async () => {
    const world = await openWorld(open)
    const order = { account_id: world.user, kind: 'topup' as const, amount: 500, reference: 'order 7' }
    expect(await Promise.all([world.ledger.credit(order), world.ledger.credit(order)])).toEqual([true, false])
    expect(await world.ledger.credit({ ...order, amount: 900 })).toBe(false)
    expect(await world.ledger.credit({ ...order, kind: 'refund' })).toBe(true)
    expect(await world.balance()).toBe(2000)
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('an adjustment may take quota away, below zero too', async () => {
    const world = await openWorld(open)
    await world.ledger.credit({ account_id: world.user, kind: 'adjustment', amount: -1500, by_user_id: world.user })
    expect(await world.balance()).toBe(-500)
    await expect(world.ledger.hold(world.byUser, 0)).rejects.toMatchObject({ code: 'quota.insufficient' })
    expect(await world.storage.ledger.faults()).toEqual([])
  })

  test('refuses holds of unknown accounts and of amounts that are no quota', async () => {
    const { ledger, byUser, byToken } = await openWorld(open)
    await expect(ledger.hold({ account_id: 999, by_user_id: null, token: null }, 1)).rejects.toMatchObject({
      code: 'user.missing',
    })
    const stranger = { ...byToken, token: { id: 999, mask: '' } }
    await expect(ledger.hold(stranger, 1)).rejects.toMatchObject({ code: 'key.unknown' })
    for (const amount of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      await expect(ledger.hold(byUser, amount)).rejects.toMatchObject({ code: 'quota.overflow' })
    }
    expect(ledger.openHolds()).toBe(0)
  })

  test('a log row that cannot be written keeps no charge back', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 600)
    await world.ledger.settle(hold, costs(250), badLog())
    await world.ledger.settle(hold, costs(250), newLog())
    expect(await world.balance()).toBe(750)
    expect(await world.budget()).toEqual({ remain_quota: 750, used_quota: 250 })
    expect(await world.logs()).toEqual([])
    await world.ledger.hold(world.byToken, 750)
  })

  test('a log row that cannot be written does not keep a released hold', async () => {
    const world = await openWorld(open)
    const hold = await world.ledger.hold(world.byToken, 1000)
    await world.ledger.release(hold, badLog())
    expect(world.ledger.openHolds()).toBe(0)
    await world.ledger.hold(world.byToken, 1000)
    expect(world.ledger.openHolds()).toBe(1)
  })

  test('every refusal of a hold is a whole sentence in both languages', async () => {
    const { ledger, byUser, byToken, token } = await openWorld(open, { quota: 1000, remain_quota: 500 })
    const budget = (max: number) => [{ kind: 'budget', key: 'b', period: 'day', zone: '', max } as const]
    const refusals: Record<string, () => Promise<unknown>> = {
      'quota.insufficient': () => ledger.hold(byUser, 1001),
      'quota.token_insufficient': () => ledger.hold(byToken, 501),
      'budget.day': () => ledger.hold(byToken, 100, { limits: budget(99) }),
      'key.unknown': () => ledger.hold({ ...byToken, token: { id: 999, mask: '' } }, 1),
      'user.missing': () => ledger.hold({ ...byUser, account_id: 999 }, 1),
      'quota.overflow': () => ledger.hold(byUser, -1),
      'key.exhausted': async () => {
        await ledger.setBudget({ id: token, remain_quota: 0, unlimited_quota: false })
        return ledger.hold(byToken, 1)
      },
    }
    for (const [code, ask] of Object.entries(refusals)) {
      const refused: unknown = await ask().catch((error: unknown) => error)
      if (!(refused instanceof GatewayError)) throw new Error(`${code}: not refused`)
      expect(refused.code).toBe(code)
      for (const language of ['en', 'zh'] as const) expect(refused.text(language)).not.toMatch(/[{}]|undefined/)
    }
  })
})
