// Measures a log of a million rows: how fast each page of it is read, and whether a charge waits for a reader.
//
//   npx tsx test/bench/logs.ts [--rows 1000000] [--database sqlite|postgres] [--no-build] [--write]
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { WeirClient } from '../../core/contracts.ts'
import { createVisitor } from '../support/server.ts'
import { spread, type Bar } from './bars.ts'
import { addOwners, fillLogs, fillOwnFile, NAMES, OWNERS_PASSWORD } from './fill-logs.ts'
import { startPostgres } from './postgres.ts'
import { BOTH_CORES, guarded } from './processes.ts'
import { barLines, machine, table } from './report.ts'
import { build, install, ROOT_USER, serve, type Installation } from './weir.ts'
import { chatBody, openWorld, type LoadResult, type World } from './world.ts'

const PAGE = new URL('LOGS.md', import.meta.url)
const MOST_READ_MS = 300
const MOST_DELAY_MS = 50
const CALLS_PER_SECOND = 200

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const rounds = Number(options.rounds)

interface Readers {
  root: WeirClient
  heavy: WeirClient
  light: WeirClient
}

type Look = (readers: Readers) => Promise<unknown>

const day = 86_400
const now = Math.floor(Date.now() / 1000)
/** As much as a page can show. */
const page_size = 100

/** Filters of the page; each is asked for its first page and for the figures above it. */
const filters: Record<string, NonNullable<Parameters<WeirClient['logs']['stat']>[0]>> = {
  nothing: {},
  'a type on most rows': { type: 2 },
  'a rare type': { type: 3 },
  'a user with a third of the rows': { username: 'heavy' },
  'a user with a thousandth': { username: 'light' },
  'a user there is not': { username: 'nobody' },
  'a token name on many rows': { token_name: NAMES.token },
  'a rare token name': { token_name: NAMES.rareToken },
  'a model on many rows': { model_name: NAMES.model },
  'a rare model': { model_name: NAMES.rareModel },
  'a model there is not': { model_name: 'no such model' },
  'a channel on many rows': { channel: NAMES.channel },
  'a rare channel': { channel: NAMES.rareChannel },
  'a group on most rows': { group: NAMES.group },
  'a rare group': { group: NAMES.rareGroup },
  'the last day': { start_timestamp: now - day },
  'a day a month ago': { start_timestamp: now - 29 * day, end_timestamp: now - 28 * day },
  'a rare model of the heavy user, of ten days': {
    ...{ username: 'heavy', model_name: NAMES.rareModel },
    ...{ start_timestamp: now - 20 * day, end_timestamp: now - 10 * day },
  },
}
const own: typeof filters = {
  nothing: {},
  'a rare type': { type: 3 },
  'a rare token name': { token_name: NAMES.rareToken },
  'a rare model': { model_name: NAMES.rareModel },
  'a day a month ago': { start_timestamp: now - 29 * day, end_timestamp: now - 28 * day },
}

const looks: Record<string, Look> = {
  ...named('everybody', filters, ({ root }, filter) => [() => root.logs.list(filter), () => root.logs.stat(filter)]),
  ...named('heavy user', own, ({ heavy }, filter) => [
    () => heavy.logs.listSelf(filter),
    () => heavy.logs.statSelf(filter),
  ]),
  ...named('light user', own, ({ light }, filter) => [
    () => light.logs.listSelf(filter),
    () => light.logs.statSelf(filter),
  ]),
  'everybody, one request: page': ({ root }) => root.logs.list({ request_id: `20261101${1_000_000_000 + rows / 2}` }),
}
/** Whole tables of hours rather than pages: read while nobody is charged. */
const dashboards: Record<string, Look> = {
  'everybody, a month of hours for the dashboard': ({ root }) => root.usage.hours({ start_timestamp: now - 30 * day }),
  'heavy user, a month of hours for the dashboard': ({ heavy }) => heavy.usage.hoursSelf(),
  'everybody, a month of usage by model': ({ root }) => root.usage.query({ by: 'model' }),
  'everybody, a month of usage by model, with times': ({ root }) => root.usage.query({ by: 'model', times: 'true' }),
  'everybody, a month of usage by day and model': ({ root }) =>
    root.usage.query({ by: 'model', step: 'day', zone: 'Europe/Berlin' }),
  'everybody, a month of usage by channel': ({ root }) => root.usage.query({ by: 'channel' }),
  'everybody, a month of usage by user': ({ root }) => root.usage.query({ by: 'user' }),
  'heavy user, a month of usage by model': ({ heavy }) => heavy.usage.querySelf({ by: 'model' }),
}

function named(
  who: string,
  asked: typeof filters,
  ask: (readers: Readers, filter: object) => [() => Promise<unknown>, () => Promise<unknown>],
): Record<string, Look> {
  return Object.fromEntries(
    Object.entries(asked).flatMap(([what, filter]): [string, Look][] => [
      [`${who}, ${what}: page`, (readers) => ask(readers, { ...filter, page_size })[0]()],
      [`${who}, ${what}: figures`, (readers) => ask(readers, filter)[1]()],
    ]),
  )
}

interface Result {
  kind: string
  fill_s: number
  /** ms of each round. */
  reads: Map<string, number[]>
  alone: LoadResult
  beside: LoadResult
}

await guarded(async () => {
  if (!options['no-build']) build()
  const before = loadavg()[0] ?? 0
  const world = await openWorld()
  const results: Result[] = []
  if (options.database !== 'postgres')
    results.push(await measure(world, 'SQLite', await install('logs', world.provider.url)))
  if (options.database !== 'sqlite') {
    const database = await (await startPostgres(BOTH_CORES)).database('logs')
    results.push(await measure(world, 'PostgreSQL', await install('logs-pg', world.provider.url, { database })))
  }
  const text = page(results, before)
  process.stdout.write(`\n${text}\n`)
  if (options.write) await writeFile(PAGE, `# The usage log with ${rows.toLocaleString('en')} rows\n\n${text}\n`)
})

async function measure(world: World, kind: string, installation: Installation): Promise<Result> {
  const owners = await addOwners(installation)
  const fill_s = await fillLogs(installation, rows, owners)
  if (installation.database === undefined) await fillOwnFile(installation)
  process.stderr.write(`${kind}: filled in ${fill_s} s\n`)
  const child = await serve(installation, BOTH_CORES)
  try {
    const url = `http://127.0.0.1:${child.address.port}`
    const signedIn = async (username: string, password: string) => {
      const visitor = createVisitor(url)
      await visitor.login(username, password)
      return visitor.client
    }
    const readers = {
      root: await signedIn(ROOT_USER.username, ROOT_USER.password),
      heavy: await signedIn('heavy', OWNERS_PASSWORD),
      light: await signedIn('light', OWNERS_PASSWORD),
    }
    const charge = (seconds: number) =>
      world.load(
        { mode: 'rate', connections: 32, rate: CALLS_PER_SECOND, seconds, body: chatBody(1024, '') },
        child.address,
        BOTH_CORES,
      )
    // What is prepared at the first call is prepared.
    await charge(2)
    const alone = await charge(20)
    const reads = new Map<string, number[]>()
    let over = false
    async function read(what: string, look: Look, round: number): Promise<void> {
      const began = performance.now()
      await look(readers)
      if (round < rounds) reads.set(what, [...(reads.get(what) ?? []), performance.now() - began])
    }
    const reading = (async () => {
      for (let round = 0; round < rounds || !over; round += 1) {
        for (const [what, look] of Object.entries(looks)) {
          if (round >= rounds && over) return
          await read(what, look, round)
        }
      }
    })()
    const beside = await charge(40)
    over = true
    await reading
    for (let round = 0; round < rounds; round += 1) {
      for (const [what, look] of Object.entries(dashboards)) await read(what, look, round)
    }
    return { kind, fill_s, reads, alone, beside }
  } finally {
    await child.stop()
  }
}

function page(results: Result[], loadBefore: number): string {
  const ms = (value: number) => (value >= 10 ? Math.round(value).toString() : value.toFixed(1))
  const cell = ({ reads }: Result, what: string) => {
    const { median, max } = spread(reads.get(what) ?? [])
    return `${ms(median)} (${ms(max)})`
  }
  const reads = [
    ['read, ms: median (longest)', ...results.map(({ kind }) => kind)],
    ...Object.keys({ ...looks, ...dashboards }).map((what) => [what, ...results.map((result) => cell(result, what))]),
  ]
  const load = ({ calls, p50_ms, p99_ms, p999_ms, max_ms, errors, lost }: LoadResult) =>
    [calls, ms(p50_ms), ms(p99_ms), ms(p999_ms), ms(max_ms), errors + lost].map(String)
  const calls = [
    ['calls, ms', 'calls', 'p50', 'p99', 'p99.9', 'longest', 'failed'],
    ...results.flatMap(({ kind, alone, beside }) => [
      [`${kind}, nobody reads`, ...load(alone)],
      [`${kind}, beside the reads`, ...load(beside)],
    ]),
  ]
  return [
    table(reads),
    table(calls),
    barLines(results.flatMap(bars)),
    `Each call is charged and logged before it ends, ${CALLS_PER_SECOND} a second; reads follow one another without a pause, over HTTP, pages of ${page_size} rows, ${rounds} rounds. Gateway, database, provider, load and reader shared both cores. The machine's load was ${loadBefore.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after.`,
    `Machine: ${machine()}.\nTo repeat: \`npx tsx test/bench/logs.ts --write\``,
  ].join('\n\n')
}

function bars({ kind, reads, alone, beside }: Result): Bar[] {
  const medians = [...reads]
    .filter(([what]) => !what.includes('dashboard'))
    .map(([what, times]) => ({ what, ms: spread(times).median }))
  const slowest = medians.reduce((worst, each) => (each.ms > worst.ms ? each : worst))
  const delay = beside.max_ms - alone.max_ms
  return [
    {
      name: `${kind}: every first page and every figure in less than ${MOST_READ_MS} ms`,
      holds: slowest.ms < MOST_READ_MS,
      measured: `slowest is "${slowest.what}", ${Math.round(slowest.ms)} ms`,
    },
    {
      name: `${kind}: no charge is delayed by more than ${MOST_DELAY_MS} ms`,
      holds: delay <= MOST_DELAY_MS && beside.errors + beside.lost === 0,
      measured: `the longest call beside the reads took ${Math.round(beside.max_ms)} ms, the longest that nobody read beside ${Math.round(alone.max_ms)} ms`,
    },
  ]
}
