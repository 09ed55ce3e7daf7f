// The relay's door: key to caller, body to call, a reply to write the answer into. Decides nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  admitToken,
  getBilling,
  createAbortSource,
  failedStream,
  findModel,
  geminiGenerate,
  GatewayError,
  openaiChat,
  seconds,
  type Call,
  type CallCaller,
  type Gateway,
} from '../core/index.ts'
import { changeMembers, jsonBytes } from '../core/dialects/json-bytes.ts'
import { asObject, parseJsonBytes } from '../core/dialects/json-value.ts'
import { parseRequestBody } from '../core/dialects/request-body.ts'
import { answerById } from './answers.ts'
import { buildCall } from './build-call.ts'
import { eventStream, jsonArray, plainEventStream, type Framing } from './framing.ts'
import { callBytes, type BodyShare } from './body-budget.ts'
import { relayCalls } from './call-budget.ts'
import { packing, readBody, readPlainBody } from './middleware/body.ts'
import { isForm, readForm } from './middleware/form.ts'
import { identify, parseQuery, type Identified } from './key.ts'
import { modelShape } from './model-lists.ts'
import { distantPeer, type Peer } from './peer.ts'
import { HUNG_UP, introduction, refuse, type HeaderList } from './refuse.ts'
import type { Asking, RelayRoute } from './relay-route.ts'
import { routeName } from './route-name.ts'
import { requireSignedIn, viewing } from './session.ts'
import { withLength } from './sound-length.ts'
import { ReplyStream } from './sse.ts'
import { servePicture, serveTask, serveTaskFile } from './tasks.ts'
import { createRequestObserver, type RequestObserver } from './witness.ts'

const MIB = 1024 * 1024

/** Serves one request of the relay. Never rejects. */
export function createRelayHandler(gateway: Gateway) {
  gateway.metrics.reads('weir_body_bytes', () => callBytes.bytes)
  return async function serve(request: IncomingMessage, response: ServerResponse, route: RelayRoute): Promise<void> {
    const peer = distantPeer(gateway, request)
    const headers = introduction(request, peer.request_id)
    const witness = createRequestObserver(gateway, request, peer, () => routeName(route, request.url ?? ''))
      ?.traced(request)
      .watching(response)
    try {
      if (route.operation === 'preflight') return void response.writeHead(204, headers).end()
      if (route.operation === 'websocket') throw new GatewayError('request.websocket')
      if (route.operation === 'wrong_method') {
        throw new GatewayError('request.wrong_method', { method: request.method ?? '', allowed: route.allowed })
      }
      if (route.operation === 'unknown') {
        throw new GatewayError('request.unknown_path', { method: request.method ?? '', path: pathOf(request) })
      }
      if (route.operation === 'task_file') {
        const user = await viewing(gateway, request)
        return await serveTaskFile(gateway, request, response, { user, id: route.id }, headers)
      }
      if (route.operation === 'playground') return await playground(gateway, request, response, peer, headers, witness)
      if (route.operation === 'notice') {
        const known = await gateway.taskNotice(route.key)
        const challenge = await challengeIn(request)
        // Asked before the task is known, by who wants to know whether somebody listens.
        if (challenge !== undefined) return json(response, headers, jsonBytes({ challenge }))
        return void response.writeHead(known ? 204 : 404, headers).end()
      }
      if (route.operation === 'task' && route.task.route.wants === 'image') {
        return await servePicture(gateway, request, response, route.task.path.id ?? '', headers)
      }
      const found = identify(gateway, request, peer)
      const { caller, pin } = found instanceof Promise ? await found : found
      witness?.by(caller.user.id, caller.token?.id)
      if (route.operation === 'task') {
        await serveTask(gateway, request, response, { caller, pin, witness }, route.task, headers)
      } else if (route.operation === 'billing') {
        const billing = await getBilling(gateway.ports.storage, caller, gateway.settings())
        json(response, headers, jsonBytes(billing[route.wanted]))
      } else if (route.operation === 'models' || route.operation === 'model') {
        json(response, headers, models(gateway, request, caller, route))
      } else if (route.operation === 'answer') {
        json(response, headers, await answerById(gateway, request, response, caller, route.answer))
      } else {
        const call = await readCall(gateway, request, response, route, { caller, pin, witness })
        if (response.destroyed) return
        if (route.operation === 'call') await chat(gateway, response, call, headers, framingOf(route))
        else if (route.operation === 'estimate') json(response, headers, jsonBytes(await gateway.estimateCall(call)))
        else await count(gateway, response, call, headers)
      }
    } catch (error) {
      if (response.headersSent || response.destroyed) return
      const refused = refuse(gateway, request, response, route.dialect, peer, error, witness?.trace)
      witness?.refused(refused)
    } finally {
      witness?.over(response)
    }
  }
}

const MAX_NOTICE_BYTES = 64 * 1024
const MAX_CHALLENGE = 256

/** The word that a provider wants to hear again before it tells of tasks; of a notice nothing else is read. */
async function challengeIn(request: IncomingMessage): Promise<string | undefined> {
  const body = await readPlainBody(request, MAX_NOTICE_BYTES).catch(() => new Uint8Array())
  const challenge = asObject(parseJsonBytes(body))?.challenge
  return typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE ? challenge : undefined
}

function framingOf({ dialect, array }: RelayRoute & Asking): Framing {
  if (array) return jsonArray()
  return dialect === geminiGenerate ? plainEventStream : eventStream
}

/** How many tokens a prompt has; says so where no provider counted them. */
async function count(gateway: Gateway, response: ServerResponse, call: Call, headers: HeaderList): Promise<void> {
  const { body, estimated } = await gateway.countPrompt(call)
  if (estimated) headers.push('x-weir-estimated', 'tokens')
  json(response, headers, body)
}

/** A chat of a signed-in user: their quota pays, the body names the group. */
async function playground(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  peer: Peer,
  headers: HeaderList,
  witness: RequestObserver | undefined,
) {
  const user = await requireSignedIn(gateway, request)
  witness?.by(user.id, 0)
  const debt = (await gateway.callers.findDebt(user, user.id)) ?? undefined
  const caller: CallCaller = { ...peer, user, token: null, via: 'session', debt }
  const asked = await readCall(
    gateway,
    request,
    response,
    { dialect: openaiChat, operation: 'call' },
    { caller, pin: undefined, witness },
  )
  if (response.destroyed) return
  const { group, max_tokens } = parseRequestBody(asked.body)
  // The page says 0 until somebody sets a limit, which providers refuse.
  const unlimited = max_tokens === 0 ? [['max_tokens', null] as const] : []
  const body = changeMembers(asked.body, new Map([['group', null], ...unlimited]))
  const call = { ...asked, body, caller: { ...caller, group: typeof group === 'string' ? group : '' } }
  await chat(gateway, response, call, headers, eventStream)
}

async function readCall(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  { dialect, place }: RelayRoute & Asking,
  { caller, pin, witness }: Identified & { witness: RequestObserver | undefined },
): Promise<Call> {
  const started_at = gateway.ports.clock.now()
  const settings = gateway.settings()
  const done = relayCalls.take(caller.user.id, settings['relay.max_calls'])
  if (response.closed) done()
  else response.once('close', done)
  const limit = settings['relay.max_body_megabytes'] * MIB
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const told = length === undefined && coding === undefined ? 0 : length === undefined ? undefined : Number(length)
  const isOfForm = dialect.operation !== 'chat' && dialect.forms === true && isForm(request)
  const admitted = gateway.admitBody(caller, { bytes: told, packed: packing(request) !== undefined, form: isOfForm })
  if (admitted) await admitted
  const share = callBytes.share(caller.user.id, limit)
  const hangUp = createAbortSource()
  response.on('close', () => {
    share.end()
    if (!response.writableFinished) hangUp.now(HUNG_UP)
  })
  const { body, form } = isOfForm
    ? await formOf(request, response, dialect.operation === 'transcription', limit, share)
    : { body: await readBody(request, limit, share), form: undefined }
  const own = {
    inbound: dialect,
    body,
    signal: hangUp.signal,
    started_at,
    place: form ? { ...place, form } : place,
    bytes: callBytes.share(caller.user.id, limit),
  }
  return buildCall(request, own, { caller, pin }, witness)
}

/** The files live as long as the answer. */
async function formOf(
  request: IncomingMessage,
  response: ServerResponse,
  isSound: boolean,
  limit: number,
  share: Pick<BodyShare, 'take'>,
) {
  const { body, form, discard } = await readForm(request, limit, share)
  response.on('close', discard)
  if (response.destroyed) await discard()
  else if (isSound) return { body, form: { ...form, files: await Promise.all(form.files.map(withLength)) } }
  return { body, form }
}

async function chat(
  gateway: Gateway,
  response: ServerResponse,
  call: Call,
  headers: HeaderList,
  framing: Framing,
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
    // A ping may have begun the stream: then even the first failure has to be a frame.
    if (!reply.begun()) throw error
    if (!call.signal.aborted) await reply.fail(failedStream(call, error))
  } finally {
    if (reply.begun()) reply.end()
  }
}

function models(
  gateway: Gateway,
  request: IncomingMessage,
  caller: CallCaller,
  route: RelayRoute & { operation: 'models' | 'model' },
): Uint8Array {
  admitToken(caller, seconds(gateway.ports.clock))
  const models = gateway.models(caller)
  const shape = modelShape(route.dialect)
  if (route.operation === 'models') return jsonBytes(shape.list(models, parseQuery(request)))
  const model = findModel(route.model, models)
  if (!model) throw new GatewayError('model.missing', { model: route.model })
  return jsonBytes(shape.one(model))
}

function json(response: ServerResponse, headers: HeaderList, body: Uint8Array): void {
  headers.push('content-type', 'application/json', 'content-length', String(body.length))
  response.writeHead(200, headers).end(body)
}

const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?')[0] ?? ''
