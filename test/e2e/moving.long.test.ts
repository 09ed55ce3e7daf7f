// All long commands that are killed once: nothing half done is served, and running them again finishes. More: test/e2e/moving.ts.
import { describe, expect, it } from 'vitest'
import { openMovingBench } from '../support/moving.ts'
import { freshDatabase } from '../support/postgres.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

describe.each(listDatabaseKinds())('what a Weir on %s is asked that takes long', (kind) => {
  it('is killed in its middle, leaves nothing half done, and finishes', { timeout: 300_000 }, async () => {
    const bench = await openMovingBench({ kind, rows: 3000, freshDatabase })
    try {
      for (const move of bench.moves) {
        const { seconds } = await bench.measure(move)
        expect([move.name, await bench.kill(move, seconds * 700)]).toEqual([move.name, []])
      }
    } finally {
      await bench.close()
    }
  })
})
