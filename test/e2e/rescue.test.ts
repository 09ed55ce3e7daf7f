// Three channels, two of them broken: every call is answered and charged once. More of them: test/e2e/rescue.ts.
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../support/postgres.ts'
import { createFakeRandom } from '../support/random.ts'
import { rescue } from '../support/rescue.ts'
import { runsAllTests } from '../support/suite.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const CALLS = runsAllTests ? 300 : 100

describe.each(listDatabaseKinds())('many calls on %s through three channels, two of them broken', (kind) => {
  it('are all answered, none of them twice, and charged once', { timeout: 120_000 }, async () => {
    const database = kind === 'postgres' ? await freshDatabase() : undefined
    const { answered, broken, problems } = await rescue(CALLS, createFakeRandom(41).number, database)
    expect(problems).toEqual([])
    expect(answered).toBe(CALLS)
    expect(broken).toBeGreaterThan(CALLS / 2)
  })
})
