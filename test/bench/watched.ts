// What it costs to watch a Weir: metrics that are scraped with access lines, and traces of a tenth of all calls, beside one that
// nobody watches, in the same minutes. npx tsx test/bench/watched.ts [--rounds 5] [--write], after `npm run build`
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { percent, spread, type Bar, type Measured } from './bars.ts'
import { GATEWAY_CORE, guarded } from './processes.ts'
import { report } from './report.ts'
import { measure, suites, type Run, type Suite } from './suites.ts'
import type { Target } from './targets.ts'
import { install, serve } from './weir.ts'
import { openWorld, type World } from './world.ts'

const NOBODY = 'Weir'
const METRICS = 'Weir, metrics and access lines'
const TRACES = 'Weir, traces of a tenth'
/** The same as the first, last in each round: what differs between the two is the machine's and the order's doing. */
const AGAIN = 'Weir again'
/** The most that each may cost. */
const ALLOWED = { [METRICS]: 0.03, [TRACES]: 0.05, [AGAIN]: 0.03 }
const SCRAPE_MS = 5_000
const RESULTS = new URL('WATCHED.md', import.meta.url)

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, write: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)

await guarded(async () => {
  const world = await openWorld()
  const received = { bytes: 0, scrapes: 0 }
  const collector = createServer((request, reply) => {
    request.on('data', (chunk: Buffer) => (received.bytes += chunk.length)).on('end', () => reply.end())
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const port = await freePort()
  const scraping = setInterval(() => {
    void fetch(`http://127.0.0.1:${port}/metrics`)
      .then((answer) => answer.text())
      .then(() => (received.scrapes += 1))
      .catch(() => undefined)
  }, SCRAPE_MS)
  const targets = [
    await target(world, NOBODY, () => ({})),
    await target(world, METRICS, (data) => ({
      more: ['--metrics-port', String(port), '--access-log', join(data, 'access.log')],
    })),
    await target(world, TRACES, () => ({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
        ...{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
        ...{ OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
      },
    })),
    await target(world, AGAIN, () => ({})),
  ]
  // Processes of one build differ by more than what is looked for: each round has its own.
  const { rate, json } = suites({ quick: false })
  const freshSuites = [rate, json].map((suite): Suite => ({ ...suite, fresh: true }))
  const measured: Measured = new Map()
  for (const suite of freshSuites) measured.set(suite.name, await measure(world, suite, targets, { rounds }))
  clearInterval(scraping)
  collector.close()
  const notes = [`${received.scrapes} scrapes, ${Math.round(received.bytes / 1024)} KiB of traces`]
  const command = ['npx tsx test/bench/watched.ts', ...process.argv.slice(2).filter((each) => each !== '--write')].join(
    ' ',
  )
  const text = report({ suites: freshSuites, measured, bars: barsOf(measured), notes, command, rounds })
  process.stdout.write(`\n${text}\n`)
  if (values.write) await writeFile(RESULTS, `# What it costs to watch a Weir\n\n${text}\n`)
})

async function target(
  world: World,
  name: string,
  watch: (data: string) => { more?: string[]; env?: Record<string, string> },
): Promise<Target> {
  const installation = await install(name.replace(/\W+/g, '-'), world.provider.url)
  return {
    name,
    async open() {
      const child = await serve(installation, GATEWAY_CORE, watch(installation.data))
      return { address: child.address, child }
    },
  }
}

/** CPU of a call, beside one that nobody watches: of the medians, and of each round by itself. */
function barsOf(measured: Measured): Bar[] {
  return [...measured].flatMap(([suite, runs]) =>
    Object.entries(ALLOWED).map(([name, allowed]) => {
      const of = (target: string): Run[] => runs.get(target) ?? []
      const median = (target: string) => spread(of(target).map(({ cpu_us }) => cpu_us)).median
      const more = median(name) / median(NOBODY) - 1
      const pairs = spread(of(name).map(({ cpu_us }, round) => cpu_us / (of(NOBODY)[round]?.cpu_us ?? Number.NaN) - 1))
      return {
        name: `${suite}: ${name} cost at most ${percent(allowed)} of a call's CPU`,
        holds: more <= allowed,
        measured: `${percent(more)} (rounds ${percent(pairs.min)} to ${percent(pairs.max)})`,
      }
    }),
  )
}
