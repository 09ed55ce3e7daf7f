// Finished calls as spans: one for the call, with one child per attempt. They are built from values once all has ended.
import type { Attributes, SpanContext } from '@opentelemetry/api'
import { SpanKind, SpanStatusCode, TraceFlags, ROOT_CONTEXT, trace as spans } from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import { hrTimeDuration, millisToHrTime, parseTraceParent, TraceState } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan, Sampler } from '@opentelemetry/sdk-trace-base'
import { BatchSpanProcessor, RandomIdGenerator, SamplingDecision } from '@opentelemetry/sdk-trace-base'
import type { Attempt, CallRecord } from '../../calls/call-record.ts'
import { getFailureCode } from '../../calls/failure-text.ts'
import { getAttemptSpanId, type CallTrace, type RefusedCallSpan, type CallTracer } from '../../ports/tracer.ts'
import { buildAttemptAttributes, getAttemptError, getOperationName, addUsageAttributes } from './conventions.ts'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { CallSink } from '../../calls/sinks.ts'

/** The resource and scope of all spans. */
interface TelemetryOrigin {
  resource: Resource
  instrumentationScope: InstrumentationScope
}

/** Times in epoch ms. */
interface SpanInput {
  name: string
  kind: SpanKind
  trace: CallTrace
  span_id: string
  parent_id: string | undefined
  /** True if the parent belongs to another process. */
  isRemote?: boolean
  start: number
  end: number
  /** The span takes ownership of them. */
  attributes: Attributes
  /** The error code; undefined if it succeeded. */
  error: string | undefined
  events?: ReadableSpan['events']
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Member by member, as for attributes: copying values with spreads cost more than the rest of a span. */
function buildSpan({ resource, instrumentationScope }: TelemetryOrigin, span: SpanInput): ReadableSpan {
  const { trace, start, end, error, attributes, parent_id } = span
  const startTime = millisToHrTime(start)
  const endTime = millisToHrTime(Math.max(start, end))
  const context: SpanContext = { traceId: trace.trace_id, spanId: span.span_id, traceFlags: TraceFlags.SAMPLED }
  if (error !== undefined) attributes['error.type'] = error
  const made: Writable<ReadableSpan> = {
    resource,
    instrumentationScope,
    name: span.name,
    kind: span.kind,
    spanContext: () => context,
    startTime,
    endTime,
    duration: hrTimeDuration(startTime, endTime),
    status: { code: error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes,
    links: [],
    events: span.events ?? [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
  if (parent_id !== undefined) {
    const { traceId, traceFlags } = context
    made.parentSpanContext = { traceId, spanId: parent_id, traceFlags, isRemote: span.isRemote === true }
  }
  return made
}

/** Returns the name of a request's span. */
const getSpanName = ({ method, route }: CallTrace): string => `${method} ${route}`

/** Returns the attributes of a request and its answer. */
const httpAttributes = ({ method, route }: CallTrace, status: number): Attributes => ({
  'http.request.method': method,
  'http.route': route,
  'http.response.status_code': status,
})

/** Returns the error type. For servers only 5xx counts as an error; client errors keep their code. */
const getServerError = (status: number, error: string | undefined): string | undefined =>
  status < 500 ? undefined : error

/** Status of a switch to WebSocket. */
const SWITCHED = 101

function buildCallSpan(origin: TelemetryOrigin, record: CallRecord, trace: CallTrace): ReadableSpan {
  const { payer, failure, status } = record
  // An answer that has started has the status 200, even if it failed later.
  const initialStatus = record.session ? SWITCHED : 200
  const answered =
    status === 'failed' && record.first_content_ms === null ? (failure?.status ?? initialStatus) : initialStatus
  const error = failure && getFailureCode(failure)
  const attributes = httpAttributes(trace, answered)
  attributes['gen_ai.operation.name'] = getOperationName(record)
  attributes['gen_ai.request.model'] = record.models.requested
  attributes['weir.request_id'] = record.request_id
  attributes['weir.dialect'] = record.dialect
  attributes['weir.group'] = record.terms.group
  attributes['weir.user.id'] = payer.user_id
  attributes['weir.token.id'] = payer.token_id
  attributes['weir.attempts'] = record.attempts.length
  attributes['weir.quota'] = record.charge.quota
  attributes['weir.status'] = status
  if (error !== undefined) attributes['weir.failure'] = error
  if (record.task_id !== undefined) attributes['weir.task.id'] = record.task_id
  return buildSpan(origin, {
    name: getSpanName(trace),
    kind: SpanKind.SERVER,
    isRemote: true,
    trace,
    span_id: trace.span_id,
    parent_id: trace.parent_id,
    start: record.started_at,
    end: record.ended_at,
    error: status === 'complete' ? undefined : answered === initialStatus ? error : getServerError(answered, error),
    attributes,
  })
}

function buildRefusedSpan(origin: TelemetryOrigin, call: RefusedCallSpan): ReadableSpan {
  const { trace, status, error } = call
  const attributes = httpAttributes(trace, status)
  attributes['weir.request_id'] = call.request_id
  attributes['weir.status'] = 'refused'
  attributes['weir.failure'] = error
  return buildSpan(origin, {
    name: getSpanName(trace),
    kind: SpanKind.SERVER,
    isRemote: true,
    trace,
    span_id: trace.span_id,
    parent_id: trace.parent_id,
    start: call.started_at,
    end: call.ended_at,
    error: getServerError(status, error),
    attributes,
  })
}

/** @param number the position of the attempt among the call's, from 0 */
function buildAttemptSpan(
  origin: TelemetryOrigin,
  record: CallRecord,
  trace: CallTrace,
  attempt: Attempt,
  number: number,
): ReadableSpan {
  const { first_content_ms, began, failure, result } = attempt
  const isAnswer = result === 'answered'
  const first = isAnswer && record.stream && !record.session && first_content_ms !== null ? first_content_ms : undefined
  const attributes = buildAttemptAttributes(record, attempt)
  if (isAnswer) attributes['gen_ai.response.model'] = record.models.sent
  if (record.stream) attributes['gen_ai.request.stream'] = true
  if (record.effort !== undefined) attributes['gen_ai.request.reasoning.level'] = record.effort
  if (first !== undefined) attributes['gen_ai.response.time_to_first_chunk'] = first / 1000
  if (isAnswer && record.usage) addUsageAttributes(attributes, record.usage)
  if (failure) attributes['http.response.status_code'] = failure.status
  if (number > 0) attributes['http.request.resend_count'] = number
  attributes['weir.channel.id'] = attempt.channel_id
  attributes['weir.channel.key_index'] = attempt.key_index
  attributes['weir.result'] = result
  return buildSpan(origin, {
    name: `${getOperationName(record)} ${attempt.model}`,
    kind: SpanKind.CLIENT,
    trace,
    span_id: getAttemptSpanId(trace, number),
    parent_id: trace.span_id,
    start: began,
    end: began + attempt.ms,
    error: getAttemptError(record, attempt),
    attributes,
    events: first === undefined ? [] : [firstContent(began + first)],
  })
}

const firstContent = (at: number): ReadableSpan['events'][number] => ({
  name: 'weir.first_content',
  time: millisToHrTime(at),
  attributes: {},
  droppedAttributesCount: 0,
})

/** Builds the span of a later turn of a session: its usage, on the connection that the first turn opened. */
function buildTurnSpan(origin: TelemetryOrigin, record: CallRecord, trace: CallTrace, span_id: string): ReadableSpan {
  const last = record.attempts.at(-1)
  const { failure } = record
  const attributes: Attributes = last ? buildAttemptAttributes(record, last) : {}
  if (last) attributes['weir.channel.id'] = last.channel_id
  if (record.usage) addUsageAttributes(attributes, record.usage)
  attributes['weir.request_id'] = record.request_id
  attributes['weir.quota'] = record.charge.quota
  attributes['weir.status'] = record.status
  return buildSpan(origin, {
    name: `${getOperationName(record)} ${record.models.sent}`,
    kind: SpanKind.CLIENT,
    trace,
    span_id,
    parent_id: trace.span_id,
    start: record.started_at,
    end: record.ended_at,
    error: record.status === 'complete' ? undefined : failure && getFailureCode(failure),
    attributes,
  })
}

// Traces by OTLP: starts the trace of a call, and builds its spans once it has ended. They are sent in batches, after
// the answers.

/** Number of digits of a span id that identify the call; the rest counts its attempts. */
const OWN_DIGITS = 12
/** Maximum number of sessions whose first turn is remembered. */
const MOST_SESSIONS = 10_000

interface Traces {
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
