// The request handler of the relay: finds the caller by the key, builds a call from the body, writes the answer. Decides nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { changeMembers, jsonBytes } from '../core/dialects/json-bytes.ts'
import { asObject, parseJsonBytes } from '../core/dialects/json-value.ts'
import { parseRequestBody } from '../core/dialects/request-body.ts'
import { NOTIFY_PATH } from '../core/dialects/tasks/notify-path.ts'
import {
  admitToken,
  type Call,
  type CallCaller,
  createAbortSource,
  failedStream,
  findModel,
  type Gateway,
  GatewayError,
  geminiGenerate,
  getBilling,
  openaiChat,
  seconds,
} from '../core/index.ts'
import { normalizePath } from './base-path.ts'
import { type BodyShare, callBytes, relayCalls } from './budgets.ts'
import { buildCall } from './build-call.ts'
import { type Identified, identify, parseQuery } from './key.ts'
import { packing, readBody, readPlainBody } from './middleware/body.ts'
import { isForm, readForm } from './middleware/form.ts'
import { modelShape } from './model-lists.ts'
import { distantPeer, type Peer } from './peer.ts'
import { type HeaderList, HUNG_UP, introduction, refuse } from './refuse.ts'
import type { AnswerRoute, Asking, RelayRoute } from './relay-paths.ts'
import { createRequestObserver, type RequestObserver } from './request-observer.ts'
import { requireSignedIn, viewing } from './session.ts'
import { withLength } from './sound-length.ts'
import { eventStream, type Framing, jsonArray, plainEventStream, ReplyStream } from './sse.ts'
import { servePicture, serveTask, serveTaskFile } from './tasks.ts'
import { reportUnread } from './unread-call.ts'

// Returns stored responses by their id, for clients of the Responses API. Decides nothing.

export function answerById(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  caller: CallCaller,
  route: AnswerRoute,
): Promise<Uint8Array> {
  const hangUp = createAbortSource()
  response.on('close', () => response.writableFinished || hangUp.now(HUNG_UP))
  return gateway.answerById(caller, { ...route, query: parseQuery(request) }, hangUp.signal)
}

// The path of a request for logs and traces: a pattern that contains no secret and is the same for all requests of a kind.

/** The name of a model in a path. The word after its last colon is the action. */
const MODEL = /^(.*\/(?:models|engines)\/).+?(:\w+|\/[a-z/]+)?$/

/** Returns the pattern of a request to the relay; `other` for unknown paths, which may contain anything. */
export function routeName(route: RelayRoute, url: string): string {
  switch (route.operation) {
    case 'call':
    case 'count':
    case 'estimate': {
      const path = normalizePath(url.split('?', 1)[0] ?? '')
      return route.place?.model === undefined ? path : path.replace(MODEL, '$1{model}$2')
    }
    case 'task':
      return route.task.route.path
    case 'answer':
      return `/v1/responses/{id}${BEHIND[route.answer.wanted] ?? ''}`
    case 'models':
      return '/v1/models'
    case 'model':
      return '/v1/models/{model}'
    case 'playground':
      return '/pg/chat/completions'
    case 'task_file':
      return '/pg/tasks/{id}/content'
    case 'billing':
      return `/dashboard/billing/${route.wanted}`
    case 'notice':
      return `${NOTIFY_PATH}{key}`
    case 'websocket':
      return '/v1/realtime'
    default:
      return 'other'
  }
}

const BEHIND: Record<string, string> = { input: '/input_items', cancel: '/cancel' }

const MIB = 1024 * 1024

/** Serves one request of the relay. Never rejects. */
export function createRelayHandler(gateway: Gateway) {
  gateway.metrics.reads('weir_body_bytes', () => callBytes.bytes)
  return async function serve(request: IncomingMessage, response: ServerResponse, route: RelayRoute): Promise<void> {
    const peer = distantPeer(gateway, request)
    const headers = introduction(request, peer.request_id)
    const observer = createRequestObserver(gateway, request, peer, () => routeName(route, request.url ?? ''))
      ?.traced(request)
      .watching(response)
    try {
      if (route.operation === 'preflight') return void response.writeHead(204, headers).end()
      if (route.operation === 'websocket') throw new GatewayError('request.websocket')
      if (route.operation === 'wrong_method') {
        throw new GatewayError('request.wrong_method', { method: request.method ?? '', allowed: route.allowed })
      }
      if (route.operation === 'unknown') {
        throw new GatewayError('request.unknown_path', { method: request.method ?? '', path: getPath(request) })
      }
      if (route.operation === 'task_file') {
        const user = await viewing(gateway, request)
        return await serveTaskFile(gateway, request, response, { user, id: route.id }, headers)
      }
      if (route.operation === 'playground') return await playground(gateway, request, response, peer, headers, observer)
      if (route.operation === 'notice') {
        const known = await gateway.taskNotice(route.key)
        const challenge = await readChallenge(request)
        // A provider sends the challenge before the task is known, to check that the address answers.
        if (challenge !== undefined) return json(response, headers, jsonBytes({ challenge }))
        return void response.writeHead(known ? 204 : 404, headers).end()
      }
      if (route.operation === 'task' && route.task.route.wants === 'image') {
        return await servePicture(gateway, request, response, route.task.path.id ?? '', headers)
      }
      const found = identify(gateway, request, peer)
      const { caller, pin } = found instanceof Promise ? await found : found
      observer?.by(caller.user.id, caller.token?.id)
      if (route.operation === 'task') {
        await serveTask(gateway, request, response, { caller, pin, observer }, route.task, headers)
      } else if (route.operation === 'billing') {
        const billing = await getBilling(gateway.ports.storage, caller, gateway.settings())
        json(response, headers, jsonBytes(billing[route.wanted]))
      } else if (route.operation === 'models' || route.operation === 'model') {
        json(response, headers, models(gateway, request, caller, route))
      } else if (route.operation === 'answer') {
        json(response, headers, await answerById(gateway, request, response, caller, route.answer))
      } else {
        const call = await readCall(gateway, request, response, route, { caller, pin, observer })
        if (response.destroyed) return
        if (route.operation === 'call') await chat(gateway, response, call, headers, getFraming(route))
        else if (route.operation === 'estimate') json(response, headers, jsonBytes(await gateway.estimateCall(call)))
        else await count(gateway, response, call, headers)
      }
    } catch (error) {
      if (response.headersSent || response.destroyed) return
      const refused = refuse(gateway, request, response, route.dialect, peer, error, observer?.trace)
      observer?.refused(refused)
    } finally {
      observer?.over(response)
    }
  }
}

const MAX_NOTICE_BYTES = 64 * 1024
const MAX_CHALLENGE = 256

/** Reads the challenge that a provider expects back before it sends notices. Nothing else of a notice is read. */
async function readChallenge(request: IncomingMessage): Promise<string | undefined> {
  const body = await readPlainBody(request, MAX_NOTICE_BYTES).catch(() => new Uint8Array())
  const challenge = asObject(parseJsonBytes(body))?.challenge
  return typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE ? challenge : undefined
}

function getFraming({ dialect, array }: RelayRoute & Asking): Framing {
  if (array) return jsonArray()
  return dialect === geminiGenerate ? plainEventStream : eventStream
}

/** Counts the tokens of a prompt. A header marks a count that is an estimate because no provider counted. */
async function count(gateway: Gateway, response: ServerResponse, call: Call, headers: HeaderList): Promise<void> {
  const { body, estimated } = await gateway.countPrompt(call)
  if (estimated) headers.push('x-weir-estimated', 'tokens')
  json(response, headers, body)
}

/** Serves a chat of a signed-in user: their quota pays, and the body names the group. */
async function playground(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  peer: Peer,
  headers: HeaderList,
  observer: RequestObserver | undefined,
) {
  const user = await requireSignedIn(gateway, request)
  observer?.by(user.id, 0)
  const debt = (await gateway.callers.findDebt(user, user.id)) ?? undefined
  const caller: CallCaller = { ...peer, user, token: null, via: 'session', debt }
  const chatCall = await readCall(
    gateway,
    request,
    response,
    { dialect: openaiChat, operation: 'call' },
    { caller, pin: undefined, observer },
  )
  if (response.destroyed) return
  const { group, max_tokens } = parseRequestBody(chatCall.body)
  // The page sends 0 until the user sets a limit. Providers reject 0.
  const unlimited = max_tokens === 0 ? [['max_tokens', null] as const] : []
  const body = changeMembers(chatCall.body, new Map([['group', null], ...unlimited]))
  const call = { ...chatCall, body, caller: { ...caller, group: typeof group === 'string' ? group : '' } }
  await chat(gateway, response, call, headers, eventStream)
}

/** Reads the body of a call. A refusal is reported, except of an estimate, which is no call. */
async function readCall(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  route: RelayRoute & Asking,
  { caller, pin, observer }: Identified & { observer: RequestObserver | undefined },
): Promise<Call> {
  const { dialect, place } = route
  const started_at = gateway.ports.clock.now()
  const settings = gateway.settings()
  const limit = settings['relay.max_body_megabytes'] * MIB
  try {
    const done = relayCalls.take(caller.user.id, settings['relay.max_calls'])
    if (response.closed) done()
    else response.once('close', done)
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    const announced =
      length === undefined && coding === undefined ? 0 : length === undefined ? undefined : Number(length)
    const isOfForm = dialect.operation !== 'chat' && dialect.forms === true && isForm(request)
    const admitted = gateway.admitBody(caller, {
      bytes: announced,
      packed: packing(request) !== undefined,
      form: isOfForm,
    })
    if (admitted) await admitted
    const share = callBytes.share(caller.user.id, limit)
    const hangUp = createAbortSource()
    response.on('close', () => {
      share.end()
      if (!response.writableFinished) hangUp.now(HUNG_UP)
    })
    const { body, form } = isOfForm
      ? await readFormBody(request, response, dialect.operation === 'transcription', limit, share)
      : { body: await readBody(request, limit, share), form: undefined }
    const own = {
      inbound: dialect,
      body,
      signal: hangUp.signal,
      started_at,
      place: form ? { ...place, form } : place,
      bytes: callBytes.share(caller.user.id, limit),
    }
    return buildCall(request, own, { caller, pin }, observer)
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
    // A ping may have started the stream: then even the first failure has to be a frame.
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

const getPath = (request: IncomingMessage) => (request.url ?? '').split('?')[0] ?? ''
