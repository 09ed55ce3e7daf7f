// A Weir killed while many tasks are open loses none and pays none twice. More rounds: test/e2e/kill-tasks.ts.
import { describe, expect, it } from 'vitest'
import { openTaskKillBench } from '../support/kill-tasks.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { runsAllTests } from '../support/suite.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

describe.each(listDatabaseKinds())('a Weir on %s that is killed while tasks are open', (kind) => {
  it('has every task that it told of, and right books', { timeout: 180_000 }, async () => {
    const bench = await openTaskKillBench({
      ...(kind === 'postgres' ? { database: await migratedDatabase() } : {}),
      open: runsAllTests ? 200 : 40,
    })
    try {
      let round = await bench.round(Math.random)
      // It may be killed before it could tell anybody of a task.
      for (let more = 0; (round.told === 0 || round.open === 0) && more < 3; more += 1) {
        expect(round.problems).toEqual([])
        round = await bench.round(Math.random)
      }
      expect(round.problems).toEqual([])
      expect([round.told > 0, round.open > 0]).toEqual([true, true])
      expect(await bench.finish()).toEqual([])
    } finally {
      await bench.close()
    }
  })
})
