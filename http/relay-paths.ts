// The relay's routes: maps method and path to an operation and to the dialect of the client.
import type { IncomingHttpHeaders } from 'node:http'
import { CALLER_FORMATS } from '../core/dialects/caller-formats.ts'
import type { AnyDialect } from '../core/dialects/dialect.ts'
import type { Place } from '../core/dialects/model-request.ts'
import { NOTIFY_PATH } from '../core/dialects/tasks/notify-path.ts'
import type { TaskFormat, TaskRoute } from '../core/dialects/tasks/task-format.ts'
import { TASK_FORMATS } from '../core/dialects/tasks/task-formats.ts'
import {
  anthropicMessages,
  geminiGenerate,
  geminiGenerate as dialect,
  openaiChat,
  openaiRealtime,
  openaiResponses,
} from '../core/index.ts'
import { type Named, normalizePath, plainPath } from './base-path.ts'

// Decodes parts of an address.

/** Decodes a part of an address. Returns it unchanged if its escapes are invalid. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// The paths of stored responses by their id.

export interface AnswerRoute {
  wanted: 'read' | 'delete' | 'input' | 'cancel'
  id: string
}

const PATH = /^\/v1\/responses\/([^/]+)(\/input_items|\/cancel)?$/

const WANTED: Record<string, AnswerRoute['wanted']> = {
  GET: 'read',
  DELETE: 'delete',
  'GET/input_items': 'input',
  'POST/cancel': 'cancel',
}

/** Finds the route of a request for a stored response; undefined if the path is another. */
export function answerRoute(method: string, path: string): AnswerRoute | undefined {
  const [, id, behind = ''] = PATH.exec(path) ?? []
  const action = WANTED[method + behind]
  return id === undefined || action === undefined ? undefined : { wanted: action, id: decodePath(id) }
}

// Finds the routes of tasks, which each format declares.

export interface PlacedTask {
  format: TaskFormat
  route: TaskRoute
  /** Values of the parameters in the path, by name. */
  path: Record<string, string>
}

const ROUTES = TASK_FORMATS.flatMap((format) =>
  format.routes.map((route) => ({ format, route, pattern: toPattern(route.path) })),
)

/** Converts a declared path to a pattern. A name in braces matches a segment up to a colon, or one of the listed words. */
function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()[\]\\]/g, '\\$&')
  const pattern = escaped.replace(
    /\{(\w+)(?:=([\w|]+))?\}/g,
    (_, name: string, words = '[^/:]+') => `(?<${name}>${words})`,
  )
  // oxlint-disable-next-line weir/no-pattern-of-text -- the paths that formats declare
  return new RegExp(`^${pattern}$`)
}

/** Finds the task route of a request; undefined if there is none. */
export function taskRoute(method: string, path: string, search: string): PlacedTask | undefined {
  for (const { format, route, pattern } of ROUTES) {
    if (route.method !== method || !matchesQuery(search, route)) continue
    const groups = pattern.exec(path)?.groups
    if (groups || pattern.test(path)) return { format, route, path: decodeValues(groups ?? {}) }
  }
  return undefined
}

function matchesQuery(search: string, { query = {} }: TaskRoute): boolean {
  const parameters = new URLSearchParams(search)
  return Object.entries(query).every(([name, value]) => parameters.get(name) === value)
}

function decodeValues(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}

// The paths of Gemini's clients, which contain model and action.

/** A path with a model (which may contain slashes and colons) and an action. */
export const ACTION = /^\/(?:v1|v1alpha|v1beta)\/models\/(.+):(\w+)$/
/** The actions after the name of a model, and their formats. */
const ACTIONS = new Map(
  CALLER_FORMATS.flatMap((format) =>
    format.paths.flatMap((path) => {
      const [, action] = path.split('{model}:')
      return action ? [[action, format] as const] : []
    }),
  ),
)
/** Ends of paths that are actions, which require POST. Every other end belongs to the name of the model. */
const ACTION_END = new RegExp(`:(?:${[...ACTIONS.keys(), 'countTokens'].join('|')})$`)
const GEMINI_MODELS = /^\/(?:v1|v1alpha|v1beta)\/models(?:\/(.+))?$/

/** Finds the route of a request in Gemini's format; `unknown` if there is none. */
export function geminiRoute(method: string, path: string, search: string): RelayRoute {
  if (method === 'OPTIONS') return { dialect, operation: 'preflight' }
  const [, named, action] = (method === 'POST' && ACTION.exec(path)) || []
  if (named !== undefined && action !== undefined) {
    const model = decodePath(named)
    if (action === 'countTokens') return { dialect, operation: 'count', place: { model, stream: false } }
    const format = ACTIONS.get(action)
    if (!format) return { dialect, operation: 'unknown' }
    if (format !== dialect) return { dialect: format, operation: 'call', place: { model } }
    if (!action.startsWith('stream')) return { dialect, operation: 'call', place: { model, stream: false } }
    // Google's default is an array.
    const array = new URLSearchParams(search).get('alt') !== 'sse'
    return { dialect, operation: 'call', place: { model, stream: true }, array }
  }
  const matched = method === 'GET' && !ACTION_END.test(path) ? GEMINI_MODELS.exec(path) : null
  if (!matched) return { dialect, operation: 'unknown' }
  const [, model] = matched
  return model === undefined
    ? { dialect, operation: 'models' }
    : { dialect, operation: 'model', model: decodePath(model) }
}

/** The paths of the calls of each dialect. Some of them contain the model. */
const places = CALLER_FORMATS.filter(({ operation }) => operation !== 'realtime').flatMap((dialect) =>
  dialect.paths.map((path) => ({ path, dialect })),
)
export const CALLS: Readonly<Record<string, AnyDialect>> = Object.fromEntries(
  places.filter(({ path }) => !path.includes('{model}')).map(({ path, dialect }) => [path, dialect]),
)
const NAMING = places
  .filter(({ path }) => path.startsWith('/v1/') && path.includes('{model}'))
  // oxlint-disable-next-line weir/no-pattern-of-text -- the paths of our own endpoints
  .map(({ path, dialect }) => ({ dialect, pattern: new RegExp(`^${path.replace('{model}', '([^/]+)')}$`) }))

/** The requests of old dashboards, with or without the version. */
const BILLING = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/
const PLAYGROUND = '/pg/chat/completions'
/** Files of tasks, requested by the console. */
const TASK_FILE = /^\/pg\/tasks\/(\d{1,15})\/content$/
/** The callback address of providers for a task that has changed. */
const NOTICE = new RegExp(`^${NOTIFY_PATH}([A-Za-z0-9]+)$`)
const COUNT = '/v1/messages/count_tokens'
const INPUT_TOKENS = '/v1/responses/input_tokens'
const MODELS = '/v1/models'
/** Prefix of the path of a call, to request the cost of that call. */
export const ESTIMATE = '/v1/estimate'
/** The path of realtime sessions over WebSockets. */
export const REALTIME = openaiRealtime.paths[0]
/** The path of Responses: calls by `POST`, and WebSockets. */
export const RESPONSES: string = openaiResponses.paths[0] ?? ''

/** The exact addresses of nearly all calls. They need no further parsing. */
const PLAIN = new Map(Object.entries(CALLS).map(([path, dialect]) => [path, { dialect, operation: 'call' } as const]))

/** Finds the route of a request; undefined if the path does not belong to the relay. */
export function relayRoute(method: string, url: string, headers: IncomingHttpHeaders = {}): RelayRoute | undefined {
  return (method === 'POST' ? PLAIN.get(url) : undefined) ?? searchedRoute(method, url, headers)
}

const METHODS = ['DELETE', 'GET', 'POST']

/** Finds the route by parsing the path. HEAD is served wherever GET is; a path with other methods only lists them. */
function searchedRoute(method: string, url: string, headers: IncomingHttpHeaders): RelayRoute | undefined {
  const route = parseRoute(method === 'HEAD' ? 'GET' : method, url, headers)
  if (route && route.operation !== 'unknown') return route
  const served = METHODS.filter((other) => {
    const found = other === method ? undefined : parseRoute(other, url, headers)
    if (found?.operation === 'model') return !ACTION.test(url)
    return found !== undefined && found.operation !== 'unknown'
  })
  if (served.length === 0 || (!route && !isOnlyRelay(url))) return route
  const allowed = served.includes('GET') ? [...served, 'HEAD'] : served
  return {
    dialect: route?.dialect ?? openaiChat,
    operation: 'wrong_method',
    allowed: [...allowed, 'OPTIONS'].join(', '),
  }
}

/** True for addresses that belong to the relay with any method, because the console has no page there. */
const isOnlyRelay = (url: string): boolean =>
  /^\/(pg|dashboard\/billing)\//.test(normalizePath(url.split('?', 1)[0] ?? ''))

function parseRoute(method: string, url: string, headers: IncomingHttpHeaders): RelayRoute | undefined {
  const [typed = '', search = ''] = url.split('?', 2)
  const found = plainPath(typed)
  const path = found?.path ?? normalizePath(typed)
  if (path.startsWith(`${ESTIMATE}/`)) return estimateRoute(method, path, search, headers)
  const notified = method === 'POST' && NOTICE.exec(typed)?.[1]
  const file = method === 'GET' && TASK_FILE.exec(typed)?.[1]
  if (file) return { dialect: openaiChat, operation: 'task_file', id: Number(file) }
  if (notified) return { dialect: openaiChat, operation: 'notice', key: notified }
  const task =
    taskRoute(method, normalizePath(typed), search) ??
    taskRoute(method, path, search) ??
    (found ? undefined : taskRoute(method, `/v1${path}`, search))
  if (task) return { dialect: task.format, operation: 'task', task }
  if (method === 'POST' && path === PLAYGROUND) return { dialect: openaiChat, operation: 'playground' }
  const billing = method === 'GET' && BILLING.exec(path)?.[1]
  if (billing) return { dialect: openaiChat, operation: 'billing', wanted: billing as 'subscription' | 'usage' }
  if (!found) return unversioned(method, path, search, headers)
  const route = versioned(method, path, search, findFormat(path, search, headers, found.named))
  // Below /api, Weir's API answers unknown paths in its own format.
  return route.operation === 'unknown' && normalizePath(typed).startsWith('/api/') ? undefined : route
}

/** Finds the route of an estimate, which takes the same request as the call. */
function estimateRoute(method: string, path: string, search: string, headers: IncomingHttpHeaders): RelayRoute {
  const called = parseRoute(method, `${path.slice(ESTIMATE.length)}?${search}`, headers)
  if (called?.operation === 'preflight') return called
  if (called?.operation !== 'call') return { dialect: called?.dialect ?? openaiChat, operation: 'unknown' }
  const { dialect, place } = called
  return { dialect, operation: 'estimate', ...(place ? { place } : {}) }
}

/** Finds the route of a path without a version. Only calls and their answers belong to the relay, all else to the console. */
function unversioned(method: string, path: string, search: string, headers: IncomingHttpHeaders) {
  const whole = `/v1${path}`
  if (method !== 'POST' && whole !== RESPONSES && !answerRoute(method, whole)) return undefined
  const route = versioned(method, whole, search, findFormat(whole, search, headers))
  return ['call', 'count', 'answer', 'websocket'].includes(route.operation) ? route : undefined
}

function versioned(method: string, path: string, search: string, dialect: AnyDialect): RelayRoute {
  if (method === 'OPTIONS') return { dialect, operation: 'preflight' }
  if (isGemini(method, path, dialect)) return geminiRoute(method, path, search)
  const called = method === 'POST' && Object.hasOwn(CALLS, path) ? CALLS[path] : undefined
  if (called) return { dialect: called, operation: 'call' }
  for (const { dialect: named, pattern } of method === 'POST' ? NAMING : []) {
    const model = pattern.exec(path)?.[1]
    if (model) return { dialect: named, operation: 'call', place: { model: decodePath(model) } }
  }
  if (method === 'POST' && path === COUNT) return { dialect, operation: 'count' }
  if (method === 'POST' && path === INPUT_TOKENS) return { dialect: openaiResponses, operation: 'count' }
  if (method === 'GET' && (path === REALTIME || path === RESPONSES)) return { dialect, operation: 'websocket' }
  if (method === 'GET' && path === MODELS) return { dialect, operation: 'models' }
  if (method === 'GET' && path.startsWith(`${MODELS}/`)) {
    return { dialect, operation: 'model', model: decodePath(path.slice(MODELS.length + 1)) }
  }
  const answer = path === INPUT_TOKENS || Object.hasOwn(CALLS, path) ? undefined : answerRoute(method, path)
  if (answer) return { dialect: openaiResponses, operation: 'answer', answer }
  return { dialect, operation: 'unknown' }
}

/** True for a path that only Google has, and for a request about a model by a client of Gemini. */
function isGemini(method: string, path: string, dialect: AnyDialect): boolean {
  if (!path.startsWith('/v1/')) return path !== '/v1'
  if (path !== MODELS && !path.startsWith(`${MODELS}/`)) return false
  return method === 'POST' ? ACTION.test(path) : dialect === geminiGenerate
}

/** Finds the format of a path. If several formats share the path, the headers of the client decide. */
function findFormat(path: string, search: string, headers: IncomingHttpHeaders, named?: Named): AnyDialect {
  if (/^\/v1(alpha|beta)(\/|$)/.test(path)) return geminiGenerate
  if (/^\/v1\/messages(\/|$)/.test(path)) return anthropicMessages
  if (Object.hasOwn(CALLS, path)) return CALLS[path] ?? openaiChat
  if (path === REALTIME) return openaiChat
  if ('anthropic-version' in headers) return anthropicMessages
  if ('x-goog-api-key' in headers || /(^|&)key=/.test(search)) return geminiGenerate
  if ('x-api-key' in headers) return anthropicMessages
  return named === undefined ? openaiChat : formats[named]
}

const formats: Readonly<Record<Named, AnyDialect>> = {
  openai: openaiChat,
  anthropic: anthropicMessages,
  gemini: geminiGenerate,
}

// The operations that a request to the relay can ask for.

/** A request with a body. Gemini has model and streaming in the address, and streams an `array` on request. */
export type Asking = { operation: 'call' | 'count' | 'estimate'; place?: Place; array?: boolean }

export type RelayRoute = { dialect: AnyDialect } & (
  | Asking
  /** A chat of a signed-in user, without a token. */
  | { operation: 'playground' }
  | { operation: 'billing'; wanted: 'subscription' | 'usage' }
  | { operation: 'models' }
  | { operation: 'model'; model: string }
  /** An earlier answer, by its id. */
  | { operation: 'answer'; answer: AnswerRoute }
  /** A request about asynchronous work at a provider. */
  | { operation: 'task'; task: PlacedTask }
  /** A file of a task for a signed-in user. `id` is the number of the task in the lists. */
  | { operation: 'task_file'; id: number }
  /** A provider's notice that a task has changed. It is not signed; its address is a secret. */
  | { operation: 'notice'; key: string }
  | { operation: 'preflight' }
  /** A path for WebSockets only. Upgrade requests have another handler. */
  | { operation: 'websocket' }
  /** A path that is served with other methods only. */
  | { operation: 'wrong_method'; allowed: string }
  /** A request that Weir does not serve. It is refused with an error in the client's format. */
  | { operation: 'unknown' }
)
