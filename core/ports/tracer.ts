// Traces of calls, for whoever collects them. Only where that is configured is there a tracer, and then each call has its
// place in a trace from its first moment, because providers are told of it.

/** What a request says of the trace that it is a part of (W3C Trace Context), and how it came in. */
export interface TracedRequest {
  traceparent?: string
  tracestate?: string
  method: string
  /** The pattern of its path, without what is secret or differs by call. */
  route: string
}

/** The place of a call in a trace, fixed when it begins. Ids in lower-case hexadecimal digits. */
export interface CallTrace extends Pick<TracedRequest, 'method' | 'route'> {
  readonly trace_id: string
  /** Of the call itself. Its last four digits are 0: attempts count up from it (`attemptSpan`). */
  readonly span_id: string
  /** The span that asked; missing where the trace begins here. */
  readonly parent_id?: string | undefined
  /** What other tracers have written beside; passed on as it is. */
  readonly state?: string | undefined
  /** Decided here, by who asked or by the sampler, for the call and all of its attempts. */
  readonly sampled: boolean
}

/** A call that was refused before anything was held for it, so that no record tells of it. Times in epoch ms. */
export interface RefusedCall {
  trace: CallTrace
  request_id: string
  status: number
  /** Why, in a word. */
  error: string
  started_at: number
  ended_at: number
}

export interface Tracer {
  /** Whatever is wrong with what the request says, a trace begins. */
  begin(request: TracedRequest): CallTrace
  refused(call: RefusedCall): void
}

const CALL_DIGITS = 12
const ATTEMPT_DIGITS = 4

/** The span id of a call's attempt, counted from 0: nobody has to keep it. */
export const attemptSpan = ({ span_id }: Pick<CallTrace, 'span_id'>, attempt: number): string =>
  span_id.slice(0, CALL_DIGITS) + (attempt + 1).toString(16).padStart(ATTEMPT_DIGITS, '0')

/** The headers by which a provider is told of an attempt. */
export const traceHeaders = (trace: CallTrace, attempt: number): Record<string, string> => {
  const traceparent = `00-${trace.trace_id}-${attemptSpan(trace, attempt)}-${trace.sampled ? '01' : '00'}`
  return trace.state === undefined ? { traceparent } : { traceparent, tracestate: trace.state }
}
