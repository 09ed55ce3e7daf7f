// The page http/CALLS.md, made from the table of calls. `npx tsx test/http/calls-page.ts` writes it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { endpointsByName } from '../../core/contracts.ts'
import { markdownTable } from '../support/markdown-table.ts'
import { beyond, relayed, specified } from './calls.data.ts'

export const PAGE = fileURLToPath(new URL('../../http/CALLS.md', import.meta.url))

const INTRODUCTION = `# Every call, who may make it, and the test that does

The first table has the calls of the specification as it writes them: method, path, query, and the fields of the body.
A slash at the end is treated as absent. \`test/http/calls.test.ts\` checks each against its declaration and asks it, at
both spellings, on SQLite and on PostgreSQL; the file named goes further. \`test/http/access.test.ts\` asks every endpoint
as nobody, user, administrator and super administrator. What each call takes and gives to the letter is in the OpenAPI
document at \`/api/openapi.json\`.

Where a GET changes something, it needs the header \`New-Api-User\`, and with a session a page of the same site; a POST
of the same path does the same.

- **everybody**: no sign-in needed
- **user**: whoever is signed in, about their own
- **admin**: role 10 and above
- **root**: the super administrator

This page is made from the table in \`test/http/calls.data.ts\`: \`npx tsx test/http/calls-page.ts\`.
`

const WHO = { public: 'everybody', user: 'user', admin: 'admin', root: 'root' }
const test = (file: string) => `\`${join('test/http', file)}\``

export function page(): string {
  const asked = specified.map(({ call, who, also }) => [
    `\`${call}\``,
    WHO[who],
    ['calls.test.ts', ...(also ? [also] : [])].map(test).join(', '),
  ])
  const more = Object.entries(beyond).map(([name, { who, by }]) => {
    const { method, path } = endpointsByName.get(name) ?? { method: '', path: '' }
    return [`\`${method} ${path}\``, WHO[who], test(by)]
  })
  const outside = relayed.map(({ call, who, by }) => [`\`${call}\``, who, test(by)])
  const head = ['Call', 'Who', 'Verified by']
  const part = (title: string, rows: string[][]) => `## ${title}\n\n${markdownTable([head, ...rows])}\n`
  return [
    INTRODUCTION,
    part('The calls of the specification', asked),
    part('Calls outside of the contract', outside),
    part('What Weir has beside them', more),
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page())
