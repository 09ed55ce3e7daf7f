// Finished calls as spans: one of the call, and below it one of each attempt. Made whole when all is over, from values.
import { SpanKind, SpanStatusCode, TraceFlags, type Attributes, type SpanContext } from '@opentelemetry/api'
import { hrTimeDuration, millisToHrTime, type InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { Attempt, CallRecord } from '../../calls/call-record.ts'
import { failureWord } from '../../calls/failure-text.ts'
import { attemptSpan, type CallTrace, type RefusedCall } from '../../ports/tracer.ts'
import { attemptAttributes, errorOfAttempt, operationName, usageAttributes } from './conventions.ts'

/** Who makes them. */
export interface Origin {
  resource: Resource
  instrumentationScope: InstrumentationScope
}

/** Times in epoch ms. */
interface Drawn {
  name: string
  kind: SpanKind
  trace: CallTrace
  span_id: string
  parent_id: string | undefined
  /** The parent is another process's. */
  isRemote?: boolean
  start: number
  end: number
  attributes: Attributes
  /** Why it failed. */
  error: string | undefined
  events?: ReadableSpan['events']
}

function drawn(origin: Origin, span: Drawn): ReadableSpan {
  const { trace, start, end, error } = span
  const startTime = millisToHrTime(start)
  const endTime = millisToHrTime(Math.max(start, end))
  const context: SpanContext = { traceId: trace.trace_id, spanId: span.span_id, traceFlags: TraceFlags.SAMPLED }
  const attributes = error === undefined ? span.attributes : { ...span.attributes, 'error.type': error }
  return {
    ...origin,
    name: span.name,
    kind: span.kind,
    spanContext: () => context,
    ...(span.parent_id === undefined
      ? {}
      : { parentSpanContext: { ...context, spanId: span.parent_id, isRemote: span.isRemote === true } }),
    startTime,
    endTime,
    duration: hrTimeDuration(startTime, endTime),
    status: { code: error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes,
    links: [],
    events: span.events ?? [],
    ended: true,
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  }
}

/** The span of a call that came in by HTTP. */
const served = (
  trace: CallTrace,
  status: number,
): Pick<Drawn, 'name' | 'kind' | 'isRemote'> & { http: Attributes } => ({
  name: `${trace.method} ${trace.route}`,
  kind: SpanKind.SERVER,
  isRemote: true,
  http: {
    'http.request.method': trace.method,
    'http.route': trace.route,
    'http.response.status_code': status,
  },
})

/** Of servers only what is their own fault counts as an error; what callers did wrong is said by its word. */
const faultOf = (status: number, error: string | undefined): string | undefined => (status < 500 ? undefined : error)

/** To a WebSocket. */
const SWITCHED = 101

export function callSpan(origin: Origin, record: CallRecord, trace: CallTrace): ReadableSpan {
  const { payer, failure, status } = record
  // An answer that has begun had the status 200, whatever became of it.
  const begun = record.session ? SWITCHED : 200
  const answered = status === 'failed' && record.first_content_ms === null ? (failure?.status ?? begun) : begun
  const { http, ...span } = served(trace, answered)
  const error = failure && failureWord(failure)
  return drawn(origin, {
    ...span,
    trace,
    ...{ span_id: trace.span_id, parent_id: trace.parent_id, start: record.started_at, end: record.ended_at },
    error: status === 'complete' ? undefined : answered === begun ? error : faultOf(answered, error),
    attributes: {
      ...http,
      'gen_ai.operation.name': operationName(record),
      'gen_ai.request.model': record.models.asked,
      'weir.request_id': record.request_id,
      'weir.dialect': record.dialect,
      'weir.group': record.terms.group,
      'weir.user.id': payer.user_id,
      'weir.token.id': payer.token_id,
      'weir.attempts': record.attempts.length,
      'weir.quota': record.charge.quota,
      'weir.status': status,
      ...(error === undefined ? {} : { 'weir.failure': error }),
      ...(record.task_id === undefined ? {} : { 'weir.task.id': record.task_id }),
    },
  })
}

export function refusedSpan(origin: Origin, call: RefusedCall): ReadableSpan {
  const { trace, status, error } = call
  const { http, ...span } = served(trace, status)
  return drawn(origin, {
    ...span,
    trace,
    ...{ span_id: trace.span_id, parent_id: trace.parent_id, start: call.started_at, end: call.ended_at },
    error: faultOf(status, error),
    attributes: { ...http, 'weir.request_id': call.request_id, 'weir.status': 'refused', 'weir.failure': error },
  })
}

/** @param number the place of the attempt among the call's, from 0 */
export function attemptSpanOf(
  origin: Origin,
  record: CallRecord,
  trace: CallTrace,
  attempt: Attempt,
  number: number,
): ReadableSpan {
  const { first_content_ms, began, failure, result } = attempt
  const isAnswer = result === 'answered'
  const first = isAnswer && record.stream && !record.session && first_content_ms !== null ? first_content_ms : undefined
  return drawn(origin, {
    name: `${operationName(record)} ${attempt.model}`,
    kind: SpanKind.CLIENT,
    trace,
    ...{ span_id: attemptSpan(trace, number), parent_id: trace.span_id, start: began, end: began + attempt.ms },
    error: errorOfAttempt(record, attempt),
    attributes: {
      ...attemptAttributes(record, attempt),
      ...(isAnswer ? { 'gen_ai.response.model': record.models.sent } : {}),
      ...(record.stream ? { 'gen_ai.request.stream': true } : {}),
      ...(record.effort === undefined ? {} : { 'gen_ai.request.reasoning.level': record.effort }),
      ...(first === undefined ? {} : { 'gen_ai.response.time_to_first_chunk': first / 1000 }),
      ...(isAnswer && record.usage ? usageAttributes(record.usage) : {}),
      ...(failure ? { 'http.response.status_code': failure.status } : {}),
      ...(number > 0 ? { 'http.request.resend_count': number } : {}),
      'weir.channel.id': attempt.channel_id,
      'weir.channel.key_index': attempt.key_index,
      'weir.result': result,
    },
    events:
      first === undefined
        ? []
        : [
            {
              name: 'weir.first_content',
              time: millisToHrTime(began + first),
              attributes: {},
              droppedAttributesCount: 0,
            },
          ],
  })
}

/** A turn of a session behind its first: what it used, on the line that the first one opened. */
export function turnSpan(origin: Origin, record: CallRecord, trace: CallTrace, span_id: string): ReadableSpan {
  const last = record.attempts.at(-1)
  const { failure } = record
  return drawn(origin, {
    name: `${operationName(record)} ${record.models.sent}`,
    kind: SpanKind.CLIENT,
    trace,
    ...{ span_id, parent_id: trace.span_id, start: record.started_at, end: record.ended_at },
    error: record.status === 'complete' ? undefined : failure && failureWord(failure),
    attributes: {
      ...(last ? { ...attemptAttributes(record, last), 'weir.channel.id': last.channel_id } : {}),
      ...(record.usage ? usageAttributes(record.usage) : {}),
      'weir.request_id': record.request_id,
      'weir.quota': record.charge.quota,
      'weir.status': record.status,
    },
  })
}
