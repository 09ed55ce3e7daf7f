// The page of parts: which parts it has, and that the console as it is built does not have it. How it looks is tested in
// page.long.test.ts.
import { expect, it } from 'vitest'
import { imports, sources } from '../../support/sources.ts'

it('has every part that screens are made of', () => {
  const used = imports.filter(
    ({ from, to }) =>
      /^console\/parts\/.*\.tsx$/.test(to) &&
      !from.startsWith('test/') &&
      // What only another part of its folder uses is a part of that one.
      (/^console\/(screens|shell)\//.test(from) || !from.startsWith(to.replace(/[^/]+$/, ''))),
  )
  const parts = [...new Set(used.map(({ to }) => to))].filter((file) => !file.endsWith('.parts.tsx'))
  expect(parts.length).toBeGreaterThan(20)
  expect(parts.filter((file) => !sources.includes(file.replace(/\.tsx$/, '.parts.tsx')))).toEqual([])
})

it('is not in the console as it is built', () => {
  const from = imports.filter(({ to }) => /\.parts\.tsx$|console\/parts-page\//.test(to)).map((each) => each.from)
  expect(from.filter((file) => !/\.parts\.tsx$|^console\/parts-page\//.test(file))).toEqual([])
})
