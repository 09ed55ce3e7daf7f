// Serves /metrics in the format of Prometheus: with the token of the settings, or on a separate port without a token. With several
// workers, a response contains the metrics of all.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError, type Config, type Gateway } from '../core/index.ts'
import { answerProbeRequest, type ReadinessState } from './probes.ts'

const PATH = '/metrics'
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Returns the metrics of all processes as text. */
export type ReadAllMetrics = () => Promise<string>

/** Creates the handler of /metrics for clients with the token. It returns false for other paths. */
export function createMetricsDoor({ ports, settings, metrics }: Gateway, readMetrics: ReadAllMetrics = metrics.text) {
  const { secrets, logger } = ports
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    if (path !== PATH) return false
    const token = settings()['metrics.token']
    // Without a token there are no metrics, and the response does not reveal that they exist.
    if (token === '') return end(response, 404)
    const presented = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    // Compares hashes, so that the duration reveals nothing about the token.
    if (secrets.hash(presented) !== secrets.hash(token)) return end(response, 401, { 'www-authenticate': 'Bearer' })
    void answer(request, response, readMetrics, (error) =>
      logger.error('metrics could not be told', { error: String(error) }),
    )
    return true
  }
}

interface MetricsSource {
  ready(): ReadinessState | Promise<ReadinessState>
  readMetrics: ReadAllMetrics
  failed(error: unknown): void
}

export interface MetricsServer {
  url: string
  close(): Promise<void>
}

/**
 * Serves the metrics and the probes on a separate port.
 * @throws StartError if the port is not available
 */
export async function startMetricsServer(
  { metrics_host: host = '127.0.0.1', metrics_port: port }: Pick<Config, 'metrics_host' | 'metrics_port'>,
  { ready, readMetrics, failed }: MetricsSource,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (path === PATH) return void answer(request, response, readMetrics, failed)
    void Promise.resolve(ready()).then(
      (now) => answerProbeRequest(request, response, path, () => now) || end(response, 404),
      () => end(response, 500),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          `Metrics cannot be served on ${host}:${port} (${error.code ?? error.message}): choose another address with --metrics-host and --metrics-port.`,
          error,
        ),
      ),
    )
    // Exclusive, so that no worker shares the port.
    server.listen({ host, port, exclusive: true }, resolve)
  })
  // This server alone does not keep the process running.
  server.unref()
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  readMetrics: ReadAllMetrics,
  failed: (error: unknown) => void,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return void end(response, 405, { allow: 'GET, HEAD' })
  try {
    const text = await readMetrics()
    const head = { 'content-type': TYPE, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' }
    response.writeHead(200, head).end(request.method === 'HEAD' ? undefined : text)
  } catch (error) {
    failed(error)
    end(response, 500)
  }
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): true {
  response.writeHead(status, { 'content-length': 0, 'cache-control': 'no-store', ...headers }).end()
  return true
}
