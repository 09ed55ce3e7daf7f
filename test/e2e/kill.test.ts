// A Weir killed in the middle of many calls has right books when it comes back. On SQLite its power is cut where that can be
// done: then all that was not flushed is lost, too. On PostgreSQL, where one of two processes is killed, and more: `npm run test:all`
// with kill.long.test.ts, and test/e2e/kill.ts.
import { describe, expect, it } from 'vitest'
import { openKillBench } from '../support/kill-loop.ts'
import { canCutPower } from '../support/power-cut.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { createFakeRandom } from '../support/random.ts'
import { runsAllTests } from '../support/suite.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const CALLS = runsAllTests ? 200 : 60

describe.each(listDatabaseKinds())('a Weir on %s that is killed in the middle of many calls', (kind) => {
  it('has charged and logged once what its callers saw end, and holds nothing', { timeout: 180_000 }, async () => {
    const place =
      kind === 'postgres' ? { database: await migratedDatabase() } : canCutPower() ? { cut: 'none' as const } : {}
    const bench = await openKillBench({ ...place, calls: CALLS })
    try {
      const { problems, seen, logged } = await bench.round(createFakeRandom(40).number)
      expect(problems).toEqual([])
      expect(seen).toBeGreaterThanOrEqual(CALLS / 10)
      expect(logged).toBeGreaterThanOrEqual(seen)
    } finally {
      await bench.close()
    }
  })
})
