// Observes requests: writes a line of the access log for each, one in the process's log if it was slow, and a span if it was
// refused. An admitted call gets its spans from its record (core/adapters/telemetry/).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallFailure } from '../core/dialects/answers/call-failure.ts'
import type { AccessedCall, CallRecord, CallTrace, Gateway, RefusedCall } from '../core/index.ts'
import { getFailureCode, toAccessLogEntry } from '../core/index.ts'
import type { RequestPeer } from './peer.ts'

/** The status that nginx logs for a client that closed the request. No response is ever sent with it. */
export const CLIENT_CLOSED_REQUEST = 499

/** Creates the observer of a request; undefined if requests are neither traced nor logged. */
export function createRequestObserver(
  gateway: Gateway,
  request: IncomingMessage,
  peer: Pick<RequestPeer, 'request_id'>,
  route: () => string,
): RequestObserver | undefined {
  const { tracer, access } = gateway.ports
  const slow_ms = gateway.settings()['log.slow_call_seconds'] * 1000
  return tracer || access || slow_ms > 0
    ? new RequestObserver(gateway, request, peer.request_id, route(), slow_ms)
    : undefined
}

export class RequestObserver {
  /** The position of a call in its trace; undefined if it is not traced. */
  trace: CallTrace | undefined
  private readonly gateway: Pick<Gateway, 'ports'>
  private readonly request_id: string
  private readonly method: string
  private readonly slow_ms: number
  private readonly started_at: number
  private user: { user_id: number; token_id?: number } | undefined
  private call: AccessedCall | undefined
  /** The refused call of the request. */
  private requestedCall: Pick<AccessedCall, 'operation' | 'stream' | 'model' | 'group'> | undefined
  /** Number of turns of a session; 1 for a call. */
  private calls = 0
  /** Code of the refusal of the request. */
  private error: string | undefined
  /** Code of the failure of its call. */
  private failure: string | undefined
  private isOver = false
  /** Set once the response is closed; `left` if the client disconnected before its end. */
  private closed: { left: boolean } | undefined
  private isDone = false
  route: string

  constructor(
    gateway: Pick<Gateway, 'ports'>,
    { method = '' }: Pick<IncomingMessage, 'method'>,
    request_id: string,
    route: string,
    slow_ms: number,
  ) {
    this.gateway = gateway
    this.request_id = request_id
    this.method = method
    this.route = route
    this.slow_ms = slow_ms
    this.started_at = gateway.ports.clock.now()
  }

  /** Starts the trace of a call of the relay. */
  traced({ headers }: IncomingMessage): this {
    const { traceparent, tracestate } = headers as Record<string, string | undefined>
    this.trace = this.gateway.ports.tracer?.begin({ traceparent, tracestate, method: this.method, route: this.route })
    return this
  }

  /** Watches for the close of the response. Call it first: a response that ends after a disconnect looks as if it was received. */
  watching(response: ServerResponse): this {
    response.once('close', () => {
      this.closed = { left: !response.writableFinished }
      if (this.isDone) this.end(response, this.closed)
    })
    return this
  }

  by(user_id: number, token_id?: number): void {
    this.user = token_id === undefined ? { user_id } : { user_id, token_id }
  }

  /** Receives the record of a call or of a session's turn. That of a background response arrives after the request has ended. */
  readonly onFinished = (record: CallRecord): void => {
    this.calls++
    this.failure = record.failure && getFailureCode(record.failure)
    // If calls are only traced, the entry has no reader.
    if (this.slow_ms === 0 && !this.gateway.ports.access) return
    const next = toAccessLogEntry(record)
    if (this.isOver) {
      const { request_id, trace } = this
      const start = { time: isoTime(this.started_at), request_id, trace_id: trace?.trace_id }
      return this.gateway.ports.access?.write({ ...start, background: true, ms: this.age(), ...next })
    }
    this.call = this.call ? addTurn(this.call, next) : next
  }

  /** Receives the call if it is refused before a provider is called. */
  readonly refusedCall = ({ operation, stream, model, group }: RefusedCall): void => {
    this.requestedCall = { operation, stream, model, group }
  }

  refused(failure: CallFailure | string): void {
    this.error = typeof failure === 'string' ? failure : getFailureCode(failure)
  }

  /** Logs the request once its response is sent or its client has disconnected. */
  over(response: ServerResponse): void {
    this.isDone = true
    if (this.closed) this.end(response, this.closed)
  }

  private end(response: ServerResponse, { left }: { left: boolean }): void {
    this.ended(left && !response.headersSent ? CLIENT_CLOSED_REQUEST : response.statusCode, left)
  }

  /** Logs the request, once. @param left true if the client disconnected before the end */
  ended(status: number, left = false): void {
    if (this.isOver) return
    this.isOver = true
    const { trace, error = this.failure } = this
    const ms = this.age()
    const isSlow = this.slow_ms > 0 && ms >= this.slow_ms
    if (isSlow || this.gateway.ports.access) {
      const line = this.line({ status, left, ms, error })
      this.gateway.ports.access?.write(line)
      if (isSlow) this.gateway.ports.logger.warn('a slow call', line)
    }
    if (trace && this.calls === 0 && (error !== undefined || left)) {
      const { request_id, started_at } = this
      const why = error ?? (left ? 'left' : String(status))
      this.gateway.ports.tracer?.refused({
        trace,
        request_id,
        status,
        error: why,
        started_at,
        ended_at: started_at + ms,
      })
    }
  }

  private age = (): number => Math.max(0, this.gateway.ports.clock.now() - this.started_at)

  /** Builds the line of the log; undefined fields are not written. One literal: merging parts took as long as all the rest. */
  private line({ status, left, ms, error }: { status: number; left: boolean; ms: number; error: string | undefined }) {
    const { call, user } = this
    const requested = call ?? this.requestedCall
    return {
      time: isoTime(this.started_at),
      request_id: this.request_id,
      trace_id: this.trace?.trace_id,
      method: this.method,
      route: this.route,
      status,
      ms,
      left: left ? left : undefined,
      user_id: call?.user_id ?? user?.user_id,
      token_id: call?.token_id ?? user?.token_id,
      operation: requested?.operation,
      stream: requested?.stream,
      model: requested?.model,
      served: call?.served,
      group: requested?.group,
      channel_id: call?.channel_id,
      attempts: call?.attempts,
      first_content_ms: call?.first_content_ms,
      prompt_tokens: call?.prompt_tokens,
      completion_tokens: call?.completion_tokens,
      quota: call?.quota,
      came: call && call.status !== 'complete' ? call.status : undefined,
      turns: this.calls > 1 ? this.calls : undefined,
      error,
    }
  }
}

const isoTime = (at: number): string => new Date(at).toISOString()

/** Adds a turn to a session, which is logged as its last turn with the sums of all. */
const addTurn = (before: AccessedCall, next: AccessedCall): AccessedCall => ({
  ...next,
  first_content_ms: before.first_content_ms ?? next.first_content_ms,
  prompt_tokens: before.prompt_tokens + next.prompt_tokens,
  completion_tokens: before.completion_tokens + next.completion_tokens,
  quota: before.quota + next.quota,
})
