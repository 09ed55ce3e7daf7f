// The page of every command and the pictures of its output are as they are written down: `npx tsx test/cli/commands-page.ts`.
// `npm test` makes the English page and the pictures of 80 columns; `npm run test:all` makes both pages and all widths.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runsAllTests } from '../support/suite.ts'
import { columnsOf, everyPage, sectionsOf, WHOLE, type Part } from './commands-page.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PART: Part = runsAllTests ? WHOLE : { languages: ['en'], widths: [80] }

/** What of a file this run makes again: of a picture the sections of its widths, of a page everything. */
function partOf(file: string): string {
  const text = readFileSync(ROOT + file, 'utf8')
  if (!file.startsWith('test/')) return text
  return sectionsOf(text)
    .filter((section) => {
      const columns = columnsOf(section)
      return columns === undefined || PART.widths.includes(columns)
    })
    .join('')
}

it('the pages of commands are up to date', { timeout: 240_000 }, async () => {
  const pages = await everyPage(PART)
  const outdated = Object.entries(pages).filter(([file, text]) => partOf(file) !== text)
  for (const [file, text] of outdated) expect.soft(partOf(file), file).toBe(text)
  const kept = readdirSync(`${ROOT}test/cli/pictures`).map((name) => `test/cli/pictures/${name}`)
  expect(kept.sort()).toEqual(
    Object.keys(pages)
      .filter((file) => file.startsWith('test/'))
      .sort(),
  )
})
