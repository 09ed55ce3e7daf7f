// Eight seconds of mixed load leave nothing behind. Half an hour, with an eye on the memory: test/e2e/soak.ts.
import { expect, it } from 'vitest'
import { soak } from '../support/soak.ts'

it(
  'slow readers, callers who leave and long outputs leave right books and no connection',
  { timeout: 180_000 },
  async () => {
    const { ended, samples, problems } = await soak({
      seconds: 8,
      rate: 20,
      sample_seconds: 2,
      chance: Math.random,
      watched: true,
    })
    expect(problems).toEqual([])
    expect(ended.whole).toBeGreaterThan(0)
    expect(ended.left).toBeGreaterThan(0)
    expect(samples.every(({ resident_mib }) => resident_mib > 0)).toBe(true)
  },
)
