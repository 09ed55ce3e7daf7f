// What is written down of a request when it is over: a line of the access log, one in the process's log where it was slow,
// and a span where it was refused. A call that was held for has its spans from its record (core/adapters/telemetry/).
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  toAccessLogEntry,
  getFailureCode,
  type AccessedCall,
  type CallRecord,
  type CallTrace,
  type Gateway,
} from '../core/index.ts'
import type { CallFailure } from '../core/dialects/call-failure.ts'
import type { Peer } from './peer.ts'

/** What nginx writes down of who did not wait: no answer has this status. */
export const CLIENT_CLOSED_REQUEST = 499

/** Undefined where nobody wants to know of requests. */
export function createRequestObserver(
  gateway: Gateway,
  request: IncomingMessage,
  peer: Pick<Peer, 'request_id'>,
  route: () => string,
): RequestObserver | undefined {
  const { tracer, access } = gateway.ports
  const slow_ms = gateway.settings()['log.slow_call_seconds'] * 1000
  return tracer || access || slow_ms > 0
    ? new RequestObserver(gateway, request, peer.request_id, route(), slow_ms)
    : undefined
}

export class RequestObserver {
  /** Of calls: their place in a trace, where they are traced. */
  trace: CallTrace | undefined
  private readonly gateway: Pick<Gateway, 'ports'>
  private readonly request_id: string
  private readonly method: string
  private readonly slow_ms: number
  private readonly started_at: number
  private who: { user_id: number; token_id?: number } | undefined
  private call: AccessedCall | undefined
  /** Turns of a session; calls have one. */
  private calls = 0
  /** Why it was refused. */
  private error: string | undefined
  /** Why its call failed. */
  private failure: string | undefined
  private isOver = false
  /** Its answer is no longer waited for: whether its caller had it whole. */
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

  /** It is a call of the relay: it has a place in a trace. */
  traced({ headers }: IncomingMessage): this {
    const { traceparent, tracestate } = headers as Record<string, string | undefined>
    this.trace = this.gateway.ports.tracer?.begin({ traceparent, tracestate, method: this.method, route: this.route })
    return this
  }

  /** From its beginning: what is ended when its caller has gone looks as if it had been read. */
  watching(response: ServerResponse): this {
    response.once('close', () => {
      this.closed = { left: !response.writableFinished }
      if (this.isDone) this.end(response, this.closed)
    })
    return this
  }

  by(user_id: number, token_id?: number): void {
    this.who = token_id === undefined ? { user_id } : { user_id, token_id }
  }

  /** What came of the call, or of a session's turn. Of an answer that nobody waited for it comes when all is over. */
  readonly heard = (record: CallRecord): void => {
    this.calls++
    this.failure = record.failure && getFailureCode(record.failure)
    // Where calls are only traced nobody reads it.
    if (this.slow_ms === 0 && !this.gateway.ports.access) return
    const next = toAccessLogEntry(record)
    if (this.isOver) {
      const { request_id, trace } = this
      const begun = { time: isoTime(this.started_at), request_id, trace_id: trace?.trace_id }
      return this.gateway.ports.access?.write({ ...begun, background: true, ms: this.age(), ...next })
    }
    this.call = this.call ? added(this.call, next) : next
  }

  refused(failure: CallFailure | string): void {
    this.error = typeof failure === 'string' ? failure : getFailureCode(failure)
  }

  /** Writes it down once the answer has left, or nobody is there to have it. */
  over(response: ServerResponse): void {
    this.isDone = true
    if (this.closed) this.end(response, this.closed)
  }

  private end(response: ServerResponse, { left }: { left: boolean }): void {
    this.ended(left && !response.headersSent ? CLIENT_CLOSED_REQUEST : response.statusCode, left)
  }

  /** @param left its caller did not wait for the end */
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

  /** What is not there is not written. One value of one shape: parts laid over one another took as long as all the rest. */
  private line({ status, left, ms, error }: { status: number; left: boolean; ms: number; error: string | undefined }) {
    const { call, who } = this
    return {
      time: isoTime(this.started_at),
      request_id: this.request_id,
      trace_id: this.trace?.trace_id,
      method: this.method,
      route: this.route,
      status,
      ms,
      left: left ? left : undefined,
      user_id: call?.user_id ?? who?.user_id,
      token_id: call?.token_id ?? who?.token_id,
      operation: call?.operation,
      stream: call?.stream,
      model: call?.model,
      served: call?.served,
      group: call?.group,
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

/** A session is told of by its last turn, with the sums of all. */
const added = (before: AccessedCall, next: AccessedCall): AccessedCall => ({
  ...next,
  first_content_ms: before.first_content_ms ?? next.first_content_ms,
  prompt_tokens: before.prompt_tokens + next.prompt_tokens,
  completion_tokens: before.completion_tokens + next.completion_tokens,
  quota: before.quota + next.quota,
})
