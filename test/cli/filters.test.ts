// Every flag that narrows a list is part of the question to the server, so that no flag is taken and forgotten.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fakeServer, runHere } from '../support/terminal.ts'
import { leaves, looks } from './commands.data.ts'

/** Flags about the printed pages, not about the rows. */
const OF_PAGES = ['columns', 'limit', 'page', 'watch', 'out', 'jq']

/** Flags by which the terminal itself narrows what it has read, or reads a file. */
const READ_HERE = new Set([
  'models ls --group',
  'prices preview --file',
  'route simulate --calls',
  'settings ls --tab',
  'tasks ls --action',
  'tasks ls --status',
  'tokens ls --team',
  'docs --search',
])

const filters = leaves
  .filter(([, { readOnly, output }]) => readOnly && output?.many)
  .flatMap(([name, { options }]) =>
    Object.entries(options)
      .filter(([key, { flag }]) => !OF_PAGES.includes(key) && flag.includes('<'))
      .map(([, { flag, choices }]) => {
        const [, long = '', kind = ''] = /(--[\w-]+) <(\w+)>/.exec(flag) ?? []
        return { name, flag: long, values: choices ?? (kind === 'when' ? ['3h', '300h'] : ['5', '6']) }
      }),
  )
  .filter(({ name, flag }) => !READ_HERE.has(`${name} ${flag}`))

/** What the server answers, by the beginning of the path: no rows, but what flags name. */
const named = [5, 6].map((id) => ({ id, type: id, name: String(id) }))
const answers: Record<string, unknown> = {
  '/api/status': { report_time_zone: 'UTC', quota_per_unit: 500_000 },
  '/api/channel/types': named,
  '/api/team/': { items: named, total: 2 },
}
const noRows = { items: [], total: 0 }

let server: Awaited<ReturnType<typeof fakeServer>>
beforeAll(async () => {
  server = await fakeServer(({ url }) => {
    const [, data = noRows] = Object.entries(answers).find(([path]) => url.startsWith(path)) ?? []
    return { body: { success: true, message: '', data } }
  })
})
afterAll(() => server.close())

/** What a list asks the server. Moments are rounded: two runs are not at the same second. */
async function readQuestions(name: string, flags: readonly string[]): Promise<string[]> {
  const from = server.seen.length
  const env = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: 'token' }
  await runHere([...name.split(' '), ...(looks[name] ?? []), ...flags, '--json'], { env })
  return server.seen
    .slice(from)
    .map(({ url, body }) => `${url} ${body}`.replaceAll(/\d{10}/g, (seconds) => seconds.slice(0, 7)))
}

it('what is asked changes with the value of every flag that narrows a list', { timeout: 120_000 }, async () => {
  expect(filters.length).toBeGreaterThan(50)
  const forgotten: string[] = []
  for (const { name, flag, values } of filters) {
    const [one, other] = [
      await readQuestions(name, [`${flag}=${values[0]}`]),
      await readQuestions(name, [`${flag}=${values.at(-1)}`]),
    ]
    if (one.length === 0 || one.join('\n') === other.join('\n')) forgotten.push(`${name} ${flag}`)
  }
  expect(forgotten).toEqual([])
})
