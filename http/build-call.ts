// A call made of a request: its body and its caller, with what the headers say of it. A WebSocket of Responses has one request for
// many bodies.
import type { IncomingMessage } from 'node:http'
import type { Call } from '../core/index.ts'
import type { AnyDialect } from '../core/dialects/dialect.ts'
import type { Identified } from './key.ts'
import type { RequestObserver } from './witness.ts'

const MAX_SESSION = 256
/** With the value `cost` the usage of the answer contains the cost of the call. */
const USAGE_HEADER = 'x-weir-usage'

/** What the headers of a request do not say of its call. */
type OwnParts = Pick<Call, 'inbound' | 'body' | 'place' | 'signal' | 'started_at' | 'bytes' | 'memory' | 'generates'>

export function buildCall(
  request: IncomingMessage,
  { inbound, body, place, signal, started_at, bytes, memory, generates }: OwnParts,
  { caller, pin }: Identified,
  witness: RequestObserver | undefined,
): Call {
  return {
    inbound,
    body,
    caller,
    signal,
    started_at,
    place,
    bytes,
    pin,
    session: readSessionHeader(request),
    headers: inbound.headers && pickDialectHeaders(request, inbound),
    asks_cost: request.headers[USAGE_HEADER] === 'cost',
    memory,
    generates,
    trace: witness?.trace,
    heard: witness?.heard,
  }
}

/** The session that a client names in a header; calls of one session are sent where its beginning is cached. */
export function readSessionHeader({ headers }: IncomingMessage): string | undefined {
  const named = headers['x-session-id']
  return typeof named === 'string' && named !== '' ? named.slice(0, MAX_SESSION) : undefined
}

/** What of the request's headers belongs to the dialect. */
export function pickDialectHeaders({ headers }: IncomingMessage, dialect: AnyDialect): Record<string, string> {
  const theirs: Record<string, string> = {}
  for (const name of dialect.headers ?? []) if (headers[name]) theirs[name] = String(headers[name])
  return theirs
}
