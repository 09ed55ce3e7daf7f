// Exports traces, metrics and logs by OTLP, as OpenTelemetry's own variables configure. Loaded only if they do.
import { randomUUID } from 'node:crypto'
import { diag, DiagLogLevel, ROOT_CONTEXT, trace as spans, TraceFlags } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import type { TelemetrySignal } from '../../config.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { createTraceExporter } from './spans.ts'
import { type LogAttributes, SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import type { LogListener } from '../pino.ts'
import type { Sampler } from '@opentelemetry/sdk-trace-base'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { CallRecord } from '../../calls/call-record.ts'
import type { CallSink } from '../../calls/sinks.ts'
import { countPromptTokens } from '../../pricing/token-sums.ts'
import { buildAttemptAttributes, getAttemptError } from './conventions.ts'
import type { TelemetryExporters } from './telemetry.ts'

// Metrics by OTLP, in the conventions for generative AI: duration and usage of each attempt. Users and tokens are never
// attributes.

/** Bucket bounds of the conventions, in seconds and in tokens. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const FIRST_SECONDS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]

/** Defaults of OTEL_METRIC_EXPORT_INTERVAL and OTEL_METRIC_EXPORT_TIMEOUT in the specification. */
const INTERVAL_MS = 60_000
const TIMEOUT_MS = 30_000

interface MetricExportOptions {
  resource: Resource
  scope: { name: string; version: string }
  env: Readonly<Record<string, string | undefined>>
}

interface OtlpMetrics {
  sink: CallSink
  close(): Promise<void>
}

function createOtlpMetrics({ resource, scope, env }: MetricExportOptions): OtlpMetrics {
  const interval = ms(env.OTEL_METRIC_EXPORT_INTERVAL, INTERVAL_MS)
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(interval, ms(env.OTEL_METRIC_EXPORT_TIMEOUT, TIMEOUT_MS)),
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  const meter = provider.getMeter(scope.name, scope.version)
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'GenAI operation duration.',
    advice: { explicitBucketBoundaries: SECONDS },
  })
  const first = meter.createHistogram('gen_ai.client.operation.time_to_first_chunk', {
    unit: 's',
    description: 'Time to receive the first chunk.',
    advice: { explicitBucketBoundaries: FIRST_SECONDS },
  })
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    advice: { explicitBucketBoundaries: TOKENS },
  })

  function take(record: CallRecord): void {
    const { usage, attempts, session } = record
    // A session connects once, and each of its turns repeats its attempts, so only the duration of the turn counts.
    for (const attempt of session ? attempts.slice(-1) : attempts) {
      const attributes = buildAttemptAttributes(record, attempt)
      const isAnswer = attempt.result === 'answered'
      if (isAnswer) attributes['gen_ai.response.model'] = record.models.sent
      if (isAnswer && usage) {
        const input = countPromptTokens(usage)
        if (input > 0) tokens.record(input, { ...attributes, 'gen_ai.token.type': 'input' })
        if (usage.output > 0) tokens.record(usage.output, { ...attributes, 'gen_ai.token.type': 'output' })
      }
      if (isAnswer && record.stream && !session && attempt.first_content_ms !== null) {
        first.record(attempt.first_content_ms / 1000, attributes)
      }
      const error = getAttemptError(record, attempt)
      const took_ms = session ? record.ended_at - record.started_at : attempt.ms
      duration.record(
        Math.max(0, took_ms) / 1000,
        error === undefined ? attributes : { ...attributes, 'error.type': error },
      )
    }
  }

  return {
    sink: { name: 'otlp metrics', take: (records) => records.forEach(take) },
    close: () => provider.shutdown(),
  }
}

const ms = (text: string | undefined, usual: number): number => (Number(text) > 0 ? Number(text) : usual)

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
