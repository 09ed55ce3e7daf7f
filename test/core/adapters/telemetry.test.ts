// The variables of OpenTelemetry: the signals that are sent, and the traces that are sampled. test/e2e/lean-start.test.ts tells
// when its packages are loaded.
import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { parseSampler } from '../../../core/adapters/telemetry/index.ts'
import { readTelemetrySignals } from '../../../core/config.ts'
import { getAttemptSpanId, getTraceHeaders } from '../../../core/ports/tracer.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }

describe('what is told', () => {
  it.each([
    ['nothing is said', {}, []],
    ['an endpoint is named', ENDPOINT, ['traces', 'metrics', 'logs']],
    ['one has an endpoint of its own', { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://127.0.0.1:1/v1/logs' }, ['logs']],
    ['one is left out', { ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none' }, ['traces', 'logs']],
    ['one is asked for without an endpoint', { OTEL_TRACES_EXPORTER: 'otlp' }, ['traces']],
    ['another exporter is asked for', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'zipkin' }, ['metrics', 'logs']],
    ['all is switched off', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }, []],
    ['the switch is not set', { ...ENDPOINT, OTEL_SDK_DISABLED: '' }, ['traces', 'metrics', 'logs']],
  ])('where %s', (_, env, told) => {
    expect(readTelemetrySignals(env)).toEqual(told)
  })
})

describe('which traces are kept', () => {
  const low = '0'.repeat(31) + '1'
  const high = 'f'.repeat(8) + '0'.repeat(24)
  const kept = (env: Record<string, string>, trace_id: string) =>
    parseSampler(env).sampler.shouldSample(ROOT_CONTEXT, trace_id, 'name', SpanKind.SERVER, {}, []).decision > 0

  it.each(['traceidratio', 'parentbased_traceidratio'])('%s keeps a part, by the id of the trace', (name) => {
    const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: '0.1' }
    expect([kept(env, low), kept(env, high)]).toEqual([true, false])
  })

  it('all or none, where that is said', () => {
    expect(kept({ OTEL_TRACES_SAMPLER: 'always_on' }, high)).toBe(true)
    expect(kept({ OTEL_TRACES_SAMPLER: 'always_off' }, low)).toBe(false)
    expect(kept({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, low)).toBe(false)
    expect(kept({}, high)).toBe(true)
  })

  it.each([
    { OTEL_TRACES_SAMPLER: 'constructor' },
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10%' },
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
  ])('%o is told to be wrong, and all are kept', (env) => {
    expect(parseSampler(env).wrong).toMatch(/^OTEL_TRACES_SAMPLER/)
    expect(kept(env as Record<string, string>, high)).toBe(true)
  })
})

it('attempts count up from the span of their call', () => {
  const trace = { trace_id: 'a'.repeat(32), span_id: `${'b'.repeat(12)}0000`, sampled: false, method: '', route: '' }
  expect([0, 1, 299].map((attempt) => getAttemptSpanId(trace, attempt))).toEqual([
    'bbbbbbbbbbbb0001',
    'bbbbbbbbbbbb0002',
    'bbbbbbbbbbbb012c',
  ])
  expect(getTraceHeaders({ ...trace, state: 'a=1' }, 0)).toEqual({
    traceparent: `00-${'a'.repeat(32)}-bbbbbbbbbbbb0001-00`,
    tracestate: 'a=1',
  })
})
