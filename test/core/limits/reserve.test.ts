// The one door in front of every operation: with a token or without, for a call and for what it goes on with.
import { expect, test } from 'vitest'
import { buildCallLimits } from '../../../core/limits/call-limits.ts'
import { reserveMore, reserveQuota } from '../../../core/relay/holds.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import type { Token } from '../../../core/tokens/token.ts'
import type { User } from '../../../core/users/user.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { costs, openWorld, type World } from '../quota/world.ts'

const cost = { quota: 40, free: false }
const expected = { prompt: 10, answer: 0 }

async function people({ storage, user, token }: World, change: Partial<Token> = {}) {
  return {
    user: (await storage.users.find(user)) as User,
    token: { ...(await storage.tokens.find(token)), ...change } as Token,
  }
}

describeWithStorage('reserving', (open) => {
  test("a call without a token is held to the user's limits", async () => {
    const world = await openWorld(open)
    const { user } = await people(world)
    const settings = { ...defaultSettings(), RateLimits: { default: { requests_per_minute: 1 } } }
    const who = { user, token: null, group: 'default' }
    const hold = await reserveQuota(world.ledger, who, cost, buildCallLimits(who, expected, settings))
    expect(hold).toMatchObject({ token_id: null, amount: 40 })
    await expect(reserveQuota(world.ledger, who, cost, buildCallLimits(who, expected, settings))).rejects.toMatchObject(
      {
        code: 'limit.requests',
      },
    )
  })

  test('what a call goes on with is held to budgets, and counted as no second request', async () => {
    const world = await openWorld(open)
    const who = { ...(await people(world, { budget_day: 100, requests_per_minute: 1 })), group: 'default' }
    const hold = await reserveQuota(world.ledger, who, cost, buildCallLimits(who, expected, defaultSettings()))
    const more = await reserveMore(world.ledger, { ...who, zone: '' }, 60)
    await expect(reserveMore(world.ledger, { ...who, zone: '' }, 1)).rejects.toMatchObject({ code: 'budget.day' })
    await world.ledger.settle(hold, costs(90))
    await world.ledger.release(more)
    await expect(reserveMore(world.ledger, { ...who, zone: '' }, 11)).rejects.toMatchObject({ code: 'budget.day' })
    await reserveMore(world.ledger, { ...who, zone: '' }, 10)
  })
})
