// Some seconds of mixed load leave nothing behind. Half an hour, with an eye on the memory: test/e2e/soak.ts.
import { expect, it } from 'vitest'
import { createFakeRandom } from '../support/random.ts'
import { soak } from '../support/soak.ts'
import { runsAllTests } from '../support/suite.ts'

/** Metrics, traces and retention have written something after eight seconds; two are enough to see what is left of calls. */
const LOAD = runsAllTests ? { seconds: 8, rate: 20, watched: true } : { seconds: 2, rate: 30, watched: false }

it(
  'slow readers, callers who leave and long outputs leave right books and no connection',
  { timeout: 180_000 },
  async () => {
    const { ended, samples, problems } = await soak({ ...LOAD, sample_seconds: 2, chance: createFakeRandom(20).number })
    expect(problems).toEqual([])
    expect(ended['whole']).toBeGreaterThan(0)
    expect(ended['left']).toBeGreaterThan(0)
    expect(samples.every(({ resident_mib }) => resident_mib > 0)).toBe(true)
  },
)
