// Exports traces, metrics and logs by OTLP, as OpenTelemetry's own variables configure. Loaded only if they do.
import { randomUUID } from 'node:crypto'
import { diag, DiagLogLevel, ROOT_CONTEXT, trace as spans, TraceFlags } from '@opentelemetry/api'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import type { TelemetrySignal } from '../../config.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { createOtlpMetrics } from './metrics.ts'
import { createTraceExporter } from './traces.ts'
import { type LogAttributes, SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import type { LogListener } from '../pino.ts'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { TelemetryExporters } from './telemetry.ts'

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

// Exports log lines by OTLP as they are written, with the same redaction as in the log.

const SEVERITY = { info: SeverityNumber.INFO, warn: SeverityNumber.WARN, error: SeverityNumber.ERROR }

interface Logs {
  log: LogListener
  close(): Promise<void>
}

function createLogExporter(resource: Resource, scope: { name: string; version: string }): Logs {
  const processor = new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })
  const provider = new LoggerProvider({ resource, processors: [processor] })
  const logger = provider.getLogger(scope.name, scope.version)
  return {
    log(level, message, { trace_id, span_id, ...fields }) {
      logger.emit({
        timestamp: Date.now(),
        severityNumber: SEVERITY[level],
        severityText: level,
        body: message,
        // Values that JSON cannot express are omitted, as in the log.
        attributes: JSON.parse(JSON.stringify(fields)) as LogAttributes,
        context:
          typeof trace_id === 'string' && typeof span_id === 'string'
            ? spans.setSpanContext(ROOT_CONTEXT, { traceId: trace_id, spanId: span_id, traceFlags: TraceFlags.SAMPLED })
            : ROOT_CONTEXT,
      })
    },
    close: () => provider.shutdown(),
  }
}

// The sampling of traces, by OpenTelemetry's own variables (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG).

type SamplerVariables = Readonly<Record<string, string | undefined>>

const samplers: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

const DEFAULT_SAMPLER = 'parentbased_always_on'

/**
 * Returns the sampler that the variables name. `wrong` names the variable that is invalid; the default is used then.
 */
export function parseSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg }: SamplerVariables): {
  sampler: Sampler
  wrong?: string
} {
  const samplerName = name?.trim() || DEFAULT_SAMPLER
  const make = Object.hasOwn(samplers, samplerName) ? samplers[samplerName] : undefined
  if (!make) {
    const wrong = `OTEL_TRACES_SAMPLER is none of ${Object.keys(samplers).join(', ')}`
    return { sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }), wrong }
  }
  const ratio = arg?.trim() ? Number(arg) : 1
  if (ratio >= 0 && ratio <= 1) return { sampler: make(ratio) }
  return { sampler: make(1), wrong: 'OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1' }
}
