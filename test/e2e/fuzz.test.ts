// A few requests that nobody should send, to every operation. Two hundred to each: test/e2e/fuzz.ts.
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { fuzz } from '../support/fuzz.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { runsAllTests } from '../support/suite.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

describe.each(listDatabaseKinds())('on %s', (kind) => {
  it('no operation fails, hangs or forgets a promise, whatever it is asked', { timeout: 300_000 }, async () => {
    const asked = new Set<string>()
    const problems = await fuzz({
      requests: runsAllTests ? 12 : 1,
      seed: 20_261_121,
      each: (operation) => asked.add(operation),
      ...(kind === 'postgres' ? { database: await migratedDatabase() } : {}),
    })
    expect(problems).toEqual([])
    expect([...asked]).toEqual(expect.arrayContaining([...endpointsByName.keys()]))
  })
})
