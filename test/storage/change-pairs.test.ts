// Two concurrent changes of one object have the same result as one after the other, in some order: neither breaks a
// condition of the other. Every pair of changes is generated.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { openMemoryGateway, type MemoryGateway } from '../core/gateway.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { listFailures } from '../support/list-failures.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { runsAllTests, sampleCases } from '../support/suite.ts'
import { pairedAggregates } from './change-pairs-world.ts'
import type { Aggregate, PairedChange } from './change-pairs.ts'

type Pair = readonly [PairedChange<unknown>, PairedChange<unknown>]

/** `npm test` plays every so many of the pairs, the first one of each among them. */
const STEP: Record<string, number> = {
  ...{ teams: 40, redemptions: 5, users: 28, tokens: 16, channels: 24, groups: 5, alerts: 5, topups: 5 },
}
const ROUNDS = runsAllTests ? 4 : 2

const pairsOf = (changes: PairedChange<unknown>[]): Pair[] =>
  changes.flatMap((one, at) => changes.slice(at).map((other) => [one, other] as const))

describe.each(listDatabaseKinds())('two changes of one thing at once, on %s', (kind) => {
  let weir: MemoryGateway
  let aggregates: Record<string, Aggregate>
  beforeAll(async () => {
    weir = await openMemoryGateway(kind === 'postgres' ? { place: { database: await migratedDatabase() } } : {})
    const rates = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))
    await weir.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(rates) })
    aggregates = await pairedAggregates(weir)
  })
  afterAll(() => weir.close())

  /** Whoever is told that somebody was faster has changed nothing, and asks again. */
  const outcome = (change: PairedChange<unknown>, thing: unknown): Promise<string> =>
    change.run(thing).then(
      () => 'done',
      (error: unknown) => {
        const { code } = error as { code?: string }
        if (code === undefined || /^(server|storage|limit)\./.test(code)) throw error
        return code === 'edit.conflict' ? outcome(change, thing) : 'refused'
      },
    )

  /** What a pair comes to, done by `how`. */
  async function result(aggregate: Aggregate, how: (thing: unknown) => Promise<[string, string]>): Promise<string> {
    const thing: unknown = await aggregate.make()
    const outcomes = await how(thing)
    await weir.applied()
    return JSON.stringify({ outcomes, stands: await aggregate.look(thing) })
  }

  async function check(aggregate: Aggregate, [one, other]: Pair): Promise<void> {
    const inTurn = [
      await result(aggregate, async (thing) => [await outcome(one, thing), await outcome(other, thing)]),
      await result(aggregate, async (thing) => {
        const second = await outcome(other, thing)
        return [await outcome(one, thing), second]
      }),
    ]
    for (let round = 0; round < ROUNDS; round += 1) {
      const atOnce = await result(aggregate, async (thing) => {
        const asked = [one, other].map((each) => () => outcome(each, thing))
        if (round % 2 === 0) return (await Promise.all(asked.map((ask) => ask()))) as [string, string]
        const [second, first] = await Promise.all([asked[1]!(), asked[0]!()])
        return [first!, second!]
      })
      expect(inTurn).toContain(atOnce)
    }
  }

  it.each(Object.keys(STEP))(
    '%s: every pair comes to what one after the other comes to',
    { timeout: 900_000 },
    async (name) => {
      const aggregate = aggregates[name]!
      const pairs = sampleCases(pairsOf(aggregate.changes), STEP[name]!)
      const nameOf = ([one, other]: Pair) => `${one.name} + ${other.name}`
      expect(await listFailures(pairs, nameOf, (pair) => check(aggregate, pair))).toEqual([])
      expect(await weir.ask(await weir.as('root'), 'quota.verify')).toMatchObject({ ok: true })
    },
  )
})
