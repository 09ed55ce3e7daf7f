// A built Weir that is observed or not, as requested while it runs. watched.ts starts it with its data folder, its
// port, the port of its metrics, and the port for requests: `GET /<who>` sets the observers, and returns the µs of CPU
// used so far.
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { CallSink } from '../../core/calls/sinks.ts'
import { ROOT } from './processes.ts'

const [data = '', port, metricsPort, told] = process.argv.slice(2)
const built = (path: string) => import(join(ROOT, 'dist', path)) as Promise<unknown>
const { openGateway, openTelemetry } = (await built(
  'core/adapters/node.js',
)) as typeof import('../../core/adapters/node.ts')
const { readConfig } = (await built(
  'core/adapters/read-config.js',
)) as typeof import('../../core/adapters/read-config.ts')
const { startOperations, startServer } = (await built('http/start.js')) as typeof import('../../http/start.ts')

const given = { data, port: port!, host: '127.0.0.1', metrics_port: metricsPort!, access_log: join(data, 'access.log') }
const config = readConfig({ ...given, log_level: 'error' }, process.env, false)
const telemetry = await openTelemetry(config)
if (!telemetry) throw new Error('no traces were asked for')
const gateway = await openGateway(config, { telemetry })
const { access, tracer } = gateway.ports

/** Heard in turns: a sink's own function is put in its place, so that nobody takes its records meanwhile. */
const muted = (sinks: readonly CallSink[]) => {
  const taking = sinks.map((sink) => [sink, sink.take] as const)
  return (on: boolean) => {
    for (const [sink, take] of taking) sink.take = on ? take : () => undefined
  }
}
const metrics = muted([gateway.metrics.sink])
const traces = muted(telemetry.sinks)

function watch(who: string): void {
  metrics(who === 'metrics')
  gateway.ports.access = who === 'metrics' ? access : undefined
  traces(who === 'traces')
  gateway.ports.tracer = who === 'traces' ? tracer : undefined
}

const { readiness } = await startOperations(config, gateway)
createServer((request, reply) => {
  const who = (request.url ?? '').slice(1)
  if (who !== '') watch(who)
  const { user, system } = process.cpuUsage()
  reply.end(String(user + system))
}).listen(Number(told), '127.0.0.1')
await startServer(gateway, config, { readiness })
