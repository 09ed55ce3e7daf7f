// A restore that is killed as soon as it has begun: nothing half done is served, and run again it finishes. The other long
// commands, on both databases: moving.long.test.ts, and test/e2e/moving.ts.
import { expect, it } from 'vitest'
import { openMovingBench } from '../support/moving.ts'
import { freshDatabase } from '../support/postgres.ts'

it('a restore that is killed leaves nothing half done, and finishes when it is run again', async () => {
  const bench = await openMovingBench({ kind: 'sqlite', rows: 1000, entries: 50, freshDatabase })
  try {
    const restore = bench.moves.find(({ name }) => name === 'restore')
    if (!restore) throw new Error('there is no restore')
    expect(await bench.kill(restore, 'has begun')).toEqual([])
  } finally {
    await bench.close()
  }
}, 120_000)
