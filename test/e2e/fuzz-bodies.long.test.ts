// A few calls that nobody should make, in every format and on every kind of channel. Thousands: test/e2e/fuzz-bodies.ts.
import { describe, expect, it } from 'vitest'
import { fuzzBodies } from '../support/fuzz-bodies.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

describe.each(listDatabaseKinds())('on %s', (kind) => {
  it('no body of a caller makes a 500', { timeout: 300_000 }, async () => {
    const refused: Record<string, number> = {}
    const problems = await fuzzBodies({
      requests: 30,
      seed: 20_261_122,
      each: (path, count) => (refused[path] = count),
      ...(kind === 'postgres' ? { database: await migratedDatabase() } : {}),
    })
    expect(problems).toEqual([])
    expect(Object.entries(refused).filter(([, count]) => count === 0)).toEqual([])
  })
})
