// How V8 runs Weir: that it knows the flags, and that the memory of the start is given back.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ENGINE } from '../../cli/engine.ts'
import { runsAllTests } from '../support/suite.ts'

const BUILT = fileURLToPath(new URL('../../dist/cli/engine.js', import.meta.url))
const MIB = 2 ** 20

it('sets what this engine knows', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  for (const flag of ENGINE) expect(known).toContain(`--${flag.slice(2).replace(/^no-|=.*$/g, '')} (`)
})

it('gives the young heap of the start back', () => {
  // V8 gives memory back by the clock, so that takes eleven seconds: `npm test` sees both collections come, a hundred times
  // sooner, and `npm run test:all` sees what they give back.
  const haste = runsAllTests ? 1 : 100
  const program = `
    const { ENGINE, restAfterStart } = await import(${JSON.stringify(BUILT)})
    const { PerformanceObserver, constants } = await import('node:perf_hooks')
    const { getHeapSpaceStatistics, setFlagsFromString } = await import('node:v8')
    ENGINE.forEach((flag) => setFlagsFromString(flag))
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
    let kept = []
    for (let made = 0; made < 2e4; made += 1) kept = [...kept.slice(-1e3), { made }]
    const before = young()
    let collections = 0
    const count = (list) =>
      list.getEntries().forEach(({ detail }) => (collections += detail.kind === constants.NODE_PERFORMANCE_GC_MINOR ? 1 : 0))
    new PerformanceObserver(count).observe({ entryTypes: ['gc'] })
    const { setTimeout } = globalThis
    const due = []
    globalThis.setTimeout = (work, ms) => (due.push(ms), setTimeout(work, ms / ${haste}))
    restAfterStart()
    const tell = () => console.log(JSON.stringify({ before, due, collections, after: young(), exposed: typeof gc }))
    setTimeout(() => setTimeout(tell, 100), 11_000 / ${haste})`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const { before, after, ...seen } = JSON.parse(told) as { before: number; after: number; collections: number }
  expect(seen).toMatchObject({ due: [5000, 10_000], exposed: 'undefined' })
  expect(seen.collections).toBeGreaterThanOrEqual(2)
  expect(before).toBeGreaterThan(16 * MIB)
  if (runsAllTests) expect(after).toBeLessThan(4 * MIB)
})
