// Serves calls: reads the body of a request into a call, and writes its answer. Decides nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { changeTopMembers, toJsonBytes } from '../core/dialects/json/json-bytes.ts'
import { parseRequestBody } from '../core/dialects/requests/request-body.ts'
import type { Call, CallCaller, Gateway } from '../core/index.ts'
import { createAbortSource, buildFailedStream, geminiGenerate, openaiChat } from '../core/index.ts'
import { type BodyShare, callByteBudget, relayCallBudget } from './budgets.ts'
import { buildRelayCall, reportUnread } from './build-call.ts'
import type { IdentifiedCaller } from './key.ts'
import { getContentCoding, readRequestBody, waitForTurn } from './middleware/body.ts'
import { isFormRequest, readRequestForm } from './middleware/form.ts'
import type { RequestPeer } from './peer.ts'
import { type HeaderList, CLIENT_DISCONNECTED } from './refuse.ts'
import type { CallRoute, RelayRoute } from './relay-route.ts'
import type { RequestObserver } from './request-observer.ts'
import { requireSignedIn } from './session.ts'
import { addSoundLength } from './sound-length.ts'
import { eventStreamFraming, type StreamFraming, createArrayFraming, plainEventStream, ReplyStream } from './sse.ts'

/** A request to the relay that is being served. */
export interface Exchange {
  gateway: Gateway
  request: IncomingMessage
  response: ServerResponse
  /** The first headers of the response. Handlers add to them. */
  headers: HeaderList
  peer: RequestPeer
  observer: RequestObserver | undefined
}

const MIB = 1024 * 1024

export async function serveCall(
  exchange: Exchange,
  route: RelayRoute<'call'>,
  caller: IdentifiedCaller,
): Promise<void> {
  const call = await readCall(exchange, route, caller)
  if (!exchange.response.destroyed) await writeAnswer(exchange, call, getFraming(route))
}

/** Writes the cost of a call that is not made. */
export async function serveEstimate(exchange: Exchange, route: RelayRoute<'estimate'>, caller: IdentifiedCaller) {
  const call = await readCall(exchange, route, caller)
  if (!exchange.response.destroyed) writeJson(exchange, toJsonBytes(await exchange.gateway.estimateCall(call)))
}

/** Counts the tokens of a prompt. A header marks a count that is an estimate because no provider counted. */
export async function serveCount(exchange: Exchange, route: RelayRoute<'count'>, caller: IdentifiedCaller) {
  const call = await readCall(exchange, route, caller)
  if (exchange.response.destroyed) return
  const { body, estimated } = await exchange.gateway.countPrompt(call)
  if (estimated) exchange.headers.push('x-weir-estimated', 'tokens')
  writeJson(exchange, body)
}

/** Serves a chat of a signed-in user: their quota pays, and the body names the group. */
export async function servePlayground(exchange: Exchange): Promise<void> {
  const { gateway, request, response, peer, observer } = exchange
  const user = await requireSignedIn(gateway, request)
  observer?.by(user.id, 0)
  const debt = (await gateway.callers.findDebt(user, user.id)) ?? undefined
  const caller: CallCaller = { ...peer, user, token: null, via: 'session', debt }
  const chatCall = await readCall(exchange, { dialect: openaiChat, operation: 'call' }, { caller, pin: undefined })
  if (response.destroyed) return
  const { group, max_tokens } = parseRequestBody(chatCall.body)
  // The page sends 0 until the user sets a limit. Providers reject 0.
  const unlimited = max_tokens === 0 ? [['max_tokens', null] as const] : []
  const body = changeTopMembers(chatCall.body, new Map([['group', null], ...unlimited]))
  const call = { ...chatCall, body, caller: { ...caller, group: typeof group === 'string' ? group : '' } }
  await writeAnswer(exchange, call, eventStreamFraming)
}

function getFraming({ dialect, array }: RelayRoute<'call'>): StreamFraming {
  if (array) return createArrayFraming()
  return dialect === geminiGenerate ? plainEventStream : eventStreamFraming
}

/** Reads the body of a call. A refusal is reported, except of an estimate, which is no call. */
async function readCall(
  { gateway, request, response, observer }: Exchange,
  route: CallRoute,
  { caller, pin }: IdentifiedCaller,
): Promise<Call> {
  const { dialect, place } = route
  const started_at = gateway.ports.clock.now()
  const settings = gateway.settings()
  const limit = settings['relay.max_body_megabytes'] * MIB
  try {
    const done = relayCallBudget.take(caller.user.id, settings['relay.max_calls'])
    if (response.closed) done()
    else response.once('close', done)
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    const announced =
      length === undefined && coding === undefined ? 0 : length === undefined ? undefined : Number(length)
    const isOfForm = dialect.operation !== 'chat' && dialect.forms === true && isFormRequest(request)
    const admitted = gateway.admitBody(caller, {
      bytes: announced,
      packed: getContentCoding(request) !== undefined,
      form: isOfForm,
    })
    if (admitted) await admitted
    const share = callByteBudget.share(caller.user.id, limit)
    const hangUp = createAbortSource()
    response.on('close', () => {
      share.end()
      if (!response.writableFinished) hangUp.now(CLIENT_DISCONNECTED)
    })
    const { body, form } = isOfForm
      ? await readFormBody(request, response, dialect.operation === 'transcription', limit, share)
      : { body: await readRequestBody(request, limit, share), form: undefined }
    const turn = waitForTurn(gateway, body)
    if (turn) await turn
    const own = {
      inbound: dialect,
      body,
      signal: hangUp.signal,
      started_at,
      place: form ? { ...place, form } : place,
      bytes: callByteBudget.share(caller.user.id, limit),
    }
    return buildRelayCall(request, own, { caller, pin }, observer)
  } catch (error) {
    if (route.operation !== 'estimate') {
      const refused = observer?.refusedCall
      await reportUnread(gateway, request, { inbound: dialect, place, caller, refused }, error)
    }
    throw error
  }
}

/** Reads a form. Its files are kept until the response is closed. */
async function readFormBody(
  request: IncomingMessage,
  response: ServerResponse,
  isSound: boolean,
  limit: number,
  share: Pick<BodyShare, 'take'>,
) {
  const { body, form, discard } = await readRequestForm(request, limit, share)
  response.on('close', discard)
  if (response.destroyed) await discard()
  else if (isSound) return { body, form: { ...form, files: await Promise.all(form.files.map(addSoundLength)) } }
  return { body, form }
}

/** Makes the call, and writes its answer as the provider sends it. */
async function writeAnswer(
  { gateway, response, headers }: Exchange,
  call: Call,
  framing: StreamFraming,
): Promise<void> {
  const settings = gateway.settings()
  const pings = settings['general_setting.ping_interval_enabled']
  const reply = new ReplyStream(
    response,
    framing,
    headers,
    pings ? settings['general_setting.ping_interval_seconds'] * 1000 : 0,
  )
  try {
    await gateway.relay(call, reply)
  } catch (error) {
    // A ping may have started the stream: then even the first failure has to be a frame.
    if (!reply.hasStarted()) throw error
    if (!call.signal.aborted) await reply.fail(buildFailedStream(call, error))
  } finally {
    if (reply.hasStarted()) reply.end()
  }
}

/** Writes the body of a whole answer. */
export function writeJson({ response, headers }: Pick<Exchange, 'response' | 'headers'>, body: Uint8Array): void {
  headers.push('content-type', 'application/json', 'content-length', String(body.length))
  response.writeHead(200, headers).end(body)
}
