// A Weir killed in the middle of 200 calls has right books when it comes back, and so has one whose power was cut. More rounds:
// test/e2e/kill.ts.
import { describe, expect, it } from 'vitest'
import { openKillBench } from '../support/kill-loop.ts'
import { canCutPower } from '../support/power-cut.ts'
import { freshDatabase } from '../support/postgres.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

describe.each(listDatabaseKinds())('a Weir on %s that is killed in the middle of 200 calls', (kind) => {
  it('has charged and logged once what its callers saw end, and holds nothing', { timeout: 180_000 }, async () => {
    const bench = await openKillBench(kind === 'postgres' ? { database: await freshDatabase() } : {})
    try {
      const { problems, seen, logged } = await bench.round(Math.random)
      expect(problems).toEqual([])
      expect(seen).toBeGreaterThanOrEqual(20)
      expect(logged).toBeGreaterThanOrEqual(seen)
    } finally {
      await bench.close()
    }
  })
})

it.skipIf(!canCutPower())(
  'what callers saw end survives a power cut that takes all that was not flushed',
  async () => {
    const bench = await openKillBench({ cut: 'none' })
    try {
      const { problems, seen } = await bench.round(Math.random)
      expect(problems).toEqual([])
      expect(seen).toBeGreaterThanOrEqual(20)
    } finally {
      await bench.close()
    }
  },
  180_000,
)

it('a bit of the journal that changed costs one call at most, and is named', { timeout: 240_000 }, async () => {
  const bench = await openKillBench({ flips: true })
  try {
    for (let round = 1; round <= 3; round += 1) expect((await bench.round(Math.random)).problems).toEqual([])
  } finally {
    await bench.close()
  }
})
