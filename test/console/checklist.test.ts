// The checklist of the console: every statement has a test that exists, and its page is as its data.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PAGE, page, titlesFor } from './checklist-page.ts'
import { claims } from './checklist/parts.ts'

it('names for every statement tests that exist, each by one title', () => {
  const lost = Object.entries(claims).flatMap(([number, { shown }]) => {
    if (shown.length === 0) return [`${number}: no test`]
    return shown
      .filter((one) => titlesFor(one).length !== 1)
      .map((one) => `${number}: ${one.file}: ${one.name}: ${titlesFor(one).length} titles`)
  })
  expect(lost).toEqual([])
})

it('is written in CHECKLIST.md as it is here (npx tsx test/console/checklist-page.ts)', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(page())
})
