// The headers of every response of the relay, and the refusal of a call in the client's dialect.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  asGatewayError,
  isUnexpected,
  toCallFailure,
  GatewayError,
  withRequestId,
  type CallTrace,
  type Gateway,
} from '../core/index.ts'
import type { CallFailure } from '../core/dialects/call-failure.ts'
import type { AnyDialect } from '../core/dialects/dialect.ts'
import { endAnswer } from './early-answer.ts'
import type { Peer } from './peer.ts'

/** Header with the id of the charge of an answer. GET /api/receipts/{id} returns its signed receipt. */
export const RECEIPT_HEADER = 'x-weir-receipt'
/** Headers with the request id: the ecosystem's, and those that client libraries read (Anthropic's reads the last). */
export const REQUEST_ID_HEADERS = ['x-oneapi-request-id', 'x-request-id', 'request-id'] as const

/** Header names and values in one flat list: the fastest form to write in Node. */
export type HeaderList = string[]

/** Builds the first headers of a response: request id and CORS. Any page may call with a key, since cookies do not count here. */
export function introduction({ headers, method }: IncomingMessage, requestId: string): HeaderList {
  const list = [REQUEST_ID_HEADERS[0], requestId, REQUEST_ID_HEADERS[1], requestId, REQUEST_ID_HEADERS[2], requestId]
  list.push('x-content-type-options', 'nosniff')
  const { origin } = headers
  if (origin === undefined) return list
  list.push('access-control-allow-origin', origin, 'vary', 'origin', 'access-control-expose-headers', EXPOSED)
  if (method !== 'OPTIONS') return list
  list.push('access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS', 'access-control-max-age', '86400')
  list.push('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
  return list
}

const EXPOSED = `${REQUEST_ID_HEADERS.join(', ')}, ${RECEIPT_HEADER}, x-weir-model, x-weir-fallback, x-weir-dropped, x-weir-estimated`

/** Responds with the status and body of a failure, and returns the failure. Unexpected errors are logged. */
export function refuse(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  dialect: AnyDialect,
  peer: Pick<Peer, 'request_id' | 'language'>,
  error: unknown,
  trace?: CallTrace,
): CallFailure {
  const failure: CallFailure = toCallFailure(error)
  if (error instanceof GatewayError) gateway.metrics.refused(error.code)
  if (failure.status === 500 && failure.source === 'gateway') logFailure(gateway, error, { ...peer, trace })
  const body = dialect.writeError(withRequestId(failure, peer))
  const headers = introduction(request, peer.request_id)
  headers.push('content-type', 'application/json', 'content-length', String(body.length))
  if (error instanceof GatewayError && error.code === 'request.wrong_method') {
    headers.push('allow', String(error.parameters.allowed))
  }
  if (failure.retry_after_ms) headers.push('retry-after', String(Math.ceil(failure.retry_after_ms / 1000)))
  // The rest of a refused body is not read.
  if (!request.complete) headers.push('connection', 'close')
  endAnswer(request, response.writeHead(failure.status, headers), body)
  return failure
}

/**
 * Writes a line for an error of Weir itself. A provider that cannot be reached is expected, and has its line from the
 * attempt; without an attempt it has a short one here.
 */
export function logFailure(
  { ports: { logger } }: Gateway,
  error: unknown,
  { request_id, trace }: { request_id: string; trace?: CallTrace | undefined },
): void {
  const ids = { request_id, ...traceIds(trace) }
  const { code, detail, cause, kind, network } = asGatewayError(error)
  if (isUnexpected(error)) logger.error('relay failed', { ...ids, code, detail, cause })
  else if (!(error instanceof GatewayError)) return
  else if (kind === 'upstream') logger.warn('a provider failed', { ...ids, code, network, detail })
  else logger.error('relay failed', { ...ids, code, detail, cause })
}

/** Returns the ids that connect a line of the log with its trace. */
const traceIds = (trace: CallTrace | undefined) => (trace ? { trace_id: trace.trace_id, span_id: trace.span_id } : {})

/** The abort reason after a client disconnect. One shared error: its stack is never read, and thousands may disconnect at once. */
export const HUNG_UP: Error = new Error('the caller hung up')
