// Compares the stores of the log: their size on disk, the speed at which rows arrive while calls continue, and the time
// of queries. The release before, which has all rows in the database, is measured with them.
//
//   sh test/storage/clickhouse.sh npx tsx test/bench/homes.ts [--rows 10000000] [--before FOLDER] [--only sqlite,…] [--write]
//
// Without ClickHouse beside it (test/storage/clickhouse.sh) that place is left out; `--before` is a checkout that was built.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import type { WeirClient } from '../../core/contracts.ts'
import { createVisitor } from '../support/server.ts'
import { spread } from './bars.ts'
import { NAMES } from './fill-logs.ts'
import { CALLS_PER_SECOND, logPlaces, signedIn, type Filled } from './log-places.ts'
import { guarded } from './processes.ts'
import { machine, table } from './report.ts'
import { build, ROOT_USER, type Served } from './weir.ts'
import { openWorld, type LoadResult } from './world.ts'

const PAGE = new URL('HOMES.md', import.meta.url)
const ROUNDS = 3
const DAY = 86_400
const EXPORTED_DAYS = 3

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    before: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const now = Math.floor(Date.now() / 1000)

const looks: Record<string, (root: WeirClient) => Promise<unknown>> = {
  'first page': (root) => root.logs.list({ page_size: 100 }),
  'page of a user with a thousandth': (root) => root.logs.list({ username: 'light', page_size: 100 }),
  'page of a rare model': (root) => root.logs.list({ model_name: NAMES.rareModel, page_size: 100 }),
  'page of a rare model of a user, ten days': (root) =>
    root.logs.list({
      ...{ username: 'heavy', model_name: NAMES.rareModel, page_size: 100 },
      ...{ start_timestamp: now - 20 * DAY, end_timestamp: now - 10 * DAY },
    }),
  'page of a day a month ago': (root) =>
    root.logs.list({ start_timestamp: now - 29 * DAY, end_timestamp: now - 28 * DAY, page_size: 100 }),
  'figures of a month': (root) => root.logs.stat({ start_timestamp: now - 31 * DAY }),
  'figures of a month, a user with a third': (root) => root.logs.stat({ username: 'heavy' }),
  'figures of a month, a rare model': (root) => root.logs.stat({ model_name: NAMES.rareModel }),
}

interface Result {
  name: string
  bytes: number
  brought?: Filled['brought']
  /** ms of each round. */
  reads: Map<string, number[]>
  exported_s: number
  exported: number
}

async function measured(name: string, { child, size, brought }: Filled): Promise<Result> {
  const root = await signedIn(child)
  const reads = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [what, look] of Object.entries(looks)) {
      const began = performance.now()
      await look(root)
      reads.set(what, [...(reads.get(what) ?? []), performance.now() - began])
    }
  const began = performance.now()
  const exported = await linesOf(child, {
    start_timestamp: now - (20 + EXPORTED_DAYS) * DAY,
    end_timestamp: now - 20 * DAY,
  })
  const exported_s = (performance.now() - began) / 1000
  return { name, bytes: await size(), brought, reads, exported, exported_s }
}

/** How many lines an export of these rows has. */
async function linesOf({ address }: Served, span: Record<string, number>): Promise<number> {
  const url = `http://127.0.0.1:${address.port}`
  const visitor = createVisitor(url)
  const { json } = await visitor.login(ROOT_USER.username, ROOT_USER.password)
  const asked = new URLSearchParams({ format: 'jsonl' })
  for (const [name, value] of Object.entries(span)) asked.set(name, String(value))
  const { statusCode, body } = await request(`${url}/api/log/export?${asked.toString()}`, {
    headers: { cookie: visitor.cookie(), 'new-api-user': String(json?.data?.id) },
    bodyTimeout: 0,
    headersTimeout: 0,
  })
  if (statusCode !== 200) throw new Error(`the export was answered ${statusCode}: ${await body.text()}`)
  let lines = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) for (const byte of piece) if (byte === 10) lines += 1
  return lines
}

await guarded(async () => {
  if (!options['no-build']) build()
  const before = loadavg()[0] ?? 0
  const world = await openWorld()
  const results: Result[] = []
  const only = options.only?.split(',')
  for (const [key, place] of Object.entries(logPlaces({ world, rows, before: options.before }))) {
    if (only && !only.includes(key)) continue
    const filled = await place.fill()
    try {
      results.push(await measured(place.name, filled))
    } finally {
      await filled.end()
    }
    process.stderr.write(`\n${page(results, before)}\n`)
  }
  if (options.write)
    await writeFile(PAGE, `# Where ${rows.toLocaleString('en')} rows of a log are kept\n\n${page(results, before)}\n`)
})

function page(results: Result[], loadBefore: number): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en')
  const line = (what: string, show: (result: Result) => string) => [what, ...results.map(show)]
  const ms = (of: Result, what: string) => {
    const { median, max } = spread(of.reads.get(what) ?? [])
    return `${whole(median)} (${whole(max)})`
  }
  const calls = ({ brought }: Result, show: (calls: LoadResult[]) => string) => (brought ? show(brought.calls) : '-')
  const most = (each: LoadResult[], of: 'p50_ms' | 'p99_ms' | 'max_ms') =>
    whole(spread(each.map((one) => one[of])).median)
  return [
    table([
      line('', ({ name }) => name),
      line('on disk, MB', ({ bytes }) => whole(bytes / 1e6)),
      line('bytes a row', ({ bytes }) => whole(bytes / rows)),
      line(`rows a second that came there, beside ${CALLS_PER_SECOND} calls a second`, ({ brought }) =>
        brought ? whole(brought.rows_s) : '-',
      ),
      line('those calls', (each) => calls(each, (all) => whole(all.reduce((sum, one) => sum + one.calls, 0)))),
      line('those calls, failed', (each) =>
        calls(each, (all) => whole(all.reduce((sum, one) => sum + one.errors + one.lost + one.refused, 0))),
      ),
      line('those calls, p50 ms', (each) => calls(each, (all) => most(all, 'p50_ms'))),
      line('those calls, p99 ms', (each) => calls(each, (all) => most(all, 'p99_ms'))),
      ...Object.keys(looks).map((what) => line(`${what}, ms`, (each) => ms(each, what))),
      line(`export of ${EXPORTED_DAYS} days, rows a second`, ({ exported, exported_s }) =>
        whole(exported / exported_s),
      ),
      line('rows exported', ({ exported }) => whole(exported)),
    ]),
    `${rows.toLocaleString('en')} rows of 30 days. Rows of a home of its own are moved there out of the database; those of PostgreSQL by month are written by one other connection. What has moved goes from the database a minute later, beside what is measured then. While those rows are there still, a first page without a filter walks past them. Rows are made and alike, which column stores like better than real ones; usage by day and model comes from the roll-up in the database and is not in this table. Pages have 100 rows; medians of ${ROUNDS} (longest), over HTTP. Gateway, database, provider and load shared both cores. The machine's load was ${loadBefore.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after.`,
    `Machine: ${machine()}.\nTo repeat: \`sh test/storage/clickhouse.sh npx tsx test/bench/homes.ts --before FOLDER --write\`, where FOLDER is the release before, built.`,
  ].join('\n\n')
}
