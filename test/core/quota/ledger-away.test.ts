// A storage that is away for a while: what is owed waits for it, what is new is refused.
import { expect, test, vi } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { flaky, type Failure } from './flaky.ts'
import { anotherLedger, costs, openWorld } from './world.ts'

describeWithStorage('a ledger whose storage goes away', (open, kind) => {
  async function openFlaky() {
    const world = await openWorld(open)
    const failures: Failure[] = []
    // Where one process owns the database, its books are its own alone.
    await world.ledger.close()
    const ledger = await anotherLedger({ ...world.storage, ledger: flaky(world.storage.ledger, failures) }, world.clock)
    return { ...world, ledger, failures }
  }

  test.each<Failure[]>([['before'], ['after'], ['before', 'after', 'before']])(
    'charges a settlement once, with its log row, when it is back (%s)',
    async (...given) => {
      const { ledger, failures, clock, ...world } = await openFlaky()
      const hold = await ledger.hold(world.byToken, 600)
      failures.push(...given)
      let durable = false
      const settled = ledger.settle(hold, costs(250), newLog({ quota: 250 })).then(() => (durable = true))
      await vi.waitFor(() => expect(failures).toHaveLength(given.length - 1))
      expect(durable).toBe(false)
      await vi.waitFor(() => {
        clock.advance(2_000)
        expect(durable).toBe(true)
      })
      await settled
      expect(await world.balance()).toBe(750)
      expect(await world.budget()).toEqual({ remain_quota: 750, used_quota: 250 })
      expect(await world.logs()).toMatchObject([{ quota: 250 }])
      expect(await world.storage.ledger.faults()).toEqual([])
      await ledger.hold(world.byToken, 750)
    },
  )

  test('begins no call that could not be charged', async () => {
    const { ledger, failures, clock, byUser } = await openFlaky()
    const hold = await ledger.hold(byUser, 600)
    failures.push('before')
    const settled = ledger.settle(hold, costs(250))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(failures).toEqual([])
    await expect(ledger.hold(byUser, 1)).rejects.toMatchObject({ code: 'storage.away' })
    expect(ledger.getBacklog()).toMatchObject({ charges: 1, safe: false })
    clock.advance(2_000)
    await settled
    expect(ledger.getBacklog().charges).toBe(0)
    await ledger.hold(byUser, 750)
  })

  test('does not wait for it for ever when the process ends', async () => {
    const { ledger, failures, ...world } = await openFlaky()
    const hold = await ledger.hold(world.byUser, 600)
    failures.push(...Array<Failure>(9).fill('before'))
    const settled = ledger.settle(hold, costs(250))
    const given = expect(settled).rejects.toBeInstanceOf(GatewayError)
    await ledger.close()
    await given
    expect(await world.balance()).toBe(1000)
  })

  if (kind === 'postgres')
    test('keeps nothing of a hold whose grant got lost', async () => {
      const { ledger, failures, ...world } = await openFlaky()
      failures.push('after')
      await expect(ledger.hold(world.byToken, 600)).rejects.toMatchObject({ code: 'storage.away' })
      await vi.waitFor(async () => expect(await world.storage.ledger.countHolds()).toBe(0))
      expect(await world.storage.ledger.faults()).toEqual([])
    })
})
