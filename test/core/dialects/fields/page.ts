// The page FIELDS.md: what becomes of every documented field on its way to a provider of another format. `npx tsx
// test/core/dialects/fields/page.ts` writes it.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '../../../support/markdown-table.ts'
import { callers, fateOf, providers, type Caller } from './classify.ts'

export const PAGE = fileURLToPath(new URL('../FIELDS.md', import.meta.url))

const INTRODUCTION = `# What becomes of every field in another format

Each documented field of each caller's format, alone in a request, written for a provider of every other format, and
compared with the same request without it. The fields are those that the vendors' own clients declare (a field that they
add does not compile until it is here), with the kinds of parts, items, blocks and tools. Models and streaming stand in
all of them. Nothing may be lost: a test fails where a field changes nothing, is not named and is not refused.

- **passed**: under its own name; **renamed**: under another; **otherwise**: said in other words
- **in part**: said, and what could not be said is named; **named**: left out, and named in \`x-weir-dropped\`
- **Weir**: done by Weir itself, whatever the provider: it keeps answers that are to be kept
- **refused**: only its vendor keeps what it stands for (or the format has no such thing at all): nothing is sent

The page is written by \`npx tsx test/core/dialects/fields/page.ts\`.
`

const WORDS: Record<string, string> = {
  'done by Weir': 'Weir',
  'said otherwise': 'otherwise',
  'said, and named in part': 'in part',
}

function section(caller: Caller): string {
  const others = providers.filter(([to]) => to !== caller.dialect)
  const rows = Object.entries(caller.samples).map(([name, sample]) => [
    name,
    ...others.map(([to, model]) => {
      const fate = fateOf(caller, to, model, name, sample)
      return WORDS[fate] ?? fate
    }),
  ])
  const head = ['Field', ...others.map(([to]) => to.name)]
  return `## From ${caller.dialect.name}\n\n${markdownTable([head, ...rows])}`
}

export const page = (): string => `${[INTRODUCTION.trim(), ...callers.map(section)].join('\n\n')}\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page())
