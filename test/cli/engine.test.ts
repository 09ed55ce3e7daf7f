// How V8 runs Weir: that it knows the flags, and that the memory of the start is given back.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ENGINE } from '../../cli/engine.ts'

const BUILT = fileURLToPath(new URL('../../dist/cli/engine.js', import.meta.url))
const MIB = 2 ** 20

it('sets what this engine knows', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  for (const flag of ENGINE) expect(known).toContain(`--${flag.slice(2).replace(/^no-|=.*$/g, '')} (`)
})

it('gives the young heap of the start back', () => {
  const program = `
    const { ENGINE, restAfterStart } = await import(${JSON.stringify(BUILT)})
    const { getHeapSpaceStatistics, setFlagsFromString } = await import('node:v8')
    ENGINE.forEach((flag) => setFlagsFromString(flag))
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
    let kept = []
    for (let made = 0; made < 2e4; made += 1) kept = [...kept.slice(-1e3), { made }]
    const before = young()
    restAfterStart()
    setTimeout(() => console.log(JSON.stringify({ before, after: young(), exposed: typeof gc })), 11_000)`
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const { before, after, exposed } = JSON.parse(told) as { before: number; after: number; exposed: string }
  expect(exposed).toBe('undefined')
  expect(before).toBeGreaterThan(16 * MIB)
  expect(after).toBeLessThan(4 * MIB)
})
