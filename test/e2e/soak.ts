// A long mixed load on a built Weir: npx tsx test/e2e/soak.ts --minutes 30 --rate 25 --database sqlite|postgres
// With --watched metrics, traces, access lines and retention are on: --minutes 120 --rate 150 --watched
import { parseArgs } from 'node:util'
import { databaseOfScript } from '../support/postgres-server.ts'
import { soak, type Sample } from '../support/soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '25' },
    database: { type: 'string', default: 'sqlite' },
    watched: { type: 'boolean', default: false },
  },
})
/** Until then caches fill and the garbage collector finds its size. */
const WARM_MINUTES = values.watched ? 10 : 5
const ALLOWED = 0.1
/** Descriptors follow the calls that are open; the write-ahead log is as long as its checkpoints let it. */
const ALLOWED_OF_BURSTS = 0.5

const say = (line: string) => process.stdout.write(`${line}\n`)
const minutes: Sample[][] = []

/** Every minute a line: the median of its samples. */
function each(sample: Sample, ended: Record<string, number>): void {
  const minute = Math.floor(sample.seconds / 60)
  if (minute === minutes.length) {
    if (minute > 0) sayMinute(minute - 1, ended)
    minutes.push([])
  }
  minutes[minute]?.push(sample)
}

function sayMinute(minute: number, ended: Record<string, number>): void {
  const samples = minutes[minute] ?? []
  const sizes = samples.map(({ resident_mib }) => resident_mib)
  const cpu = ((samples.at(-1)?.cpu_seconds ?? 0) - (samples[0]?.cpu_seconds ?? 0)) / (samples.length - 1)
  const range = `${Math.min(...sizes)} to ${Math.max(...sizes)}`
  const files = (['database_mib', 'wal_mib', 'other_mib'] as const).map((part) => greatest(samples, part)).join(' + ')
  say(
    `minute ${minute + 1}: ${median(sizes)} MiB (${range}), ${percent(cpu)} of a core, ${greatest(samples, 'descriptors')} descriptors, ${files} MiB of files, ${JSON.stringify(ended)}`,
  )
}

const greatest = (samples: Sample[], part: keyof Sample) => Math.max(...samples.map((sample) => sample[part]))
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

const { database, stop } = await databaseOfScript(values.database)
const { ended, problems, samples, watched } = await soak({
  seconds: Number(values.minutes) * 60,
  rate: Number(values.rate),
  sample_seconds: 1,
  chance: Math.random,
  each,
  watched: values.watched,
  ...(database ? { database } : {}),
})
await stop()
sayMinute(minutes.length - 1, ended)
if (watched) say(`What watched it: ${JSON.stringify(watched)}`)
flat('memory, MiB', (minute) => median(minute.map(({ resident_mib }) => resident_mib)), ALLOWED)
flat('descriptors', (minute) => median(minute.map(({ descriptors }) => descriptors)), ALLOWED_OF_BURSTS)
flat('write-ahead log, MiB', (minute) => greatest(minute, 'wal_mib'), ALLOWED_OF_BURSTS)
sayGrowth()

/** Says how a figure went behind the first minutes, and whether it grew. */
function flat(what: string, of: (minute: Sample[]) => number, allowed: number): void {
  const [first = 0, ...later] = minutes.slice(WARM_MINUTES).map(of)
  if (later.length === 0) return
  const growth = Math.max(...later) / first - 1
  say(
    `${what}, behind minute ${WARM_MINUTES}: ${first} at first, at most ${percent(growth)} above it, ${later.at(-1)} at last`,
  )
  if (growth > allowed) problems.push(`${what} grew by ${percent(growth)}`)
}

/** The ledger is kept for ever: its file grows by the calls, and by nothing else. */
function sayGrowth(): void {
  const [first] = minutes[WARM_MINUTES] ?? []
  const last = samples.at(-1)
  if (!first || !last) return
  const calls = (last.seconds - first.seconds) * Number(values.rate)
  const each = (part: 'database_mib' | 'other_mib') => Math.round(((last[part] - first[part]) * 1024 * 1024) / calls)
  say(`Files grew by ${each('database_mib')} bytes a call in the database, by ${each('other_mib')} beside it`)
}

for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? 'all is well' : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1
