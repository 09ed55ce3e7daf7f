// Builds a call from a body, its caller and the headers of its request. A WebSocket of Responses has one request for many bodies.
import type { IncomingMessage } from 'node:http'
import { type Call, type Gateway, GatewayError, type UnreadCall } from '../core/index.ts'
import type { CallerDialect } from '../core/dialects/dialect.ts'
import type { IdentifiedCaller } from './key.ts'
import type { RequestObserver } from './request-observer.ts'
import { callByteBudget } from './budgets.ts'
import { getContentCoding, readPlainBody } from './middleware/body.ts'
import { isFormRequest } from './middleware/form.ts'

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

// Reports calls that are refused before their body is read. A small body is read all the same, so that the log and the
// access log name the model.

/** Reading and parsing a body of this size costs next to nothing. Unit: bytes. */
const SMALL_BODY = 64 * 1024
/** Maximum wait for the rest of a small body, in ms. */
const BODY_MS = 1000

/** Reports the refusal of a call that is not read yet. Never rejects. */
export async function reportUnread(
  gateway: Gateway,
  request: IncomingMessage,
  call: UnreadCall,
  error: unknown,
): Promise<void> {
  if (request.destroyed && !request.complete) return
  // An overloaded process reads nothing for a call that it refuses.
  const isBusy = error instanceof GatewayError && error.code === 'server.busy'
  const body = isBusy || call.place?.model !== undefined ? undefined : await readSmallBody(gateway, request, call)
  gateway.refuseCall({ ...call, ...(body ? { body } : {}) }, error)
}

/** Reads a small body that arrives at once; undefined for any other. */
async function readSmallBody(
  { ports: { clock } }: Gateway,
  request: IncomingMessage,
  { caller }: UnreadCall,
): Promise<Uint8Array | undefined> {
  const { 'content-length': length } = request.headers
  const isSmall = length !== undefined && Number(length) <= SMALL_BODY
  if (!isSmall || request.readableDidRead || getContentCoding(request) !== undefined || isFormRequest(request))
    return undefined
  const share = callByteBudget.share(caller.user.id, SMALL_BODY)
  const done = new AbortController()
  const timeout = clock.sleep(BODY_MS, done.signal).catch(() => undefined)
  try {
    return (await Promise.race([readPlainBody(request, SMALL_BODY, share), timeout])) ?? undefined
  } catch {
    return undefined
  } finally {
    done.abort()
    share.end()
  }
}
