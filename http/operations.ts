// Metrics and probes of a running `weir serve`, with one process or several.
import { joinMeasured, type Config, type Gateway, type MeasuredMetrics } from '../core/index.ts'
import { startMetricsServer, type MetricsServer, type ReadAllMetrics } from './metrics.ts'
import { getReadiness, type ServerReadiness, type ReadinessState } from './probes.ts'
import { createWorkerLine, isWorker, type WorkerQuestion, type WorkerGroup } from './workers.ts'

export interface Operations {
  /** Address of the separate port; empty if there is none. */
  url: string
  readiness: ServerReadiness
  /** In a worker: returns the metrics of all workers. */
  metrics?: ReadAllMetrics
  /** In the primary process: sets the workers that are asked from now on. */
  of<Asked extends Pick<WorkerGroup, 'ask'>>(workers: Asked): Asked
  close(): Promise<void>
}

/**
 * Serves metrics and probes on a separate port, if one is configured. Call it before the process is ready. A worker has no such
 * port; it answers the primary process.
 * @param gateway undefined in the primary process
 * @throws StartError if the port is not available
 */
export async function startOperations(config: Config, gateway?: Gateway): Promise<Operations> {
  const readiness: ServerReadiness = { stage: 'starting' }
  let workers: Pick<WorkerGroup, 'ask'> | undefined
  let server: MetricsServer | undefined
  let metrics: ReadAllMetrics | undefined
  if (gateway && config.metrics_port !== undefined) await gateway.metrics.start()
  if (isWorker && gateway) {
    const answers: Record<WorkerQuestion, () => unknown> = {
      metrics: gateway.metrics.measured,
      ready: () => getReadiness(readiness, gateway),
    }
    const line = createWorkerLine(process, async (question) => answers[question]())
    metrics = async () => joinMeasured(((await line.ask('metrics')) as MeasuredMetrics[] | undefined) ?? [])
  } else if (config.metrics_port !== undefined) {
    const { metrics: own, ports } = gateway ?? {}
    server = await startMetricsServer(config, {
      ready: async () => (own ? getReadiness(readiness, gateway) : getCommonReadiness(readiness, workers)),
      readMetrics: async () =>
        own ? own.text() : joinMeasured(((await workers?.ask('metrics')) ?? []) as MeasuredMetrics[]),
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

/** Returns the readiness of all workers. One that accepts calls is enough. */
async function getCommonReadiness(
  readiness: ServerReadiness,
  workers: Pick<WorkerGroup, 'ask'> | undefined,
): Promise<ReadinessState> {
  if (!workers || readiness.stage !== 'ready') return readiness.stage
  const states = (await workers.ask('ready')) as ReadinessState[]
  return states.includes('ready') ? 'ready' : (states[0] ?? 'starting')
}
