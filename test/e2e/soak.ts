// A long mixed load on a built Weir: npx tsx test/e2e/soak.ts --minutes 30 --rate 25 --database sqlite|postgres
import { parseArgs } from 'node:util'
import { databaseOfScript } from '../support/postgres-server.ts'
import { soak, type Sample } from '../support/soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '25' },
    database: { type: 'string', default: 'sqlite' },
  },
})
/** Until then caches fill and the garbage collector finds its size. */
const WARM_MINUTES = 5
const ALLOWED = 0.1

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
  say(`minute ${minute + 1}: ${median(sizes)} MiB (${range}), ${percent(cpu)} of a core, ${JSON.stringify(ended)}`)
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

const { database, stop } = await databaseOfScript(values.database)
const { ended, problems } = await soak({
  seconds: Number(values.minutes) * 60,
  rate: Number(values.rate),
  sample_seconds: 1,
  chance: Math.random,
  each,
  ...(database ? { database } : {}),
})
await stop()
sayMinute(minutes.length - 1, ended)
const medians = minutes.slice(WARM_MINUTES).map((samples) => median(samples.map(({ resident_mib }) => resident_mib)))
if (medians.length > 1) {
  const [first = 0] = medians
  const growth = Math.max(...medians) / first - 1
  say(
    `Behind minute ${WARM_MINUTES}: medians ${medians.join(', ')} MiB; the largest is ${percent(growth)} above the first`,
  )
  if (growth > ALLOWED) problems.push(`memory grew by ${percent(growth)}`)
}
for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? 'all is well' : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1
