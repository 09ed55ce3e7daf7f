// Metrics by OTLP, in the conventions for generative AI: duration and usage of each attempt. Users and tokens are never
// attributes.
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { CallRecord } from '../../calls/call-record.ts'
import type { CallSink } from '../../calls/sinks.ts'
import { countPromptTokens } from '../../pricing/token-sums.ts'
import { buildAttemptAttributes, getAttemptError } from './conventions.ts'

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

export interface OtlpMetrics {
  sink: CallSink
  close(): Promise<void>
}

export function createOtlpMetrics({ resource, scope, env }: MetricExportOptions): OtlpMetrics {
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
