// Exports traces, metrics and logs by OTLP, as OpenTelemetry's own variables configure. Loaded only if they do.
import { randomUUID } from 'node:crypto'
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import type { TelemetrySignal } from '../../config.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { createLogExporter } from './logs.ts'
import { createOtlpMetrics } from './metrics.ts'
import { parseSampler } from './sampler.ts'
import type { TelemetryExporters } from './telemetry.ts'
import { createTraceExporter } from './traces.ts'

const SCOPE = 'weir'
/** Minimum time between two log lines about an unreachable collector, in ms. */
const TOLD_MS = 60_000
/** Maximum time to send the last batch, in ms. */
const CLOSE_MS = 2_000

interface TelemetryOptions {
  signals: readonly TelemetrySignal[]
  version: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  /** Receives errors of the exporters. Its lines are not exported. */
  logger: Logger
}

export function startTelemetry({ signals, version, env, clock, logger }: TelemetryOptions): TelemetryExporters {
  logExportErrors(clock, logger)
  const supported = signals.filter((signal) => isSupported(signal, env, logger))
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'weir',
        'service.version': version,
        'service.instance.id': randomUUID(),
        'process.pid': process.pid,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
  const scope = { name: SCOPE, version }
  const { sampler, wrong } = parseSampler(env)
  if (wrong !== undefined) logger.warn(`${wrong}: every trace is kept that no caller has left out`)
  const traces = supported.includes('traces')
    ? createTraceExporter({ resource, instrumentationScope: scope }, sampler)
    : undefined
  const metrics = supported.includes('metrics') ? createOtlpMetrics({ resource, scope, env }) : undefined
  const logs = supported.includes('logs') ? createLogExporter(resource, scope) : undefined
  return {
    ...(traces ? { tracer: traces.tracer } : {}),
    ...(logs ? { log: logs.log } : {}),
    sinks: [traces?.sink, metrics?.sink].filter((sink) => sink !== undefined),
    async close() {
      const patience = new AbortController()
      const closed = Promise.allSettled([traces?.close(), metrics?.close(), logs?.close()])
      await Promise.race([closed, clock.sleep(CLOSE_MS, patience.signal).catch(() => undefined)])
      patience.abort()
      diag.disable()
    },
  }
}

/**
 * True if the configured protocol is OTLP over HTTP in protobuf, the only supported one. For any other, nothing is
 * sent.
 */
function isSupported(signal: TelemetrySignal, env: TelemetryOptions['env'], logger: Logger): boolean {
  const name = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`
  const protocol = env[name] || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  if (protocol === 'http/protobuf') return true
  logger.warn(
    `${signal} are not told: OTLP is spoken as http/protobuf, not as ${protocol}. Name a collector's HTTP port`,
  )
  return false
}

/** Logs export errors with their number. They never affect a call. */
function logExportErrors(clock: Clock, logger: Logger): void {
  let last = Number.NEGATIVE_INFINITY
  let times = 0
  const reportError = (message: string) => {
    times++
    if (clock.now() - last < TOLD_MS) return
    last = clock.now()
    logger.warn('telemetry could not be sent', { why: readable(message), times })
  }
  const quiet = () => undefined
  diag.setLogger(
    { error: reportError, warn: reportError, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

const MOST_WORDS = 300

/** Errors arrive as JSON, with a useless stack. */
function readable(message: string): string {
  try {
    const { name, message: text, code } = JSON.parse(message) as Record<string, unknown>
    return [name, text, code].filter(Boolean).join(': ').slice(0, MOST_WORDS)
  } catch {
    return message.slice(0, MOST_WORDS)
  }
}
