// Three channels, two of them broken: every call is answered and charged once. More of them: test/e2e/rescue.ts.
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../support/postgres.ts'
import { rescue } from '../support/rescue.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const CALLS = 300

describe.each(listDatabaseKinds())('300 calls on %s through three channels, two of them broken', (kind) => {
  it('are all answered, none of them twice, and charged once', { timeout: 120_000 }, async () => {
    const database = kind === 'postgres' ? await freshDatabase() : undefined
    const { answered, broken, problems } = await rescue(CALLS, Math.random, database)
    expect(problems).toEqual([])
    expect(answered).toBe(CALLS)
    expect(broken).toBeGreaterThan(CALLS / 2)
  })
})
