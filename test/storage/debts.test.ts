// Callers that a process keeps in memory carry their debt: it is there before the change that made it has ended, in this process and
// in another one of the same database.
import { expect, it } from 'vitest'
import { measureStoredFacts } from '../../core/alerts/conditions.ts'
import { openMemoryGateway, type MemoryGateway } from '../core/gateway.ts'
import { eventually } from '../support/gateway.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { formatPresentedKey } from '../../core/tokens/token.ts'

const debtOf = async (weir: MemoryGateway, key: string) =>
  (await weir.callers.find(formatPresentedKey(key)))?.debt?.quota ?? 0

async function teamOf(weir: MemoryGateway) {
  const owner = await weir.as('user')
  const { id } = (await weir.ask(owner, 'teams.create', { name: 'crew' })) as { id: number }
  const { key } = (await weir.ask(owner, 'tokens.create', { name: 'own', unlimited_quota: true })) as { key: string }
  const root = await weir.as('root')
  return { id, key, root, adjust: (amount: number) => weir.ask(root, 'teams.adjust', { id, amount }) }
}

it('in the process that makes it, at once', async () => {
  const weir = await openMemoryGateway()
  const { key, adjust } = await teamOf(weir)
  const seen: number[] = [await debtOf(weir, key)]
  for (const amount of [-3, -4, 6, 1, -1]) {
    await adjust(amount)
    seen.push(await debtOf(weir, key))
  }
  const facts = (await measureStoredFacts(weir)).filter(({ kind }) => kind === 'accounts_below_zero')
  expect(facts.map(({ value }) => value)).toEqual([1])
  // Where it is only less or more of a debt nobody looks again: it blocks as much.
  expect(seen.map((quota) => quota < 0)).toEqual([false, true, true, true, false, true])
  await weir.close()
})

it('in the other process of a shared database', async () => {
  const place = { database: await migratedDatabase() }
  const one = await openMemoryGateway({ place })
  const two = await openMemoryGateway({ place, isNew: true })
  const { key, adjust } = await teamOf(one)
  expect(await debtOf(two, key)).toBe(0)
  await adjust(-3)
  await eventually(
    () => debtOf(two, key),
    (debt) => debt < 0,
  )
  await adjust(3)
  await eventually(
    () => debtOf(two, key),
    (debt) => debt === 0,
  )
  await two.close()
  await one.close()
})
