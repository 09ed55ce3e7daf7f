// A Weir killed while 200 tasks are open loses none and pays none twice. More rounds: test/e2e/kill-tasks.ts.
import { describe, expect, it } from 'vitest'
import { openTaskKillBench } from '../support/kill-tasks.ts'
import { freshDatabase } from '../support/postgres.ts'

describe.each(['sqlite', 'postgres'] as const)('a Weir on %s that is killed while tasks are open', (kind) => {
  it('has every task that it told of, and right books', { timeout: 180_000 }, async () => {
    const bench = await openTaskKillBench(kind === 'postgres' ? { database: await freshDatabase() } : {})
    try {
      const { problems, told, open } = await bench.round(Math.random)
      expect(problems).toEqual([])
      expect(told).toBeGreaterThan(0)
      expect(open).toBeGreaterThan(0)
      expect(await bench.finish()).toEqual([])
    } finally {
      await bench.close()
    }
  })
})
