// The server that test/attacks/neighbour.ts attacks, in a process of its own: it tells how busy its loop was.
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
/** The loop's time, or the processor's, where the machine had other work meanwhile: whichever is less. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ loop: performance.eventLoopUtilization().active, cpu: (user + system) / 1000 } satisfies Busy)
})
process.on('disconnect', () => void weir.close())
process.send?.({ url: weir.url, poor: poor.key, disabled: disabled.key, rich: rich.key } satisfies Served)
