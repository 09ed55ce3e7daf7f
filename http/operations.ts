// What operators' programs are told of a running `weir serve`, by one process or by several.
import { joinMeasured, type Config, type Gateway, type MeasuredMetrics } from '../core/index.ts'
import { startMetricsServer, type MetricsServer, type TellMetrics } from './metrics.ts'
import { getReadiness, type Readiness, type Ready } from './probes.ts'
import { createWorkerLine, type Question } from './worker-line.ts'
import { isWorker, type Workers } from './workers.ts'

export interface Operations {
  /** Of the port; empty where there is none. */
  url: string
  readiness: Readiness
  /** Of a worker: what all workers have measured. */
  metrics?: TellMetrics
  /** Of the process that starts workers: these are asked from now on. */
  of<Asked extends Pick<Workers, 'ask'>>(workers: Asked): Asked
  close(): Promise<void>
}

/**
 * Before the process is ready: metrics and probes on their own port, where the configuration names one. A worker has none;
 * it answers the process that started it.
 * @param gateway missing in the process that starts workers
 * @throws StartError when the port cannot be had
 */
export async function startOperations(config: Config, gateway?: Gateway): Promise<Operations> {
  const readiness: Readiness = { stage: 'starting' }
  let workers: Pick<Workers, 'ask'> | undefined
  let server: MetricsServer | undefined
  let metrics: TellMetrics | undefined
  if (gateway && config.metrics_port !== undefined) await gateway.metrics.start()
  if (isWorker && gateway) {
    const answers: Record<Question, () => unknown> = {
      metrics: gateway.metrics.measured,
      ready: () => getReadiness(readiness, gateway),
    }
    const line = createWorkerLine(process, async (question) => answers[question]())
    metrics = async () => joinMeasured(((await line.ask('metrics')) as MeasuredMetrics[] | undefined) ?? [])
  } else if (config.metrics_port !== undefined) {
    const { metrics: own, ports } = gateway ?? {}
    server = await startMetricsServer(config, {
      ready: async () => (own ? getReadiness(readiness, gateway) : readyOfAll(readiness, workers)),
      tell: async () => (own ? own.text() : joinMeasured(((await workers?.ask('metrics')) ?? []) as MeasuredMetrics[])),
      failed: (error) => ports?.logger.error('metrics could not be told', { error: String(error) }),
    })
  }
  return {
    url: server?.url ?? '',
    readiness,
    ...(metrics ? { metrics } : {}),
    of(started) {
      workers = started
      readiness.stage = 'ready'
      return started
    },
    close: async () => server?.close(),
  }
}

/** One worker that takes calls is enough. */
async function readyOfAll(readiness: Readiness, workers: Pick<Workers, 'ask'> | undefined): Promise<Ready> {
  if (!workers || readiness.stage !== 'ready') return readiness.stage
  const said = (await workers.ask('ready')) as Ready[]
  return said.includes('ready') ? 'ready' : (said[0] ?? 'starting')
}
