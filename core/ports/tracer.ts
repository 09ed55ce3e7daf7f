// Traces of calls, for a collector. A tracer exists only if one is configured. Then each call has its place in a trace
// from the start, because providers receive it.

/** The trace context of a request (W3C Trace Context), and the route of the request. */
export interface TracedRequest {
  traceparent?: string
  tracestate?: string
  method: string
  /** The pattern of its path, without secrets or parts that differ by call. */
  route: string
}

/** The place of a call in a trace, fixed when it begins. Ids in lower-case hexadecimal digits. */
export interface CallTrace extends Pick<TracedRequest, 'method' | 'route'> {
  readonly trace_id: string
  /** The span of the call itself. Its last four digits are 0: attempts count up from it (`getAttemptSpanId`). */
  readonly span_id: string
  /** The parent span; undefined if the trace begins here. */
  readonly parent_id?: string | undefined
  /** The entries of other tracers, passed on unchanged. */
  readonly state?: string | undefined
  /** Decided once, by the client or by the sampler, for the call and all of its attempts. */
  readonly sampled: boolean
}

/** A call that was refused before anything was held for it, so that it has no record. Times in epoch ms. */
export interface RefusedCallSpan {
  trace: CallTrace
  request_id: string
  status: number
  /** The error code. */
  error: string
  started_at: number
  ended_at: number
}

export interface CallTracer {
  /** Never fails: a request with an invalid context starts a new trace. */
  begin(request: TracedRequest): CallTrace
  refused(call: RefusedCallSpan): void
}

const CALL_DIGITS = 12
const ATTEMPT_DIGITS = 4

/** Returns the span id of a call's attempt, counted from 0. It is computed, so it need not be stored. */
export const getAttemptSpanId = ({ span_id }: Pick<CallTrace, 'span_id'>, attempt: number): string =>
  span_id.slice(0, CALL_DIGITS) + (attempt + 1).toString(16).padStart(ATTEMPT_DIGITS, '0')

/** Returns the trace headers to send to the provider of an attempt. */
export const getTraceHeaders = (trace: CallTrace, attempt: number): Record<string, string> => {
  const traceparent = `00-${trace.trace_id}-${getAttemptSpanId(trace, attempt)}-${trace.sampled ? '01' : '00'}`
  return trace.state === undefined ? { traceparent } : { traceparent, tracestate: trace.state }
}
