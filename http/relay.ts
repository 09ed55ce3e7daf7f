// The operations of the relay, in one table: the requests that each of them serves, and its handler. The router, the OpenAPI document
// and the tests take the requests from it. Handlers decide nothing.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ALL_CALLER_FORMATS } from '../core/dialects/caller-formats.ts'
import type { CallerDialect } from '../core/dialects/dialect.ts'
import { toJsonBytes } from '../core/dialects/json/json-bytes.ts'
import { asObject, parseJsonBytes } from '../core/dialects/json/json-value.ts'
import { NOTIFY_PATH_PREFIX, TASK_FORMATS } from '../core/dialects/tasks/task-formats.ts'
import type { Gateway } from '../core/index.ts'
import {
  admitToken,
  anthropicMessages,
  createAbortSource,
  findModel,
  GatewayError,
  geminiGenerate,
  getBilling,
  openaiChat,
  openaiResponses,
  seconds,
} from '../core/index.ts'
import { normalizeRequestPath } from './base-path.ts'
import { callByteBudget } from './budgets.ts'
import { type IdentifiedCaller, identifyCaller, parseQuery } from './key.ts'
import { readPlainBody } from './middleware/body.ts'
import { getModelShape } from './model-lists.ts'
import { toDistantPeer } from './peer.ts'
import { CLIENT_DISCONNECTED, buildFirstHeaders, sendRefusal } from './refuse.ts'
import type {
  AnswerRoute,
  CallRoute,
  TaskPathMatch,
  RelayOperationName,
  RelayParameters,
  RelayRoute,
} from './relay-route.ts'
import { ESTIMATE_PREFIX, REALTIME_PATH, RESPONSES_PATH } from './relay-route.ts'
import { createRequestObserver } from './request-observer.ts'
import { type Exchange, serveCall, serveCount, serveEstimate, servePlayground, writeJson } from './serve-call.ts'
import { loadViewingUser } from './session.ts'
import { serveTaskPicture, serveTask, serveTaskFile } from './tasks.ts'

/** A request that an operation serves. */
export type RelayRequest<Name extends RelayOperationName = RelayOperationName> = {
  method: 'GET' | 'POST' | 'DELETE'
  /** `{name}` stands for a part of the path, `{name=a|b}` for one of these words. */
  path: string
  /** The dialect of the client, unless its headers name another one. */
  dialect: CallerDialect
  /** Its id and summary in the OpenAPI document. Calls have theirs in `relay-document.ts`. */
  document?: { id: string; summary: string }
} & (Name extends keyof RequestParameters ? RequestParameters[Name] : object)

/** The facts that the router needs about the requests of an operation with several kinds of them. */
interface RequestParameters {
  answer: Pick<AnswerRoute, 'action'>
  task: Pick<TaskPathMatch, 'format' | 'route'>
  picture: Pick<TaskPathMatch, 'format' | 'route'>
  billing: RelayParameters['billing']
}

interface OperationDeclaration<Name extends RelayOperationName> {
  requests: readonly RelayRequest<Name>[]
  /** Returns the name of a request for logs and traces: the same for all requests of a kind, and without secrets. */
  name?: (route: RelayRoute<Name>, url: string) => string
}

/** `key`: the caller is identified by the key of the request before it is served. */
export type RelayOperation<Name extends RelayOperationName> = OperationDeclaration<Name> &
  (
    | {
        access: 'key'
        serve: (exchange: Exchange, route: RelayRoute<Name>, caller: IdentifiedCaller) => Promise<void> | void
      }
    | { access: 'open' | 'session'; serve: (exchange: Exchange, route: RelayRoute<Name>) => Promise<void> | void }
  )

/** Calls of every dialect. The path of some contains the model. */
const CALL_REQUESTS = ALL_CALLER_FORMATS.filter(({ operation }) => operation !== 'realtime').flatMap((dialect) =>
  dialect.paths.map((path) => ({ method: 'POST' as const, path, dialect })),
)

const TASK_REQUESTS = TASK_FORMATS.flatMap((format) =>
  format.routes.map((route) => ({ method: route.method, path: route.path, dialect: format, format, route })),
)

export const RELAY_OPERATIONS: { readonly [Name in RelayOperationName]: RelayOperation<Name> } = {
  call: { access: 'key', requests: CALL_REQUESTS, name: nameCall, serve: serveCall },

  estimate: {
    access: 'key',
    requests: CALL_REQUESTS.map((call) => ({ ...call, path: `${ESTIMATE_PREFIX}${call.path}` })),
    name: nameCall,
    serve: serveEstimate,
  },

  count: {
    access: 'key',
    requests: [
      {
        method: 'POST',
        path: '/v1/responses/input_tokens',
        dialect: openaiResponses,
        document: { id: 'countTokensOfResponses', summary: 'How many tokens an input has' },
      },
      {
        method: 'POST',
        path: '/v1/messages/count_tokens',
        dialect: anthropicMessages,
        document: { id: 'countTokensOfMessages', summary: 'How many tokens a prompt has' },
      },
      {
        method: 'POST',
        path: '/v1beta/models/{model}:countTokens',
        dialect: geminiGenerate,
        document: { id: 'countTokens', summary: 'How many tokens a prompt has' },
      },
    ],
    name: nameCall,
    serve: serveCount,
  },

  models: {
    access: 'key',
    requests: [
      {
        method: 'GET',
        path: '/v1/models',
        dialect: openaiChat,
        document: { id: 'models', summary: 'The models that the token may call' },
      },
      { method: 'GET', path: '/v1beta/models', dialect: geminiGenerate },
    ],
    serve: listModels,
  },

  model: {
    access: 'key',
    requests: [
      {
        method: 'GET',
        path: '/v1/models/{model}',
        dialect: openaiChat,
        document: { id: 'model', summary: 'One model' },
      },
      { method: 'GET', path: '/v1beta/models/{model}', dialect: geminiGenerate },
    ],
    serve: showModel,
  },

  answer: {
    access: 'key',
    requests: [
      {
        method: 'GET',
        path: '/v1/responses/{response_id}',
        dialect: openaiResponses,
        document: { id: 'response', summary: 'An earlier response' },
        action: 'read',
      },
      {
        method: 'DELETE',
        path: '/v1/responses/{response_id}',
        dialect: openaiResponses,
        document: { id: 'deleteResponse', summary: 'Forget a response' },
        action: 'delete',
      },
      {
        method: 'GET',
        path: '/v1/responses/{response_id}/input_items',
        dialect: openaiResponses,
        document: { id: 'inputItems', summary: 'What led to a response' },
        action: 'input',
      },
      {
        method: 'POST',
        path: '/v1/responses/{response_id}/cancel',
        dialect: openaiResponses,
        document: { id: 'cancel', summary: 'End a response' },
        action: 'cancel',
      },
    ],
    name: nameAnswer,
    serve: serveAnswer,
  },

  task: {
    access: 'key',
    requests: TASK_REQUESTS.filter(({ route }) => route.wants !== 'image'),
    name: ({ task }) => task.route.path,
    serve: ({ gateway, request, response, headers, observer }, { task }, { caller, pin }) =>
      serveTask(gateway, request, response, { caller, pin, observer }, task, headers),
  },

  picture: {
    access: 'open',
    requests: TASK_REQUESTS.filter(({ route }) => route.wants === 'image'),
    name: ({ task }) => task.route.path,
    serve: ({ gateway, request, response, headers }, { task }) =>
      serveTaskPicture(gateway, request, response, task.path.id ?? '', headers),
  },

  billing: {
    access: 'key',
    requests: [
      { method: 'GET', path: '/dashboard/billing/subscription', dialect: openaiChat, action: 'subscription' },
      { method: 'GET', path: '/dashboard/billing/usage', dialect: openaiChat, action: 'usage' },
      { method: 'GET', path: '/v1/dashboard/billing/subscription', dialect: openaiChat, action: 'subscription' },
      { method: 'GET', path: '/v1/dashboard/billing/usage', dialect: openaiChat, action: 'usage' },
    ],
    name: ({ action }) => `/dashboard/billing/${action}`,
    serve: serveBilling,
  },

  playground: {
    access: 'session',
    requests: [{ method: 'POST', path: '/pg/chat/completions', dialect: openaiChat }],
    serve: servePlayground,
  },

  task_file: {
    access: 'session',
    requests: [{ method: 'GET', path: '/pg/tasks/{id}/content', dialect: openaiChat }],
    async serve({ gateway, request, response, headers }, { id }) {
      const user = await loadViewingUser(gateway, request)
      await serveTaskFile(gateway, request, response, { user, id }, headers)
    },
  },

  notice: {
    access: 'open',
    requests: [{ method: 'POST', path: `${NOTIFY_PATH_PREFIX}{key}`, dialect: openaiChat }],
    serve: takeNotice,
  },

  websocket: {
    access: 'open',
    requests: [
      {
        method: 'GET',
        path: REALTIME_PATH,
        dialect: openaiChat,
        document: { id: 'realtime', summary: 'A session over a WebSocket' },
      },
      {
        method: 'GET',
        path: RESPONSES_PATH,
        dialect: openaiResponses,
        document: { id: 'responses.socket', summary: 'Responses over a WebSocket' },
      },
    ],
    serve() {
      throw new GatewayError('request.websocket')
    },
  },

  preflight: {
    access: 'open',
    requests: [],
    serve: ({ response, headers }) => void response.writeHead(204, headers).end(),
  },

  wrong_method: {
    access: 'open',
    requests: [],
    serve({ request }, { allowed }) {
      throw new GatewayError('request.wrong_method', { method: request.method ?? '', allowed })
    },
  },

  unknown: {
    access: 'open',
    requests: [],
    serve({ request }) {
      throw new GatewayError('request.unknown_path', { method: request.method ?? '', path: getPath(request) })
    },
  },
}

/** Returns the name of a request for logs and traces; `other` for unknown paths, which may contain anything. */
export function routeName<Name extends RelayOperationName>(route: RelayRoute<Name>, url: string): string {
  const operation: RelayOperation<Name> = RELAY_OPERATIONS[route.operation]
  return operation.name?.(route, url) ?? operation.requests[0]?.path ?? 'other'
}

/** Serves one request of the relay. Never rejects. */
export function createRelayHandler(gateway: Gateway) {
  gateway.metrics.reads('weir_body_bytes', () => callByteBudget.bytes)
  return async function serve(request: IncomingMessage, response: ServerResponse, route: RelayRoute): Promise<void> {
    const peer = toDistantPeer(gateway, request)
    const headers = buildFirstHeaders(request, peer.request_id)
    const observer = createRequestObserver(gateway, request, peer, () => routeName(route, request.url ?? ''))
      ?.traced(request)
      .watching(response)
    try {
      await serveRoute({ gateway, request, response, headers, peer, observer }, route)
    } catch (error) {
      if (response.headersSent || response.destroyed) return
      const refused = sendRefusal(gateway, request, response, route.dialect, peer, error, observer?.trace)
      observer?.refused(refused)
    } finally {
      observer?.over(response)
    }
  }
}

/** Identifies the caller if the operation requires a key, and runs its handler. */
function serveRoute<Name extends RelayOperationName>(
  exchange: Exchange,
  route: RelayRoute<Name>,
): Promise<void> | void {
  const operation: RelayOperation<Name> = RELAY_OPERATIONS[route.operation]
  if (operation.access !== 'key') return operation.serve(exchange, route)
  const { gateway, request, peer, observer } = exchange
  const serve = (found: IdentifiedCaller) => {
    observer?.by(found.caller.user.id, found.caller.token?.id)
    return operation.serve(exchange, route, found)
  }
  const found = identifyCaller(gateway, request, peer)
  return found instanceof Promise ? found.then(serve) : serve(found)
}

/** The name of a model in a path. The word after its last colon is the action. */
const MODEL = /^(.*\/(?:models|engines)\/).+?(:\w+|\/[a-z/]+)?$/

function nameCall({ place }: CallRoute, url: string): string {
  const path = normalizeRequestPath(url.split('?', 1)[0] ?? '')
  return place?.model === undefined ? path : path.replace(MODEL, '$1{model}$2')
}

const ANSWER_PARTS: Partial<Record<AnswerRoute['action'], string>> = { input: '/input_items', cancel: '/cancel' }

function nameAnswer({ answer }: RelayRoute<'answer'>): string {
  return `/v1/responses/{id}${ANSWER_PARTS[answer.action] ?? ''}`
}

/** Writes a stored response, or what is asked about it, for clients of the Responses API. */
async function serveAnswer(exchange: Exchange, { answer }: RelayRoute<'answer'>, { caller }: IdentifiedCaller) {
  const { gateway, request, response } = exchange
  const hangUp = createAbortSource()
  response.on('close', () => response.writableFinished || hangUp.now(CLIENT_DISCONNECTED))
  const query = parseQuery(request)
  writeJson(exchange, await gateway.answerById(caller, { ...answer, query }, hangUp.signal))
}

function listModels(exchange: Exchange, { dialect }: RelayRoute<'models'>, { caller }: IdentifiedCaller): void {
  const { gateway, request } = exchange
  admitToken(caller, seconds(gateway.ports.clock))
  const models = gateway.models(caller)
  writeJson(exchange, toJsonBytes(getModelShape(dialect).list(models, parseQuery(request))))
}

function showModel(exchange: Exchange, route: RelayRoute<'model'>, { caller }: IdentifiedCaller): void {
  const { gateway } = exchange
  admitToken(caller, seconds(gateway.ports.clock))
  const model = findModel(route.model, gateway.models(caller))
  if (!model) throw new GatewayError('model.missing', { model: route.model })
  writeJson(exchange, toJsonBytes(getModelShape(route.dialect).one(model)))
}

/** Writes the balance or the use of the key, for old dashboards. */
async function serveBilling(exchange: Exchange, { action }: RelayRoute<'billing'>, { caller }: IdentifiedCaller) {
  const { gateway } = exchange
  const billing = await getBilling(gateway.ports.storage, caller, gateway.settings())
  writeJson(exchange, toJsonBytes(billing[action]))
}

/** Takes a provider's notice. A provider sends a challenge before the task is known, to check that the address answers. */
async function takeNotice(exchange: Exchange, { key }: RelayRoute<'notice'>): Promise<void> {
  const { gateway, request, response, headers } = exchange
  const known = await gateway.taskNotice(key)
  const challenge = await readChallenge(request)
  if (challenge !== undefined) writeJson(exchange, toJsonBytes({ challenge }))
  else response.writeHead(known ? 204 : 404, headers).end()
}

const MAX_NOTICE_BYTES = 64 * 1024
const MAX_CHALLENGE = 256

/** Reads the challenge that a provider expects back before it sends notices. Nothing else of a notice is read. */
async function readChallenge(request: IncomingMessage): Promise<string | undefined> {
  const body = await readPlainBody(request, MAX_NOTICE_BYTES).catch(() => new Uint8Array())
  const challenge = asObject(parseJsonBytes(body))?.challenge
  return typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE ? challenge : undefined
}

const getPath = (request: IncomingMessage) => (request.url ?? '').split('?')[0] ?? ''
