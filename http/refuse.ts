// What every answer of the relay says in its head, and how a call is refused in its caller's dialect.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { asGatewayError, failureOf, withRequestId, type Gateway } from '../core/index.ts'
import type { CallFailure } from '../core/dialects/dialect.ts'
import type { AnyDialect } from '../core/dialects/format.ts'

/** Names the charge of an answer: GET /api/receipts/{id} gives its signed receipt. */
export const RECEIPT_HEADER = 'x-weir-receipt'
/** Names for one id: the ecosystem's own, and those that client libraries read (Anthropic's reads the last). */
export const REQUEST_ID_HEADERS = ['x-oneapi-request-id', 'x-request-id', 'request-id'] as const

/** The id under which the operator finds the call; and any page may call with a key of its own: cookies count nothing here. */
export function introduce(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  for (const name of REQUEST_ID_HEADERS) response.setHeader(name, requestId)
  const { origin } = request.headers
  if (origin === undefined) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  response.setHeader(
    'access-control-expose-headers',
    `${REQUEST_ID_HEADERS.join(', ')}, ${RECEIPT_HEADER}, x-weir-model, x-weir-fallback, x-weir-dropped, x-weir-estimated`,
  )
  if (request.method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS')
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-max-age', '86400')
}

/** Answers with the failure's status and body. What we did not foresee is logged. */
export function refuse(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  dialect: AnyDialect,
  requestId: string,
  error: unknown,
): void {
  const failure: CallFailure = failureOf(error)
  if (failure.status === 500 && failure.source === 'gateway') {
    const { code, detail, cause } = asGatewayError(error)
    gateway.ports.logger.error('relay failed', { request_id: requestId, code, detail, cause })
  }
  const body = dialect.writeError(withRequestId(failure, requestId))
  // What is refused is not charged.
  response.removeHeader(RECEIPT_HEADER)
  if (failure.retry_after_ms) response.setHeader('retry-after', Math.ceil(failure.retry_after_ms / 1000))
  // What was not read of a refused body is not worth reading.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(failure.status, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}
