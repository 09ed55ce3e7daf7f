// Does a call cost the same however much there is? The same load on small and on full databases, in turn.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { percent, spread, type Bar, type Measured } from './bars.ts'
import { fill, type Size } from './fill.ts'
import { GATEWAY_CORE, temporaryFolder } from './processes.ts'
import { measure, suites, type Run, type Suite } from './suites.ts'
import { weir } from './targets.ts'
import { install } from './weir.ts'
import type { World } from './world.ts'

export interface ScaleResult {
  suites: Suite[]
  measured: Measured
  bars: Bar[]
}

interface Options {
  rounds: number
  quick: boolean
  log(line: string): void
}

const SMALL: Size = { channels: 10, users: 1_000, logs: 0 }
/** As many callers are busy at every size; their keys lie all over the table. */
const BUSY_CALLERS = 1_000
const MOST_RESIDENT_MB = 500
const FLAT_WITHIN = 0.1

export async function measureScale(world: World, { rounds, quick, log }: Options): Promise<ScaleResult> {
  const large: Record<string, Size> = quick
    ? {
        '1,000 channels': { ...SMALL, channels: 1_000 },
        '50,000 users': { ...SMALL, users: 50_000 },
        '200,000 log rows': { ...SMALL, logs: 200_000 },
      }
    : {
        '10,000 channels': { ...SMALL, channels: 10_000 },
        '1,000,000 users and tokens': { ...SMALL, users: 1_000_000 },
        '10,000,000 log rows': { ...SMALL, logs: 10_000_000 },
      }
  const sizes = Object.entries({ small: SMALL, ...large })
  const targets = []
  for (const [name, size] of sizes) {
    const began = Date.now()
    const installation = await install('scale', world.provider.url, { channels: 1 })
    const keys = await fill(installation, size, { busy: BUSY_CALLERS, providerUrl: world.provider.url })
    log(`filled ${name} in ${Math.round((Date.now() - began) / 1000)} s`)
    targets.push(weir(name, { ...installation, key: await inTurn(keys) }, GATEWAY_CORE))
  }
  const { json } = suites({ quick })
  const suite: Suite = {
    ...json,
    name: 'scale',
    title: `JSON as above, ${BUSY_CALLERS.toLocaleString('en')} callers in turn; small is 10 channels, 1,000 users and tokens, no log rows`,
  }
  const runs = await measure(world, suite, targets, { rounds })
  return { suites: [suite], measured: new Map([[suite.name, runs]]), bars: flatBars(runs) }
}

/** These keys, one after the other, as the load takes them. */
export async function inTurn(keys: readonly string[]): Promise<string> {
  const file = join(await temporaryFolder('keys'), 'keys')
  await writeFile(file, `${keys.join('\n')}\n`)
  return `@${file}`
}

function flatBars(runs: Map<string, Run[]>): Bar[] {
  const costs = (name: string) => (runs.get(name) ?? []).map((run) => run.cpu_us)
  const small = costs('small')
  return [...runs.keys()]
    .filter((name) => name !== 'small')
    .flatMap((name): Bar[] => {
      const own = costs(name)
      const ratio = spread(own).median / spread(small).median
      const pairs = spread(own.map((cost, round) => cost / (small[round] ?? Number.NaN)))
      const resident = Math.max(...(runs.get(name) ?? []).map((run) => run.resident_mb))
      const lost = (runs.get(name) ?? []).reduce((sum, run) => sum + run.lost, 0)
      return [
        {
          name: `${name}: a call costs the same within 10 %`,
          holds: ratio <= 1 + FLAT_WITHIN && lost === 0,
          measured: `${percent(ratio)} of the CPU (rounds ${percent(pairs.min)} to ${percent(pairs.max)})${lost > 0 ? `, ${lost} calls lost` : ''}`,
        },
        {
          name: `${name}: less than ${MOST_RESIDENT_MB} MiB resident`,
          holds: resident < MOST_RESIDENT_MB,
          measured: `${Math.round(resident)} MiB`,
        },
      ]
    })
}
