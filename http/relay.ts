// The relay's door: key to caller, body to call, yields to the socket. Decides nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  admitToken,
  asGatewayError,
  billingOf,
  createStop,
  failureOf,
  GatewayError,
  openaiChat,
  parseKey,
  seconds,
  withRequestId,
  type Call,
  type CallCaller,
  type Gateway,
} from '../core/index.ts'
import type { CallFailure } from '../core/dialects/dialect.ts'
import type { AnyDialect } from '../core/dialects/format.ts'
import { changeMembers, jsonBytes } from '../core/dialects/json-bytes.ts'
import { memberOf, parsedBytes } from '../core/dialects/json-value.ts'
import { eventStream, jsonArray, type Framing } from './framing.ts'
import { readBody } from './middleware/body.ts'
import { isForm, readForm } from './middleware/form.ts'
import { modelShape } from './model-lists.ts'
import { distantPeer, type Peer } from './peer.ts'
import type { RelayRoute } from './relay-paths.ts'
import { signedIn } from './session.ts'
import { withLength } from './sound-length.ts'
import { createReplyStream } from './sse.ts'

const MIB = 1024 * 1024
const MAX_SESSION = 256
/** Names the charge of an answer: GET /api/receipts/{id} gives its signed receipt. */
const RECEIPT_HEADER = 'x-weir-receipt'
const REQUEST_ID_HEADERS = ['x-oneapi-request-id', 'x-request-id', 'request-id']

/** Serves one request of the relay. Never rejects. */
export function createRelayDoor(gateway: Gateway) {
  return async function serve(request: IncomingMessage, response: ServerResponse, route: RelayRoute): Promise<void> {
    const peer = distantPeer(gateway, request)
    // Names for one id: the ecosystem's own, and those that client libraries read (Anthropic's reads the last).
    for (const name of REQUEST_ID_HEADERS) response.setHeader(name, peer.request_id)
    allowOrigin(request, response)
    try {
      if (route.operation === 'preflight') return void response.writeHead(204).end()
      if (route.operation === 'unserved') throw new GatewayError('request.not_implemented')
      if (route.operation === 'unknown') {
        throw new GatewayError('request.unknown_path', { method: request.method ?? '', path: pathOf(request) })
      }
      if (route.operation === 'playground') return await playground(gateway, request, response, peer)
      const { caller, pin } = await identify(gateway, request, peer)
      if (route.operation === 'billing') {
        const billing = await billingOf(gateway.ports.storage, caller, gateway.settings())
        json(response, jsonBytes(billing[route.wanted]))
      } else if (route.operation === 'models' || route.operation === 'model')
        models(gateway, request, response, caller, route)
      else {
        const call = await readCall(gateway, request, response, route, caller, pin)
        if (response.destroyed) return
        if (route.operation === 'call') await chat(gateway, response, call, route.array ? jsonArray() : eventStream)
        else json(response, await gateway.countPrompt(call))
      }
    } catch (error) {
      if (!response.headersSent && !response.destroyed) refuse(gateway, request, response, route.dialect, peer, error)
    }
  }
}

/** @throws GatewayError key.absent, key.unknown */
async function identify(gateway: Gateway, request: IncomingMessage, peer: Peer) {
  const { headers } = request
  const presented =
    headers.authorization ||
    String(headers['x-api-key'] ?? '') ||
    String(headers['x-goog-api-key'] ?? '') ||
    // Gemini's clients may have it in the address.
    (queryOf(request).get('key') ?? '')
  const parsed = parseKey(presented)
  if (!parsed) throw new GatewayError('key.absent')
  const found = await gateway.callers.find(parsed.key)
  if (!found) throw new GatewayError('key.unknown')
  const caller: CallCaller = { ...peer, ...found, via: 'token' }
  return { caller, pin: parsed.pin }
}

/** A chat of a signed-in user: their quota pays, the body names the group. */
async function playground(gateway: Gateway, request: IncomingMessage, response: ServerResponse, peer: Peer) {
  const user = await signedIn(gateway, request)
  const caller: CallCaller = { ...peer, user, token: null, via: 'session' }
  const asked = await readCall(
    gateway,
    request,
    response,
    { dialect: openaiChat, operation: 'call' },
    caller,
    undefined,
  )
  if (response.destroyed) return
  const group = memberOf(parsedBytes(asked.body), 'group')
  const body = changeMembers(asked.body, new Map([['group', null]]))
  const call = { ...asked, body, caller: { ...caller, group: typeof group === 'string' ? group : '' } }
  await chat(gateway, response, call, eventStream)
}

async function readCall(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  { dialect, place }: RelayRoute & { operation: 'call' | 'count' },
  caller: CallCaller,
  pin: string | undefined,
): Promise<Call> {
  const started_at = gateway.ports.clock.now()
  const limit = gateway.settings()['relay.max_body_megabytes'] * MIB
  const takesForms = dialect.operation !== 'chat' && dialect.forms === true
  const { body, form } =
    takesForms && isForm(request)
      ? await formOf(request, response, dialect.operation === 'transcription', limit)
      : { body: await readBody(request, limit), form: undefined }
  const hangUp = createStop()
  response.on('close', () => !response.writableFinished && hangUp.now(new Error('the caller hung up')))
  return {
    inbound: dialect,
    body,
    caller,
    signal: hangUp.signal,
    started_at,
    ...(place || form ? { place: { ...place, ...(form ? { form } : {}) } } : {}),
    ...(pin === undefined ? {} : { pin }),
    ...sessionOf(request),
    ...headersOf(request, dialect),
  }
}

/** The files live as long as the answer. */
async function formOf(request: IncomingMessage, response: ServerResponse, isSound: boolean, limit: number) {
  const { body, form, discard } = await readForm(request, limit)
  response.on('close', discard)
  if (response.destroyed) await discard()
  else if (isSound) return { body, form: { ...form, files: await Promise.all(form.files.map(withLength)) } }
  return { body, form }
}

async function chat(gateway: Gateway, response: ServerResponse, call: Call, framing: Framing): Promise<void> {
  const settings = gateway.settings()
  const out = createReplyStream(response, framing)
  try {
    for await (const step of gateway.relay(call)) {
      if ('head' in step) out.head(step.head, 'pieces' in step)
      if ('pieces' in step) {
        const full = out.write(step.pieces)
        if (full) await full
      } else if ('admitted' in step) {
        // Before the first byte, also where that is a ping.
        response.setHeader(RECEIPT_HEADER, step.admitted.receipt)
        if (step.admitted.stream && settings['general_setting.ping_interval_enabled']) {
          out.keepAlive(settings['general_setting.ping_interval_seconds'] * 1000)
        }
      }
    }
  } catch (error) {
    // A ping may have begun the stream: then even the first failure has to be a frame.
    if (!out.begun()) throw error
    if (!call.signal.aborted) {
      const failure = withRequestId(failureOf(error), call.caller.request_id)
      await out.fail(call.inbound.writeErrorFrame(failure))
    }
  } finally {
    if (out.begun()) out.end()
  }
}

function models(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  caller: CallCaller,
  route: RelayRoute & { operation: 'models' | 'model' },
): void {
  admitToken(caller, seconds(gateway.ports.clock))
  const models = gateway.models(caller)
  const shape = modelShape(route.dialect)
  if (route.operation === 'models') return json(response, jsonBytes(shape.list(models, queryOf(request))))
  const model = models.find(({ id }) => id === route.model)
  if (!model) throw new GatewayError('model.missing', { model: route.model })
  json(response, jsonBytes(shape.one(model)))
}

const queryOf = ({ url }: IncomingMessage): URLSearchParams => new URLSearchParams((url ?? '').split('?', 2)[1] ?? '')

function json(response: ServerResponse, body: Uint8Array): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

/** The session that a client names in a header; calls of one session are sent where its beginning is cached. */
function sessionOf({ headers }: IncomingMessage): { session?: string } {
  const named = headers['x-session-id']
  return typeof named === 'string' && named !== '' ? { session: named.slice(0, MAX_SESSION) } : {}
}

/** What of the request's headers belongs to the dialect. */
function headersOf({ headers }: IncomingMessage, dialect: AnyDialect): { headers?: Record<string, string> } {
  if (!dialect.headers) return {}
  return {
    headers: Object.fromEntries(
      dialect.headers.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
    ),
  }
}

function refuse(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  dialect: AnyDialect,
  peer: Peer,
  error: unknown,
): void {
  const failure: CallFailure = failureOf(error)
  if (failure.status === 500 && failure.source === 'gateway') {
    const { code, detail, cause } = asGatewayError(error)
    gateway.ports.logger.error('relay failed', { request_id: peer.request_id, code, detail, cause })
  }
  const body = dialect.writeError(withRequestId(failure, peer.request_id))
  // What is refused is not charged.
  response.removeHeader(RECEIPT_HEADER)
  if (failure.retry_after_ms) response.setHeader('retry-after', Math.ceil(failure.retry_after_ms / 1000))
  // What was not read of a refused body is not worth reading.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(failure.status, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

/** Any page may call with a key of its own; cookies are never accepted here. */
function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers
  if (origin === undefined) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  response.setHeader(
    'access-control-expose-headers',
    `${REQUEST_ID_HEADERS.join(', ')}, ${RECEIPT_HEADER}, x-weir-model, x-weir-fallback, x-weir-dropped`,
  )
  if (request.method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS')
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-max-age', '86400')
}

const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?')[0] ?? ''
