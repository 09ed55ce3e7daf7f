// What is built is built again after every change of what it is made of.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { isBuildFresh } from './fresh-build.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-fresh-'))
afterAll(() => rmSync(root, { recursive: true }))

const files = ['core/a.ts', 'core/deep/b.ts', 'package.json', 'dist/one.js', 'dist/two.js']
const given = { inputs: ['core', 'package.json'], outputs: ['dist/one.js', 'dist/two.js'] }

/** Sources of the hour 1, and what was built of them in the hour 2. */
function build(): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  for (const path of [...files, 'core', 'core/deep']) setHour(path, path.startsWith('dist/') ? 2 : 1)
}
const setHour = (path: string, hour: number) => utimesSync(join(root, path), hour * 3600, hour * 3600)

it.each([
  ['nothing', () => undefined, true],
  ['a changed file', () => setHour('core/deep/b.ts', 3), false],
  ['a changed file beside the folders', () => setHour('package.json', 3), false],
  ['a new file', () => writeFileSync(join(root, 'core/deep/c.ts'), ''), false],
  ['a removed file', () => rmSync(join(root, 'core/deep/b.ts')), false],
  ['a removed part of what was built', () => rmSync(join(root, 'dist/two.js')), false],
  ['a part that was built before the others', () => setHour('dist/two.js', 0.5), false],
  ['a missing input', () => rmSync(join(root, 'package.json')), false],
])('after %s', (_what, change, isFresh) => {
  rmSync(root, { recursive: true, force: true })
  build()
  change()
  expect(isBuildFresh(root, given)).toBe(isFresh)
})
