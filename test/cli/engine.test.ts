// How V8 runs Weir: that it knows the flags, and that the memory of the start is given back.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { COMMAND_ENGINE, ENGINE } from '../../cli/engine.ts'
import { runsAllTests } from '../support/suite.ts'

const BUILT = fileURLToPath(new URL('../../dist/cli/engine.js', import.meta.url))
const MIB = 2 ** 20

it('sets what this engine knows', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  for (const flag of [...ENGINE, ...COMMAND_ENGINE])
    expect(known).toContain(`--${flag.slice(2).replace(/^no-|=.*$/g, '')} (`)
})

it('gives the young heap of the start back', () => {
  // V8 gives memory back by the clock, so that takes ten seconds and more: `npm test` sees the collections come, a hundred
  // times sooner, and `npm run test:all` sees what they give back.
  const haste = runsAllTests ? 1 : 100
  const program = `
    const { ENGINE, releaseMemoryAfterStart } = await import(${JSON.stringify(BUILT)})
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
    let done = 0
    const alive = setInterval(() => {}, 1000)
    const tell = () => (clearInterval(alive), console.log(JSON.stringify({ due, collections, after: young(), before, exposed: typeof gc })))
    // The observer is told of the last collection a little later.
    const next = (work) => (work(), (done += 1) === due.length && setTimeout(tell, 100))
    globalThis.setTimeout = (work, ms) => (due.push(ms), setTimeout(next, ms / ${haste}, work))
    releaseMemoryAfterStart()`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const { before, after, due, ...seen } = JSON.parse(told) as Record<'before' | 'after' | 'collections', number> & {
    due: number[]
    exposed: string
  }
  expect(seen.exposed).toBe('undefined')
  expect(due.length).toBeLessThanOrEqual(6)
  expect(new Set(due)).toEqual(new Set([5000]))
  expect(seen.collections).toBeGreaterThanOrEqual(due.length)
  expect(before).toBeGreaterThan(16 * MIB)
  if (runsAllTests) expect(after).toBeLessThan(4 * MIB)
})
