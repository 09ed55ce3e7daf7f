// The headers of every response of the relay, and the refusal of a call in the client's dialect.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallFailure } from '../core/dialects/answers/call-failure.ts'
import type { CallerDialect } from '../core/dialects/dialect.ts'
import type { CallTrace, Gateway } from '../core/index.ts'
import { asGatewayError, GatewayError, isUnexpected, toCallFailure, withRequestId } from '../core/index.ts'
import type { RequestPeer } from './peer.ts'

// Responses to clients that are still sending. If a connection is closed with unread bytes, the system resets it, and
// the client may lose the response. Hence a lingering close, as in nginx.

/** Maximum wait for the rest of a refused request, in ms. */
const LINGER_MS = 2000
/** Bytes of the rest that are read and dropped. Beyond that, reading stops and the client has to wait. */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024

/**
 * Ends a response. If its request is not complete, sends the whole response at once, and closes the connection once the
 * request has ended, the client has disconnected, or the wait is over. The head must contain the length.
 */
export function endHttpAnswer(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  if (request.complete || request.destroyed) return void response.end(body)
  response.write(body)
  let remaining = MAX_DROPPED_BYTES
  request.unpipe()
  request.on('data', (part: Buffer) => {
    remaining -= part.length
    if (remaining < 0) request.pause()
  })
  const close = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(close, LINGER_MS)
  request.once('end', close).once('close', close)
}

/** Header with the id of the charge of an answer. GET /api/receipts/{id} returns its signed receipt. */
export const RECEIPT_ID_HEADER = 'x-weir-receipt'
/** Headers with the request id: the ecosystem's, and those that client libraries read (Anthropic's reads the last). */
export const REQUEST_ID_HEADERS = ['x-oneapi-request-id', 'x-request-id', 'request-id'] as const

/** Returns true if a client should not wait for a retry. */
export const isFinalRefusal = ({ retry_after_ms = 0, is_final = false }: CallFailure): boolean =>
  is_final || retry_after_ms > LONGEST_RETRY_MS

/** Header that clients of OpenAI and Anthropic obey before any status. */
export const SHOULD_RETRY_HEADER = 'x-should-retry'
const EXPOSED = `${REQUEST_ID_HEADERS.join(', ')}, ${RECEIPT_ID_HEADER}, x-weir-model, x-weir-fallback, x-weir-dropped, x-weir-estimated, retry-after, ${SHOULD_RETRY_HEADER}`
/** A refusal that lasts longer than this is final for a client, which would seem to hang. Unit: ms. */
const LONGEST_RETRY_MS = 60_000

/** Header names and values in one flat list: the fastest form to write in Node. */
export type HeaderList = string[]

/**
 * Builds the first headers of a response: request id and CORS. Any page may call with a key, since cookies do not count
 * here.
 */
export function buildFirstHeaders({ headers, method }: IncomingMessage, requestId: string): HeaderList {
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

/** Responds with the status and body of a failure, and returns the failure. Unexpected errors are logged. */
export function sendRefusal(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  dialect: CallerDialect,
  peer: Pick<RequestPeer, 'request_id' | 'language'>,
  error: unknown,
  trace?: CallTrace,
): CallFailure {
  const failure: CallFailure = toCallFailure(error)
  if (error instanceof GatewayError) gateway.metrics.refused(error.code)
  if (failure.status === 500 && failure.source === 'gateway') logRequestFailure(gateway, error, { ...peer, trace })
  const isFinal = isFinalRefusal(failure)
  const status = (isFinal && dialect.finalStatus) || failure.status
  const body = dialect.writeErrorReply(withRequestId({ ...failure, status }, peer))
  const headers = buildFirstHeaders(request, peer.request_id)
  headers.push('content-type', 'application/json', 'content-length', String(body.length))
  if (error instanceof GatewayError && error.code === 'request.wrong_method') {
    headers.push('allow', String(error.parameters.allowed))
  }
  // Official clients wait for the time in Retry-After, unless this header stops them.
  if (isFinal) headers.push(SHOULD_RETRY_HEADER, 'false')
  if (failure.retry_after_ms) headers.push('retry-after', String(Math.ceil(failure.retry_after_ms / 1000)))
  // The rest of a refused body is not read.
  if (!request.complete) headers.push('connection', 'close')
  endHttpAnswer(request, response.writeHead(status, headers), body)
  return { ...failure, status }
}

/**
 * Writes a line for an error of Weir itself. A provider that cannot be reached is expected, and has its line from the
 * attempt; without an attempt it has a short one here.
 */
export function logRequestFailure(
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

/**
 * The abort reason after a client disconnect. One shared error: its stack is never read, and thousands may disconnect
 * at once.
 */
export const CLIENT_DISCONNECTED: Error = new Error('the caller hung up')
