// Writes CHECKLIST.md from the statements and the faults that were tried against them. Run `npx tsx
// test/console/checklist-page.ts`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '../support/markdown-table.ts'
import { broken, SEED } from './checklist/broken.data.ts'
import type { Part, Shown } from './checklist/claim.ts'
import { parts } from './checklist/parts.ts'
import { titlesOf } from './checklist/titles.ts'

export const PAGE = fileURLToPath(new URL('CHECKLIST.md', import.meta.url))

const tests = fileURLToPath(new URL('..', import.meta.url))
const known = new Map<string, string[]>()

/** The whole titles that begin with the name of a test; one, where it is named well. */
export function titlesFor({ file, name }: Shown): string[] {
  const titles = known.get(file) ?? titlesOf(join(tests, `${file}.test.ts`))
  known.set(file, titles)
  return titles.filter((title) => title.startsWith(name))
}

const INTRODUCTION = `# What the specification says of the console, and the tests that show it

Every statement of the specification's section on screens, in words of our own: the routes first, then each screen by its
number there. A test is named by its file below \`test/\`, without \`.test.ts\`, and its title. That each of them exists, and that
this page is as its data, is tested by \`test/console/checklist.test.ts\`. The statements are in \`test/console/checklist/claims/\`;
\`npx tsx test/console/checklist-page.ts\` makes the page.
`

const BROKEN = `## Broken on purpose

Ten statements, drawn by \`npx tsx test/console/checklist/draw.ts ${SEED}\`. Each was broken in the product by itself, its tests
were run, and the product was put back. Where they stayed green, it says what they had to learn before they failed.
`

/** A cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
const code = (text: string) => (/[<>*_]/.test(text) ? `\`${text}\`` : text)

function partOf({ title, claims }: Part): string {
  const rows = Object.entries(claims).map(([number, { says, shown }]) => [
    number,
    cell(says),
    shown.map((one) => `\`${one.file}\`: ${cell(code(titlesFor(one)[0] ?? one.name))}`).join('<br>'),
  ])
  return `## ${title}\n\n${markdownTable([['No.', 'What is so', 'Shown by'], ...rows])}\n`
}

export function page(): string {
  const head = ['Statement', 'What was broken', 'The test that failed', 'What it said', 'Learned first']
  const rows = broken.map(({ claim, broken: what, test, said, learned = '' }) => [
    claim,
    cell(what),
    cell(test),
    `\`${cell(said)}\``,
    cell(learned),
  ])
  const last = rows.length > 0 ? [`${BROKEN}\n${markdownTable([head, ...rows])}\n`] : []
  return [INTRODUCTION, ...parts.map(partOf), ...last].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page())
