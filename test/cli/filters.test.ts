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
  'docs --search',
])

const filters = leaves
  .filter(([, { readOnly, output }]) => readOnly && output?.many)
  .flatMap(([name, { options }]) =>
    Object.entries(options)
      .filter(([key, { flag }]) => !OF_PAGES.includes(key) && flag.includes('<'))
      .map(([, { flag, choices }]) => {
        const [, long = '', kind = ''] = /(--[\w-]+) <(\w+)>/.exec(flag) ?? []
        return { name, flag: long, value: choices?.at(-1) ?? (kind === 'when' ? '3h' : '5') }
      }),
  )
  .filter(({ name, flag }) => !READ_HERE.has(`${name} ${flag}`))

/** A server without rows. */
let server: Awaited<ReturnType<typeof fakeServer>>
const status = { report_time_zone: 'UTC', quota_per_unit: 500_000 }
beforeAll(async () => {
  server = await fakeServer(({ url }) => ({
    body: { success: true, message: '', data: url.startsWith('/api/status') ? status : { items: [], total: 0 } },
  }))
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

it('every flag that narrows a list changes what is asked', { timeout: 120_000 }, async () => {
  expect(filters.length).toBeGreaterThan(50)
  const plain = new Map<string, string[]>()
  const forgotten: string[] = []
  for (const { name, flag, value } of filters) {
    if (!plain.has(name)) plain.set(name, await readQuestions(name, []))
    const asked = await readQuestions(name, [`${flag}=${value}`])
    if (asked.length === 0 || asked.join('\n') === plain.get(name)!.join('\n')) forgotten.push(`${name} ${flag}`)
  }
  expect(forgotten).toEqual([])
})
