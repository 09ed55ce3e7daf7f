// Builds a call from a body, its caller and the headers of its request. A WebSocket of Responses has one request for many bodies.
import type { IncomingMessage } from 'node:http'
import type { Call } from '../core/index.ts'
import type { CallerDialect } from '../core/dialects/dialect.ts'
import type { IdentifiedCaller } from './key.ts'
import type { RequestObserver } from './request-observer.ts'

const MAX_SESSION = 256
/** Header that requests the cost of the call in the usage of the answer, with the value `cost`. */
const USAGE_HEADER = 'x-weir-usage'

/** The parts of a call that are not in the headers of its request. */
type OwnParts = Pick<Call, 'inbound' | 'body' | 'place' | 'signal' | 'started_at' | 'bytes' | 'memory' | 'generates'>

export function buildRelayCall(
  request: IncomingMessage,
  { inbound, body, place, signal, started_at, bytes, memory, generates }: OwnParts,
  { caller, pin }: IdentifiedCaller,
  observer: RequestObserver | undefined,
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
    trace: observer?.trace,
    onFinished: observer?.onFinished,
    refused: observer?.refusedCall,
  }
}

/** Returns the session id from the client's header. Calls of one session are sent to the channel that has their prompt cached. */
export function readSessionHeader({ headers }: IncomingMessage): string | undefined {
  const named = headers['x-session-id']
  return typeof named === 'string' && named !== '' ? named.slice(0, MAX_SESSION) : undefined
}

/** Picks the request's headers that belong to the dialect. */
export function pickDialectHeaders({ headers }: IncomingMessage, dialect: CallerDialect): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of dialect.headers ?? []) if (headers[name]) picked[name] = String(headers[name])
  return picked
}
