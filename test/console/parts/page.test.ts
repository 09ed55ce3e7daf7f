// The page of parts: which parts it has, and that the console as it is built does not have it. How it looks is tested in
// page.long.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { imports, root, sources } from '../../support/sources.ts'

it('has every part that screens are made of', () => {
  const used = imports.filter(
    ({ from, to }) =>
      /^console\/parts\/.*\.tsx$/.test(to) &&
      !from.startsWith('test/') &&
      // What only another part of its folder uses is a part of that one.
      (/^console\/(screens|shell)\//.test(from) || !from.startsWith(to.replace(/[^/]+$/, ''))),
  )
  const parts = [...new Set(used.map(({ to }) => to))]
  expect(parts.length).toBeGreaterThan(20)
  const previewed = sources
    .filter((file) => file.endsWith('.previews.tsx'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^ {2}'?([\w/-]+)'?: \w+Previews,$/gm)])
    .map(([, part]) => `console/parts/${part}.tsx`)
  expect(parts.filter((file) => !previewed.includes(file))).toEqual([])
})

it('is not in the console as it is built', () => {
  const from = imports.filter(({ to }) => to.startsWith('console/parts-page/')).map((each) => each.from)
  expect(from.filter((file) => !file.startsWith('console/parts-page/'))).toEqual([])
})
