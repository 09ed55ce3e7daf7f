// The server that test/attacks/neighbour.ts attacks, in a separate process. It reports how busy its event loop was.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { openTestGateway } from '../support/gateway.ts'

/** Ms so far. */
export interface Busy {
  loop: number
  cpu: number
}

export interface Served {
  url: string
  /** Keys. */
  poor: string
  disabled: string
  rich: string
}

const [database] = process.argv.slice(2)
const weir = await openTestGateway(database ? { database } : {})
await weir.addChannel()
const [poor, disabled, rich] = [
  await weir.addCaller({ quota: 0 }),
  await weir.addCaller({ quota: 1_000_000 }),
  await weir.addCaller({ quota: 1_000_000 }),
]
await weir.gateway.ports.storage.tokens.update(disabled.token.id, { status: 2 })
await weir.gateway.ports.storage.announce({ topic: 'tokens', id: disabled.token.id })
/** What the loop's own thread took of a processor, in ms: without the threads that hash; elsewhere than on Linux with them. */
function processorTime(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** The loop's time, or the processor's, where the machine had other work meanwhile: whichever is less. */
process.on('message', () => {
  process.send?.({ loop: performance.eventLoopUtilization().active, cpu: processorTime() } satisfies Busy)
})
process.on('disconnect', () => void weir.close())
process.send?.({ url: weir.url, poor: poor.key, disabled: disabled.key, rich: rich.key } satisfies Served)
