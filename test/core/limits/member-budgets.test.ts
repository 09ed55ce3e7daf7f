// The budget of a member in a team: one limit over all tokens of the member, for calls in any process.
import { expect, test } from 'vitest'
import type { Payer } from '../../../core/quota/hold.ts'
import { listCallBudgets } from '../../../core/tokens/budget.ts'
import { newToken } from '../../storage/samples.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { anotherLedger, costs, openWorld, outcomes } from '../quota/world.ts'

describeWithStorage("a member's limit in a team", (open, kind) => {
  async function openTeam(budget_day: number) {
    const world = await openWorld(open)
    const { storage, ledger, user } = world
    const team = await storage.teams.insert({ name: 'crew', created_time: 1 })
    await ledger.credit({ account_id: team.id, kind: 'adjustment', amount: 1_000_000 })
    const payers: Payer[] = []
    for (const at of [1, 2]) {
      const { id } = await storage.tokens.insert(newToken({ user_id: user, team_id: team.id, key: `${at}`.repeat(48) }))
      await ledger.setBudget({ id, unlimited_quota: true })
      payers.push({ account_id: team.id, by_user_id: user, token: { id, mask: '' } })
    }
    const limitsOf = (day: number) =>
      listCallBudgets(
        {
          team_id: team.id,
          user_id: user,
          id: 9,
          ...NONE,
          member: { budget_day: day, budget_month: 0 },
        },
        '',
      )
    return { ...world, team, payers, limits: limitsOf(budget_day), limitsOf }
  }
  const NONE = { budget_day: 0, budget_week: 0, budget_month: 0, time_zone: '' }

  test('20 calls at once by two tokens hold no more than it, and what they free may be held again', async () => {
    const { ledger, payers, limits, storage, team } = await openTeam(549)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => ledger.hold(payers[at % 2]!, 100, { limits })),
    )
    expect(outcomes(results)).toEqual({ granted: 5, refused: Array(15).fill('budget.member') })
    const holds = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    await ledger.release(holds[0]!)
    await ledger.settle(holds[1]!, costs(10))
    await ledger.hold(payers[0]!, 190, { limits })
    await expect(ledger.hold(payers[1]!, 50, { limits })).rejects.toMatchObject({ code: 'budget.member' })
    const spent = { key: 'x', account_id: team.id, token_id: null, by_user_id: payers[0]!.by_user_id, since: 0 }
    expect(await storage.ledger.spent([spent])).toEqual([{ key: 'x', spent: 10 }])
    expect(await storage.ledger.faults()).toEqual([])
  })

  test('counts what was charged before it was set', async () => {
    const { ledger, payers, limits, limitsOf } = await openTeam(0)
    await ledger.settle(await ledger.hold(payers[0]!, 100, { limits }), costs(80))
    await expect(ledger.hold(payers[1]!, 21, { limits: limitsOf(100) })).rejects.toMatchObject({
      ...{ code: 'budget.member', parameters: { max: 100, left: 20 } },
    })
    await ledger.hold(payers[1]!, 20, { limits: limitsOf(100) })
  })

  if (kind === 'sqlite') return

  test('is one for two processes, and what a dead one held of it is given back', async () => {
    const world = await openTeam(100)
    const { storage, clock, ledger, payers, limits } = world
    const other = await anotherLedger(storage, clock)
    await other.hold(payers[0]!, 80, { limits })
    await expect(ledger.hold(payers[1]!, 30, { limits })).rejects.toMatchObject({ code: 'budget.member' })
    await other.close()
    expect(await ledger.sweep()).toBe(1)
    await ledger.hold(payers[1]!, 100, { limits })
  })
})
