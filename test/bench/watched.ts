// Measures the cost of observing a Weir: metrics that are scraped with access log lines, and traces of a tenth of all
// calls. One process is observed and not observed in turns of a few seconds, because two processes of one build differ
// by more than the cost. The metrics of the runtime itself (delay of the event loop, garbage collections) are always
// on.
//
//   npx tsx test/bench/watched.ts [--rounds 15] [--write], after `npm run build`
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { percent, spread, type Bar } from './bars.ts'
import { GATEWAY_CORE, guarded, listening, start } from './processes.ts'
import { barLines, machine, table } from './report.ts'
import { suites, type Suite } from './suites.ts'
import { install } from './weir.ts'
import { openWorld, type Address, type World } from './world.ts'

/** Who watches, in turns, and what it may cost. The last is what chance makes of nobody. */
const WATCHERS = [
  { who: 'nobody', name: 'nobody' },
  { who: 'metrics', name: 'metrics and access lines', allowed: 0.03 },
  { who: 'traces', name: 'traces of a tenth', allowed: 0.05 },
  { who: 'again', name: 'nobody again', allowed: 0.03 },
] as const
type Who = (typeof WATCHERS)[number]['who']

const SCRAPE_MS = 5_000
/** What was watched before is written by then. */
const SETTLE_SECONDS = 1
const PAGE = new URL('WATCHED.md', import.meta.url)

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, write: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)

interface Watched {
  address: Address
  /** Sets who watches; gives the µs of CPU used so far. */
  by(who: Who): Promise<number>
  /** The same, who watches stays. */
  used(): Promise<number>
}

/** µs of CPU a call, of each round. */
type Figures = Record<Who, number[]>

await guarded(async () => {
  const world = await openWorld()
  const before = loadavg()[0] ?? 0
  const received = { bytes: 0, scrapes: 0 }
  const collector = createServer((request, reply) => {
    request.on('data', (chunk: Buffer) => (received.bytes += chunk.length)).on('end', () => reply.end())
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const metricsPort = await freePort()
  let scraped = false
  const scraping = setInterval(() => {
    if (!scraped) return
    void fetch(`http://127.0.0.1:${metricsPort}/metrics`)
      .then((answer) => answer.text())
      .then(() => (received.scrapes += 1))
      .catch(() => undefined)
  }, SCRAPE_MS)
  const watched = await serveWatched(world, metricsPort, (collector.address() as AddressInfo).port)
  const { rate, json } = suites({ quick: false })
  const measured: [Suite, Figures][] = []
  for (const suite of [rate, json]) {
    const figures: Figures = { nobody: [], metrics: [], traces: [], again: [] }
    // Round 0 warms up.
    for (let round = 0; round <= rounds; round += 1)
      for (const { who, name } of turned(round)) {
        scraped = who === 'metrics'
        await watched.by(who)
        await world.load({ ...suite.load, seconds: SETTLE_SECONDS }, watched.address)
        const began = await watched.used()
        const { calls } = await world.load(suite.load, watched.address)
        const each = ((await watched.used()) - began) / calls
        if (round > 0) figures[who].push(each)
        process.stderr.write(`${suite.name} ${round}/${rounds} ${name}: ${each.toFixed(1)} µs\n`)
      }
    measured.push([suite, figures])
  }
  clearInterval(scraping)
  collector.close()
  const text = page(measured, `${received.scrapes} scrapes, ${Math.round(received.bytes / 1024)} KiB of traces`, before)
  process.stdout.write(`\n${text}\n`)
  if (values.write) await writeFile(PAGE, `# What it costs to watch a Weir\n\n${text}\n`)
})

/** Each comes first, second, third and last as often. */
function turned(round: number) {
  return WATCHERS.map((_, at) => WATCHERS[(at + round) % WATCHERS.length]!)
}

async function serveWatched(world: World, metricsPort: number, collectorPort: number): Promise<Watched> {
  const { data, key } = await install('watched', world.provider.url)
  const [port, told] = [await freePort(), await freePort()]
  const script = fileURLToPath(new URL('watched-gateway.ts', import.meta.url))
  const command = [process.execPath, '--import', 'tsx', script, data, port, metricsPort, told].map(String)
  const child = start(GATEWAY_CORE, command, {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
      ...{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      ...{ OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
    },
  })
  await listening(port, child)
  const tell = async (who: string) => Number(await (await fetch(`http://127.0.0.1:${told}/${who}`)).text())
  return { address: { port, key }, by: tell, used: () => tell('') }
}

function page(measured: [Suite, Figures][], note: string, loadBefore: number): string {
  const us = (value: number) => value.toFixed(1)
  const cost = (of: Figures, who: Who) =>
    of[who].map((each, round) => each / ((of.nobody[round] ?? Number.NaN) as number) - 1)
  const rows = measured.flatMap(([suite, of]) =>
    WATCHERS.map(({ who, name }) => {
      const { median, min, max } = spread(of[who])
      return [`${suite.name}: ${name}`, `${us(median)} (${us(min)}-${us(max)})`, percent(spread(cost(of, who)).median)]
    }),
  )
  const bars = measured.flatMap(([suite, of]) =>
    WATCHERS.flatMap((watcher): Bar[] => {
      if (!('allowed' in watcher)) return []
      const { median, min, max } = spread(cost(of, watcher.who))
      return [
        {
          name: `${suite.name}: ${watcher.name} cost at most ${percent(watcher.allowed)} of a call's CPU`,
          holds: median <= watcher.allowed,
          measured: `${percent(median)} (rounds ${percent(min)} to ${percent(max)})`,
        },
      ]
    }),
  )
  return [
    table([['run', 'CPU µs a call', 'more than nobody'], ...rows]),
    barLines(bars),
    [...measured.map(([{ name, title }]) => `- ${name}: ${title}`), `- ${note}`].join('\n'),
    `Figures are medians of ${rounds} rounds (smallest to largest); "more" is the median of the rounds. One process, watched in turns. The gateway had core 0; provider and load had core 1. The machine's load was ${loadBefore.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after.`,
    `Machine: ${machine()}.\nTo repeat: \`npx tsx test/bench/watched.ts --write\``,
  ].join('\n\n')
}
