// /metrics in the format of Prometheus: to whoever has the token of the settings, or on a port of its own, where who reaches
// it reads it. With several workers one answer has all of them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError, type Config, type Gateway } from '../core/index.ts'
import { answerProbe, type Ready } from './probes.ts'

const PATH = '/metrics'
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** All that is measured, of all processes. */
export type TellMetrics = () => Promise<string>

/** Answers for the metrics of whoever has the token; false where they are not asked for. */
export function createMetricsDoor({ ports, settings, metrics }: Gateway, tell: TellMetrics = metrics.text) {
  const { secrets, logger } = ports
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    if (path !== PATH) return false
    const token = settings()['metrics.token']
    // Without one there are none, and nobody is told that there could be.
    if (token === '') return end(response, 404)
    const presented = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    // By their hashes, so that the time it takes tells nothing of the token.
    if (secrets.hash(presented) !== secrets.hash(token)) return end(response, 401, { 'www-authenticate': 'Bearer' })
    void answer(request, response, tell, (error) => logger.error('metrics could not be told', { error: String(error) }))
    return true
  }
}

interface Source {
  ready(): Ready | Promise<Ready>
  tell: TellMetrics
  failed(error: unknown): void
}

export interface MetricsServer {
  url: string
  close(): Promise<void>
}

/**
 * Serves the metrics and the probes on a port of their own.
 * @throws StartError when the port cannot be had
 */
export async function startMetricsServer(
  { metrics_host: host = '127.0.0.1', metrics_port: port }: Pick<Config, 'metrics_host' | 'metrics_port'>,
  { ready, tell, failed }: Source,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (path === PATH) return void answer(request, response, tell, failed)
    void Promise.resolve(ready()).then(
      (now) => answerProbe(request, response, path, () => now) || end(response, 404),
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
    // Exclusive: no worker shares it.
    server.listen({ host, port, exclusive: true }, resolve)
  })
  // Nobody is kept running for the sake of being looked at.
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
  tell: TellMetrics,
  failed: (error: unknown) => void,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return void end(response, 405, { allow: 'GET, HEAD' })
  try {
    const text = await tell()
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
