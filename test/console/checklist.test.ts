// The checklist of the console: every statement has a test that exists, and its page is as its data.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PAGE, page, titlesFor } from './checklist-page.ts'
import { broken } from './checklist/broken.data.ts'
import { claims, parts } from './checklist/parts.ts'

/** The routes, and the screens of the specification. */
const PARTS = 22

it('names for every statement tests that exist, each by one title', () => {
  const lost = Object.entries(claims).flatMap(([number, { shown }]) => {
    if (shown.length === 0) return [`${number}: no test`]
    return shown
      .filter((one) => titlesFor(one).length !== 1)
      .map((one) => `${number}: ${one.file}: ${one.name}: ${titlesFor(one).length} titles`)
  })
  expect(lost).toEqual([])
})

it('has the routes and every screen, numbered in their order', () => {
  expect(parts).toHaveLength(PARTS)
  const numbers = parts.map((part) => Object.keys(part.claims))
  expect(numbers).toEqual(numbers.map((own, part) => own.map((_, at) => `${part}.${at + 1}`)))
})

it('had ten statements broken, and each of them was noticed by a test that it names', () => {
  expect(new Set(broken.map((one) => one.claim)).size).toBe(10)
  const unnamed = broken.filter(({ claim, test }) => {
    const titles = (claims[claim]?.shown ?? []).flatMap((one) => titlesFor(one).map((title) => `${one.file}: ${title}`))
    return !titles.some((title) => test.startsWith(title))
  })
  expect(unnamed).toEqual([])
})

it('is written in CHECKLIST.md as it is here (npx tsx test/console/checklist-page.ts)', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(page())
})
