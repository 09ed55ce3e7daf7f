// The seeded faults still fit the code that they change.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/sources.ts'
import { faults } from './faults.data.ts'

it('finds the text of every fault once in its file', () => {
  const stale = faults.filter(({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2)
  expect(stale.map(({ name, file }) => `${file}: ${name}`)).toEqual([])
})
