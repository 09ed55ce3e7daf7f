// Rounds of the kill loop that only `npm run test:all` plays: a plain kill on SQLite, and a journal in which a bit has changed.
import { expect, it } from 'vitest'
import { openKillBench } from '../support/kill-loop.ts'

it('a Weir killed on SQLite has charged and logged once what its callers saw end', { timeout: 180_000 }, async () => {
  const bench = await openKillBench()
  try {
    const { problems, seen, logged } = await bench.round(Math.random)
    expect(problems).toEqual([])
    expect(seen).toBeGreaterThanOrEqual(20)
    expect(logged).toBeGreaterThanOrEqual(seen)
  } finally {
    await bench.close()
  }
})

it('a bit of the journal that changed costs one call at most, and is named', { timeout: 240_000 }, async () => {
  const bench = await openKillBench({ flips: true })
  try {
    for (let round = 1; round <= 3; round += 1) expect((await bench.round(Math.random)).problems).toEqual([])
  } finally {
    await bench.close()
  }
})
