// Traces by OTLP: starts the trace of a call, and builds its spans once it has ended. They are sent in batches, after
// the answers.
import { ROOT_CONTEXT, SpanKind, trace as spans } from '@opentelemetry/api'
import { parseTraceParent, TraceState } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, RandomIdGenerator, SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base'
import type { CallRecord } from '../../calls/call-record.ts'
import type { CallSink } from '../../calls/sinks.ts'
import type { CallTrace, CallTracer } from '../../ports/tracer.ts'
import { buildAttemptSpan, buildCallSpan, buildRefusedSpan, buildTurnSpan, type TelemetryOrigin } from './spans.ts'

/** Number of digits of a span id that identify the call; the rest counts its attempts. */
const OWN_DIGITS = 12
/** Maximum number of sessions whose first turn is remembered. */
const MOST_SESSIONS = 10_000

export interface Traces {
  tracer: CallTracer
  sink: CallSink
  close(): Promise<void>
}

export function createTraceExporter(origin: TelemetryOrigin, sampler: Sampler): Traces {
  const processor = new BatchSpanProcessor(new OTLPTraceExporter())
  const ids = new RandomIdGenerator()
  /** Sessions whose span and attempts are exported already: each turn reports them again. */
  const sessions = new Set<string>()

  function isFurtherTurn({ session }: CallRecord, { span_id }: CallTrace): boolean {
    if (session === undefined) return false
    if (sessions.has(span_id)) return true
    if (sessions.size >= MOST_SESSIONS) sessions.clear()
    sessions.add(span_id)
    return false
  }

  function take(record: CallRecord): void {
    const { trace } = record
    if (!trace?.sampled) return
    if (isFurtherTurn(record, trace)) {
      return processor.onEnd(buildTurnSpan(origin, record, trace, ids.generateSpanId()))
    }
    for (const [number, attempt] of record.attempts.entries()) {
      processor.onEnd(buildAttemptSpan(origin, record, trace, attempt, number))
    }
    processor.onEnd(buildCallSpan(origin, record, trace))
  }

  return {
    tracer: {
      begin({ traceparent, tracestate, method, route }) {
        const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
        const trace_id = parent?.traceId ?? ids.generateTraceId()
        const above = parent ? spans.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
        const { decision } = sampler.shouldSample(above, trace_id, route, SpanKind.SERVER, {}, [])
        const state = parent && tracestate ? new TraceState(tracestate).serialize() : ''
        return {
          method,
          route,
          trace_id,
          sampled: decision === SamplingDecision.RECORD_AND_SAMPLED,
          span_id: ids.generateSpanId().slice(0, OWN_DIGITS).padEnd(16, '0'),
          parent_id: parent?.spanId,
          state: state === '' ? undefined : state,
        }
      },
      refused(call) {
        if (call.trace.sampled) processor.onEnd(buildRefusedSpan(origin, call))
      },
    },
    sink: { name: 'traces', take: (records) => records.forEach(take) },
    close: () => processor.shutdown(),
  }
}
