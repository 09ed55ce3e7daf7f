// Compares Weir with a bare pass-through, other gateways and the bare connection, and reports which limits hold. See
// README.md in this folder.
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bars, type Measured } from './bars.ts'
import { startPostgres, type PostgresServer } from './postgres.ts'
import { BOTH_CORES, GATEWAY_CORE, guarded } from './processes.ts'
import { fewCallers } from './fill.ts'
import { profile } from './profile.ts'
import { report } from './report.ts'
import { measureRest } from './rest.ts'
import { inTurn, measureScale, type ScaleResult } from './scale.ts'
import { measure, suites, type Suite, type SuiteName } from './suites.ts'
import {
  direct,
  floor,
  manyAccounts,
  nginx,
  passThrough,
  portkey,
  weir,
  WEIR,
  WEIR_BEFORE,
  WEIR_ONE_WORKER,
  WEIR_POSTGRES,
  WEIR_POSTGRES_BEFORE,
  WEIR_TWICE,
  workers,
  weirApart,
  WEIR_FOUR_TIMES,
  type Target,
} from './targets.ts'
import { build, install, serve, type Installation } from './weir.ts'
import { openWorld, type World } from './world.ts'

const RESULTS = new URL('RESULTS.md', import.meta.url)
const NAMES = [
  ...(['json', 's50', 's500', 'big', 'agent', 'agent1m', 'toMessages', 'toChat'] as const),
  ...(['neighbour', 'rate', 'slow', 'held', 'rest', 'scale'] as const),
]

const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    database: { type: 'string' },
    workers: { type: 'string' },
    before: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
if (options.all) Object.assign(options, { peers: true, database: 'postgres', workers: '2,4', write: true })
const { quick } = options
const rounds = Number(options.rounds ?? (quick ? 1 : 5))
/** The sizes of `scale` take long to fill, so they run only when asked for. */
const wanted = options.only?.split(',') ?? NAMES.filter((name) => name !== 'scale' || options.all)
const unknown = wanted.filter((name) => !(NAMES as readonly string[]).includes(name))
if (unknown.length > 0 || !(rounds >= 1)) {
  process.stderr.write(
    `Unknown: ${unknown.join(', ') || `--rounds ${options.rounds}`}. --only takes ${NAMES.join(',')}\n`,
  )
  process.exit(2)
}
const command = ['npm run bench --', ...process.argv.slice(2).filter((each) => each !== '--write')].join(' ')
const all = suites({ quick })
const chosen = wanted.filter((name): name is SuiteName => name in all).map((name) => all[name])

/** Held streams take long and differ little. */
const roundsOf = (suite: Suite): number => (suite.fresh ? Math.min(rounds, 2) : rounds)

/** Where the promises are measured alone. */
const WITH_FLOOR: ReadonlySet<string> = new Set<SuiteName>(['json', 's50', 'big', 'agent', 'agent1m', 'rate', 'slow'])

const DUO: Suite = {
  ...all.json,
  name: 'duo',
  title:
    'JSON as above, nothing pinned: gateway, database, provider and load share both cores; ' +
    'twice and four times are so many gateways with a database each, which share nothing else',
}

await guarded(async () => {
  if (!options['no-build']) build()
  const world = await openWorld()
  if (options.profile) return profileAll(world)
  const notes: string[] = []
  const measured: Measured = new Map()
  const postgres = options.database === 'postgres' ? await startPostgres() : undefined
  /** What cannot be measured here leaves the rest alone. */
  async function attempted<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      notes.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      process.stderr.write(`${notes.at(-1)}\n`)
      return undefined
    }
  }
  if (chosen.length > 0) await measureTargets(world, postgres, measured, notes)
  if (options.workers) await attempted('workers', () => measureWorkers(world, measured, notes))
  const scale: ScaleResult | undefined = wanted.includes('scale')
    ? await attempted('scale', () =>
        measureScale(world, { rounds, quick, log: (line) => process.stderr.write(`${line}\n`) }),
      )
    : undefined
  const rest = wanted.includes('rest')
    ? await attempted('rest', async () => measureRest(await install('rest', world.provider.url)))
    : undefined
  const shown = [...chosen, ...(measured.has(DUO.name) ? [DUO] : [])]
  const text = report({
    suites: [...shown, ...(scale?.suites ?? [])],
    measured: new Map([...measured, ...(scale?.measured ?? [])]),
    bars: [...bars(measured), ...(rest ?? []), ...(scale?.bars ?? [])],
    notes,
    command,
    rounds,
  })
  process.stdout.write(`\n${text}\n`)
  if (options.write) await writeFile(RESULTS, `# Results of the benchmark\n\n${text}\n`)
})

async function measureTargets(
  world: World,
  postgres: PostgresServer | undefined,
  measured: Measured,
  notes: string[],
): Promise<void> {
  const installation = await install('weir', world.provider.url)
  const ours = weir(WEIR, installation)
  const proxy = await nginx(world)
  if (!proxy) notes.push('nginx: not installed on this machine')
  const bare = floor(world, await install('floor', world.provider.url))
  const base: Target[] = [direct(world), passThrough(world), ours, ...(proxy ? [proxy] : [])]
  const peer = options.peers
    ? await portkey(world).catch((error: unknown) => void notes.push(`Portkey: not installed (${String(error)})`))
    : undefined
  const before = options.before ? await weirBefore(options.before, world, postgres) : []
  // A gateway that starts later does up to a fifth better on the same code, so that ours starts before and after the other.
  const again = options.before ? weir(WEIR, await install('again', world.provider.url)) : undefined
  const onPostgres = postgres
    ? weir(WEIR_POSTGRES, await install('weir-pg', world.provider.url, { database: await postgres.database('bench') }))
    : undefined
  for (const suite of chosen) {
    // The peer breaks every stream as it is installed, so it is measured where its bar is.
    const beside =
      suite.name === 'json' ? [onPostgres, ...before, again, peer].filter((each) => each !== undefined) : []
    const more = WITH_FLOOR.has(suite.name) ? [bare, ...beside] : beside
    measured.set(suite.name, await measure(world, suite, [...base, ...more], { rounds: roundsOf(suite) }))
  }
}

/** Another checkout, built: set up and run by its own code, in the same minutes. */
async function weirBefore(folder: string, world: World, postgres: PostgresServer | undefined): Promise<Target[]> {
  const file = pathToFileURL(join(resolve(folder), 'test', 'bench', 'weir.ts')).href
  const theirs = (await import(file)) as typeof import('./weir.ts')
  const target = async (name: string, place: { database?: string }): Promise<Target> => {
    const installation = await theirs.install('before', world.provider.url, place)
    return {
      name,
      async open() {
        const child = await theirs.serve(installation, GATEWAY_CORE)
        return { address: child.address, child }
      },
    }
  }
  return [
    await target(WEIR_BEFORE, {}),
    ...(postgres ? [await target(WEIR_POSTGRES_BEFORE, { database: await postgres.database('before') })] : []),
  ]
}

async function measureWorkers(world: World, measured: Measured, notes: string[]): Promise<void> {
  const postgres = await startPostgres(BOTH_CORES)
  const installation = await install('workers', world.provider.url, { database: await postgres.database('workers') })
  const counts = String(options.workers).split(',')
  const flag = (count: string) => ['--workers', count]
  const refused = await refuses(installation, flag(counts[0] ?? '2'))
  if (refused) return void notes.push(`workers: not available (${refused})`)
  const apart = async (name: string) => install(name, world.provider.url, { database: await postgres.database(name) })
  const [first, second, third, fourth] = [
    await apart('first'),
    await apart('second'),
    await apart('third'),
    await apart('fourth'),
  ]
  const many = { ...installation, key: await inTurn(await fewCallers(installation, 32)) }
  const most = counts.at(-1) ?? '2'
  const targets = [
    weir(WEIR_ONE_WORKER, installation, BOTH_CORES),
    ...counts.map((count) => weir(workers(count), installation, BOTH_CORES, flag(count))),
    weir(manyAccounts(most), many, BOTH_CORES, flag(most)),
    weirApart(WEIR_TWICE, [first, second], BOTH_CORES),
    weirApart(WEIR_FOUR_TIMES, [first, second, third, fourth], BOTH_CORES),
  ]
  measured.set(DUO.name, await measure(world, DUO, targets, { rounds, cores: BOTH_CORES }))
}

/** Why Weir will not start like this; undefined when it does. */
async function refuses(installation: Installation, more: string[]): Promise<string | undefined> {
  try {
    const child = await serve(installation, BOTH_CORES, { more })
    await child.stop()
    return undefined
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n')[0]
  }
}

async function profileAll(world: World): Promise<void> {
  const postgres = options.database === 'postgres' ? await startPostgres() : undefined
  const place = postgres ? { database: await postgres.database('bench') } : {}
  const installation = await install('weir', world.provider.url, place)
  const list = options.only ? chosen : [all.json]
  for (const suite of list) process.stdout.write(`${await profile(world, suite, installation)}\n\n`)
}
