// Who is liable for which debt, and when all processes are told that an account went below zero or came back.
import { describe, expect, it, test } from 'vitest'
import { createDebtWatch, type Debt, findDebt, refuseDebt } from '../../../core/quota/debt.ts'
import { silent } from '../../support/databases.ts'

const team: Debt = { account_id: 7, account_kind: 'team', account_name: 'crew', quota: -40 }
const owner = (quota: number) => ({ id: 3, username: 'ann', quota })
const own = (quota: number): Debt => ({ account_id: 3, account_kind: 'user', account_name: 'ann', quota })

describe('the debt that keeps a user from a call', () => {
  it.each([
    { name: 'none where nothing is owed', quota: 0, teamDebts: [], used: 9, debt: null },
    { name: 'their own, where a team pays', quota: -1, teamDebts: [], used: 9, debt: own(-1) },
    { name: 'their own before that of a team', quota: -1, teamDebts: [team], used: 9, debt: own(-1) },
    { name: 'that of a team they own, where they pay', quota: 5, teamDebts: [team], used: 3, debt: team },
    {
      name: 'none of the account that pays, which decides itself: theirs',
      quota: -1,
      teamDebts: [],
      used: 3,
      debt: null,
    },
    { name: 'none of the account that pays: a team', quota: 5, teamDebts: [team], used: 7, debt: null },
  ])('is $name', ({ quota, teamDebts, used, debt }) => {
    expect(findDebt({ user: owner(quota), teamDebts }, used)).toEqual(debt)
  })

  it.each([
    { debt: own(-25), code: 'quota.owes', parameters: { debt: 25 } },
    { debt: team, code: 'quota.team_owes', parameters: { team: 'crew', debt: 40 } },
  ])('is told as the amount that is missing: $code', ({ debt, ...refusal }) => {
    expect(() => refuseDebt(debt)).toThrow(expect.objectContaining(refusal))
    expect(() => refuseDebt(null)).not.toThrow()
  })
})

describe('a debt watch', () => {
  /** A watch whose notifications last until they are ended, each with the accounts that it names. */
  function watched() {
    const told: { ids: number[]; end: () => void; fail: (error: Error) => void }[] = []
    const watch = createDebtWatch(
      silent,
      (ids) => new Promise<void>((resolve, reject) => void told.push({ ids, end: resolve, fail: reject })),
    )
    return { ...watch, told }
  }
  const moved = (account_id: number, amount: number, balance_after: number) => ({ account_id, amount, balance_after })
  const turns = () => new Promise((resolve) => setImmediate(resolve))

  it.each([
    { name: 'that goes below zero', entries: [moved(1, -5, -1)], ids: [1] },
    { name: 'that comes back to zero', entries: [moved(1, 5, 0)], ids: [1] },
    { name: 'that does so by several entries', entries: [moved(1, -5, 1), moved(1, -5, -4)], ids: [1] },
    { name: 'among others', entries: [moved(1, -5, 1), moved(2, -5, -4), moved(3, 9, 2)], ids: [2, 3] },
    { name: 'but not one whose debt is another than before', entries: [moved(1, -5, -7), moved(2, 5, -1)], ids: [] },
    { name: 'but not one that is back at the end', entries: [moved(1, -5, -4), moved(1, 5, 1)], ids: [] },
    { name: 'but not one that reaches zero from above', entries: [moved(1, -5, 0)], ids: [] },
  ])('tells of an account $name', ({ entries, ids }) => {
    const { written, whenNotified, told } = watched()
    written({ entries })
    expect(told.flatMap((each) => each.ids)).toEqual(ids)
    expect(whenNotified() !== undefined).toBe(ids.length > 0)
  })

  test('tells of an account whose charge is not booked yet', () => {
    const { suspect, told } = watched()
    suspect(4)
    expect(told.map(({ ids }) => ids)).toEqual([[4]])
  })

  test('keeps those who ask waiting until all is told, and nobody after that', async () => {
    const { suspect, whenNotified, told } = watched()
    suspect(1)
    suspect(2)
    const over: string[] = []
    void whenNotified()?.then(() => over.push('both'))
    told[0]?.end()
    await turns()
    expect(over).toEqual([])
    expect(whenNotified()).toBeDefined()
    told[1]?.end()
    await turns()
    expect(over).toEqual(['both'])
    expect(whenNotified()).toBeUndefined()
  })

  test('keeps nobody where nothing can be told', async () => {
    const { suspect, whenNotified, told } = watched()
    suspect(1)
    told[0]?.fail(new Error('cut'))
    await expect(whenNotified()).resolves.toBeUndefined()
    await turns()
    expect(whenNotified()).toBeUndefined()
    const alone = createDebtWatch(silent)
    alone.suspect(1)
    expect(alone.whenNotified()).toBeUndefined()
  })
})
