// Measures an idle Weir: its CPU from the start to the first answer, and its memory at rest.
import { setTimeout as sleep } from 'node:timers/promises'
import { percent, spread, type Bar } from './bars.ts'
import { GATEWAY_CORE, usageOf } from './processes.ts'
import { serve, type Installation } from './weir.ts'
import { chatBody, checkOnce } from './world.ts'

const STARTS = 3
/** The memory of the start is given back by then, in ms. */
const RESTED_MS = 12_000
const MOST_CPU_S = 1.2
const MOST_MIB = 110

/** Of an installation that is in use no more. */
export async function measureRest(installation: Installation): Promise<Bar[]> {
  const cpu_s: number[] = []
  const mib: number[] = []
  for (let start = 1; start <= STARTS; start++) {
    const child = await serve(installation, GATEWAY_CORE)
    await checkOnce(child.address, { body: chatBody(1024, '') }, 0)
    cpu_s.push(usageOf(child.pid).cpu_us / 1e6)
    await sleep(RESTED_MS)
    mib.push(usageOf(child.pid).resident_mb)
    await child.stop()
  }
  return [
    bar(`at rest: less than ${MOST_MIB} MiB resident`, spread(mib).median, MOST_MIB, 'MiB'),
    bar(`start to first answer: at most ${MOST_CPU_S} s of CPU`, spread(cpu_s).median, MOST_CPU_S, 's'),
  ]
}

const bar = (name: string, value: number, most: number, unit: string): Bar => ({
  name,
  holds: value <= most,
  measured: `${value.toFixed(unit === 's' ? 2 : 0)} ${unit} (${percent(value / most)} of it)`,
})
