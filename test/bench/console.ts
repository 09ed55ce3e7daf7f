// Measures the console of a large site: how fast its lists appear, and whether the page stays responsive meanwhile.
//
//   npx tsx test/bench/console.ts [--rounds 5] [--only log,channels] [--rows 1000000] [--no-build] [--write]
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openBrowser, signInto, type Browser, type SignedIn } from '../support/browser.ts'
import { spread, type Bar } from './bars.ts'
import { fillConsole, SIZE, VISITORS, type Visitor } from './fill-console.ts'
import { NAMES } from './fill-logs.ts'
import { changed, opened, slowed, watched, type Seen } from './looks.ts'
import { BOTH_CORES, guarded } from './processes.ts'
import { barLines, machine, table } from './report.ts'
import { build, install, serve } from './weir.ts'
import { MODEL } from './world.ts'

const PAGE = new URL('CONSOLE.md', import.meta.url)
const MOST_ROWS_MS = 500
const MOST_TASK_MS = 200
/** Of a page of 100 rows that are drawn where all is four times as slow. */
const MOST_SLOWED_TASK_MS = 100
const SLOWED = 4
/** Nothing is asked of it. */
const PROVIDER = 'http://127.0.0.1:9'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    rows: { type: 'string', default: String(SIZE.logs) },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
const size = { ...SIZE, logs: Number(options.rows) }
const rounds = Number(options.rounds)

interface Look {
  path: string
  rows: string
  for: Visitor[]
  /** Its rows come in pages. */
  paged?: boolean
  /** What narrows it down. */
  filter?: Record<string, string>
}

const ROWS = 'table.rows tbody td'
const both: Visitor[] = ['root', 'user']
const looks: Record<string, Look> = {
  channels: { path: '/channel', rows: ROWS, for: ['root'], paged: true, filter: { keyword: 'channel 299' } },
  'log, today': { path: '/log', rows: ROWS, for: both, paged: true, filter: { model_name: NAMES.model } },
  'log, a month': {
    path: '/log?span=month',
    rows: ROWS,
    for: both,
    paged: true,
    filter: { model_name: NAMES.rareModel },
  },
  tokens: { path: '/token', rows: ROWS, for: both, paged: true, filter: { keyword: 'worker 77' } },
  teams: { path: '/teams', rows: ROWS, for: both, paged: true },
  'all teams': { path: '/teams?all=true', rows: ROWS, for: ['root'], paged: true },
  'route view': { path: `/channel/route?model=${MODEL}`, rows: '.route-line', for: ['root'] },
}
/** What is done of a screen, in this order. */
const STEPS = ['opened, nothing cached', 'opened again', 'next page', 'filter', '100 rows, slowed'] as const
type Step = (typeof STEPS)[number]

const bounds = (step: Step) =>
  step === '100 rows, slowed' ? { task: MOST_SLOWED_TASK_MS } : { rows: MOST_ROWS_MS, task: MOST_TASK_MS }

interface Measured {
  who: Visitor
  look: string
  seen: Map<Step, Seen[]>
}

const ms = (value: number) => (value === 0 ? '< 50' : Math.round(value).toLocaleString('en'))
const medianOf = (seen: Seen[], field: keyof Seen) => spread(seen.map((each) => each[field]))

await guarded(async () => {
  if (!options['no-build']) build()
  const before = loadavg()[0] ?? 0
  const installation = await install('console', PROVIDER)
  const began = Date.now()
  await fillConsole(installation, size, PROVIDER)
  process.stderr.write(`filled in ${Math.round((Date.now() - began) / 1000)} s\n`)
  const server = await serve(installation, BOTH_CORES)
  const browser = await openBrowser()
  try {
    const measured = await measure(browser, `http://127.0.0.1:${server.address.port}`)
    const text = page(measured, before)
    process.stdout.write(`\n${text}\n`)
    if (options.write) await writeFile(PAGE, `# The console of a large site\n\n${text}\n`)
  } finally {
    await browser.close()
    await server.stop()
  }
})

async function measure(browser: Browser, site: string): Promise<Measured[]> {
  const wanted = options.only?.split(',')
  const measured: Measured[] = Object.entries(looks)
    .filter(([name]) => !wanted || wanted.some((one) => name.includes(one)))
    .flatMap(([look, { for: people }]) => people.map((who) => ({ who, look, seen: new Map<Step, Seen[]>() })))
  const signedIn = { root: await signInto(site, VISITORS.root), user: await signInto(site, VISITORS.user) }
  for (let round = 0; round < rounds; round += 1)
    for (const { who, look, seen } of measured) {
      const note = (step: Step, each: Seen) => seen.set(step, [...(seen.get(step) ?? []), each])
      try {
        await visit(browser, site, { ...looks[look]!, signedIn: signedIn[who] }, note)
      } catch (error) {
        throw new Error(`${look}, ${who}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      }
    }
  return measured
}

async function visit(
  browser: Browser,
  site: string,
  { path, rows, paged, filter, signedIn }: Look & { signedIn: SignedIn },
  note: (step: Step, seen: Seen) => void,
): Promise<void> {
  // A context of its own has nothing cached.
  const { page: tab, close } = await browser.open('about:blank', { storage: { user: signedIn.user } })
  try {
    await tab.context().addCookies(signedIn.cookies)
    await watched(tab)
    note('opened, nothing cached', await opened(tab, site + path, rows))
    note('opened again', await opened(tab, site + path, rows))
    if (!paged) return
    note('next page', await changed(tab, { query: { page: '2' } }, rows))
    if (filter) note('filter', await changed(tab, { query: { ...filter, page: '1' } }, rows))
    await opened(tab, site + path, rows)
    await slowed(tab, SLOWED, async () => {
      const more = await changed(tab, { pageSize: 100 }, rows)
      const next = await changed(tab, { query: { page: '2' } }, rows)
      note('100 rows, slowed', more.task_ms > next.task_ms ? more : next)
    })
  } finally {
    await close()
  }
}

function page(measured: Measured[], loadBefore: number): string {
  const cell = (seen: Seen[], field: keyof Seen) => {
    const { median, max } = medianOf(seen, field)
    return max === median ? ms(median) : `${ms(median)} (${ms(max)})`
  }
  const figures = [
    ['screen, who, what', 'first rows, ms', 'bound', 'longest task, ms', 'bound'],
    ...measured.flatMap(({ who, look, seen }) =>
      [...seen].map(([step, each]) => {
        const { rows, task } = bounds(step)
        return [
          `${look}, ${who}: ${step}`,
          cell(each, 'rows_ms'),
          rows ? ms(rows) : '-',
          cell(each, 'task_ms'),
          ms(task),
        ]
      }),
    ),
  ]
  const { users, channels, logs } = size
  const many = (count: number) => count.toLocaleString('en')
  return [
    table(figures),
    barLines(bars(measured)),
    `${many(users)} users, ${many(channels)} channels, ${many(logs)} log rows of a month, a third of them of the user; SQLite. Headless Chromium, 1280 × 800. Median of ${rounds} (largest). Times of opening count from the navigation, those of the rest from the act, to the frame after the first rows are drawn; the longest task is of the main thread until 300 ms later, and browsers report none below 50 ms. "Slowed": the processor ${SLOWED} times as slow, from 10 rows to 100, and then the next 100. Gateway, database and browser shared both cores. The machine's load was ${loadBefore.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after${loadBefore > 1 ? ': others worked on it, too' : ''}.`,
    `Machine: ${machine()}.\nTo repeat: \`npx tsx test/bench/console.ts --rounds ${rounds} --write\``,
  ].join('\n\n')
}

function bars(measured: Measured[]): Bar[] {
  const all = measured.flatMap(({ who, look, seen }) =>
    [...seen].map(([step, each]) => ({ what: `${look}, ${who}: ${step}`, step, each, ...bounds(step) })),
  )
  const bar = (name: string, field: keyof Seen, some: typeof all, most: number): Bar => {
    const figures = some.map(({ what, each }) => ({ what, value: medianOf(each, field).median }))
    const above = figures.filter(({ value }) => value > most)
    const worst = figures.reduce((a, b) => (b.value > a.value ? b : a), { what: 'nothing', value: 0 })
    return {
      name: `${name} at most ${most} ms`,
      holds: some.length === 0 ? undefined : above.length === 0,
      measured:
        above.length === 0
          ? `longest is "${worst.what}", ${ms(worst.value)} ms`
          : `above: ${above.map(({ what, value }) => `"${what}" ${ms(value)} ms`).join(', ')}`,
    }
  }
  const plain = all.filter(({ rows }) => rows !== undefined)
  const slow = all.filter(({ rows }) => rows === undefined)
  return [
    bar('first rows', 'rows_ms', plain, MOST_ROWS_MS),
    bar('longest task', 'task_ms', plain, MOST_TASK_MS),
    bar(`longest task of 100 rows, ${SLOWED} times slowed,`, 'task_ms', slow, MOST_SLOWED_TASK_MS),
  ]
}
