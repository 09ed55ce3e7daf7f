// The relay's router: finds the operation of a request (`RELAY_OPERATIONS`), and the dialect of the client, by method and path.
import type { IncomingHttpHeaders } from 'node:http'
import type { CallerDialect } from '../core/dialects/dialect.ts'
import type { TaskRoute } from '../core/dialects/tasks/task-format.ts'
import {
  anthropicMessages,
  geminiGenerate,
  geminiGenerate as dialect,
  openaiChat,
  openaiResponses,
} from '../core/index.ts'
import { type NamedApi, normalizeRequestPath, toRelayPath } from './base-path.ts'
import { RELAY_OPERATIONS, type RelayRequest } from './relay.ts'
import type { AnswerRoute, TaskPathMatch, RelayRoute } from './relay-route.ts'
import { ESTIMATE_PREFIX, REALTIME_PATH, RESPONSES_PATH } from './relay-route.ts'

// Decodes parts of an address.

/** Decodes a part of an address. Returns it unchanged if its escapes are invalid. */
function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const { call, count, answer, task, picture, billing, playground, task_file, notice } = RELAY_OPERATIONS

/** Stored responses by their id. */
const ANSWERS = answer.requests.map((request) => ({ ...request, pattern: toPattern(request.path, '[^/]+') }))

/** Finds the route of a request for a stored response; undefined if the path is another. */
function answerRoute(method: string, path: string): AnswerRoute | undefined {
  for (const { method: served, action, pattern } of ANSWERS) {
    const id = method === served ? pattern.exec(path)?.[1] : undefined
    if (id !== undefined) return { action, id: decodePath(id) }
  }
  return undefined
}

// Finds the routes of tasks, which each format declares.

const ROUTES = [...task.requests, ...picture.requests].map(({ format, route, path }) => ({
  format,
  route,
  pattern: toPattern(path),
}))

/** Converts a declared path to a pattern. A name in braces matches a segment up to a colon, or one of the listed words. */
function toPattern(path: string, segment = '[^/:]+'): RegExp {
  const escaped = path.replace(/[.*+?^$()[\]\\]/g, '\\$&')
  const pattern = escaped.replace(
    /\{(\w+)(?:=([\w|]+))?\}/g,
    (_, name: string, words = segment) => `(?<${name}>${words})`,
  )
  // oxlint-disable-next-line weir/no-pattern-of-text -- the paths that formats declare
  return new RegExp(`^${pattern}$`)
}

/** Converts the paths of an operation to patterns with one group. @param segment what the parameter matches */
function getPatterns({ requests }: { requests: readonly RelayRequest[] }, segment?: string): readonly RegExp[] {
  return requests.map(({ path }) => toPattern(path, segment))
}

/** Returns the group of the first pattern that matches; undefined if none does. */
function findGroup(patterns: readonly RegExp[], path: string): string | undefined {
  for (const pattern of patterns) {
    const group = pattern.exec(path)?.[1]
    if (group !== undefined) return group
  }
  return undefined
}

/** Finds the task route of a request; undefined if there is none. */
function taskRoute(method: string, path: string, search: string): TaskPathMatch | undefined {
  for (const { format, route, pattern } of ROUTES) {
    const matched = route.method === method ? pattern.exec(path) : null
    if (matched && matchesQuery(search, route)) return { format, route, path: decodeValues(matched.groups ?? {}) }
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
const ACTION = /^\/(?:v1|v1alpha|v1beta)\/models\/(.+):(\w+)$/
/** The actions after the name of a model, and their formats. */
const ACTIONS = new Map(
  call.requests.flatMap(({ path, dialect: format }) => {
    const [, action] = path.split('{model}:')
    return action ? [[action, format] as const] : []
  }),
)
/** Ends of paths that are actions, which require POST. Every other end belongs to the name of the model. */
const ACTION_END = new RegExp(`:(?:${[...ACTIONS.keys(), 'countTokens'].join('|')})$`)
const GEMINI_MODELS = /^\/(?:v1|v1alpha|v1beta)\/models(?:\/(.+))?$/

/** Finds the route of a request in Gemini's format; `unknown` if there is none. */
function geminiRoute(method: string, path: string, search: string): RelayRoute {
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

/** The paths of the calls of each dialect that do not contain the model. */
export const CALL_PATHS: Readonly<Record<string, CallerDialect>> = Object.fromEntries(
  call.requests.filter(({ path }) => !path.includes('{model}')).map(({ path, dialect }) => [path, dialect]),
)
const NAMING = call.requests
  .filter(({ path }) => path.startsWith('/v1/') && path.includes('{model}'))
  .map(({ path, dialect }) => ({ dialect, pattern: toPattern(path, '[^/]+') }))
const COUNTS = new Map(count.requests.map(({ path, dialect }) => [path, dialect]))

/** The requests of old dashboards, with or without the version. */
const BILLING = new Map(billing.requests.map(({ path, action }) => [path, action]))
const PLAYGROUND = new Set(playground.requests.map(({ path }) => path))
/** Files of tasks, requested by the console. */
const TASK_FILES = getPatterns(task_file, '\\d{1,15}')
/** The callback address of providers for a task that has changed. */
const NOTICES = getPatterns(notice, '[A-Za-z0-9]+')
const MODELS = '/v1/models'
/** The exact addresses of nearly all calls. They need no further parsing. */
const PLAIN = new Map(
  Object.entries(CALL_PATHS).map(([path, dialect]) => [path, { dialect, operation: 'call' } as const]),
)

/** Finds the route of a request; undefined if the path does not belong to the relay. */
export function findRelayRoute(method: string, url: string, headers: IncomingHttpHeaders = {}): RelayRoute | undefined {
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
  /^\/(pg|dashboard\/billing)\//.test(normalizeRequestPath(url.split('?', 1)[0] ?? ''))

function parseRoute(method: string, url: string, headers: IncomingHttpHeaders): RelayRoute | undefined {
  const [typed = '', search = ''] = url.split('?', 2)
  const found = toRelayPath(typed)
  const path = found?.path ?? normalizeRequestPath(typed)
  if (path.startsWith(`${ESTIMATE_PREFIX}/`)) return estimateRoute(method, path, search, headers)
  const notified = method === 'POST' && findGroup(NOTICES, typed)
  const file = method === 'GET' && findGroup(TASK_FILES, typed)
  if (file) return { dialect: openaiChat, operation: 'task_file', id: Number(file) }
  if (notified) return { dialect: openaiChat, operation: 'notice', key: notified }
  const placed =
    taskRoute(method, normalizeRequestPath(typed), search) ??
    taskRoute(method, path, search) ??
    (found ? undefined : taskRoute(method, `/v1${path}`, search))
  if (placed)
    return { dialect: placed.format, operation: placed.route.wants === 'image' ? 'picture' : 'task', task: placed }
  if (method === 'POST' && PLAYGROUND.has(path)) return { dialect: openaiChat, operation: 'playground' }
  const action = method === 'GET' && BILLING.get(path)
  if (action) return { dialect: openaiChat, operation: 'billing', action }
  if (!found) return unversioned(method, path, search, headers)
  const route = versioned(method, path, search, findFormat(path, search, headers, found.named))
  // Below /api, Weir's API answers unknown paths in its own format.
  return route.operation === 'unknown' && normalizeRequestPath(typed).startsWith('/api/') ? undefined : route
}

/** Finds the route of an estimate, which takes the same request as the call. */
function estimateRoute(method: string, path: string, search: string, headers: IncomingHttpHeaders): RelayRoute {
  const called = parseRoute(method, `${path.slice(ESTIMATE_PREFIX.length)}?${search}`, headers)
  if (called?.operation === 'preflight') return called
  if (called?.operation !== 'call') return { dialect: called?.dialect ?? openaiChat, operation: 'unknown' }
  const { dialect, place } = called
  return { dialect, operation: 'estimate', ...(place ? { place } : {}) }
}

/** Finds the route of a path without a version. Only calls and their answers belong to the relay, all else to the console. */
function unversioned(method: string, path: string, search: string, headers: IncomingHttpHeaders) {
  const whole = `/v1${path}`
  if (method !== 'POST' && whole !== RESPONSES_PATH && !answerRoute(method, whole)) return undefined
  const route = versioned(method, whole, search, findFormat(whole, search, headers))
  return ['call', 'count', 'answer', 'websocket'].includes(route.operation) ? route : undefined
}

function versioned(method: string, path: string, search: string, dialect: CallerDialect): RelayRoute {
  if (method === 'OPTIONS') return { dialect, operation: 'preflight' }
  if (isGemini(method, path, dialect)) return geminiRoute(method, path, search)
  const called = method === 'POST' && Object.hasOwn(CALL_PATHS, path) ? CALL_PATHS[path] : undefined
  if (called) return { dialect: called, operation: 'call' }
  for (const { dialect: named, pattern } of method === 'POST' ? NAMING : []) {
    const model = pattern.exec(path)?.[1]
    if (model) return { dialect: named, operation: 'call', place: { model: decodePath(model) } }
  }
  const counted = method === 'POST' ? COUNTS.get(path) : undefined
  if (counted) return { dialect: counted, operation: 'count' }
  if (method === 'GET' && (path === REALTIME_PATH || path === RESPONSES_PATH))
    return { dialect, operation: 'websocket' }
  if (method === 'GET' && path === MODELS) return { dialect, operation: 'models' }
  if (method === 'GET' && path.startsWith(`${MODELS}/`)) {
    return { dialect, operation: 'model', model: decodePath(path.slice(MODELS.length + 1)) }
  }
  const responseRoute = COUNTS.has(path) || Object.hasOwn(CALL_PATHS, path) ? undefined : answerRoute(method, path)
  if (responseRoute) return { dialect: openaiResponses, operation: 'answer', answer: responseRoute }
  return { dialect, operation: 'unknown' }
}

/** True for a path that only Google has, and for a request about a model by a client of Gemini. */
function isGemini(method: string, path: string, dialect: CallerDialect): boolean {
  if (!path.startsWith('/v1/')) return path !== '/v1'
  if (path !== MODELS && !path.startsWith(`${MODELS}/`)) return false
  return method === 'POST' ? ACTION.test(path) : dialect === geminiGenerate
}

/** Finds the format of a path. If several formats share the path, the headers of the client decide. */
function findFormat(path: string, search: string, headers: IncomingHttpHeaders, named?: NamedApi): CallerDialect {
  if (/^\/v1(alpha|beta)(\/|$)/.test(path)) return geminiGenerate
  if (/^\/v1\/messages(\/|$)/.test(path)) return anthropicMessages
  if (Object.hasOwn(CALL_PATHS, path)) return CALL_PATHS[path] ?? openaiChat
  if (path === REALTIME_PATH) return openaiChat
  if ('anthropic-version' in headers) return anthropicMessages
  if ('x-goog-api-key' in headers || /(^|&)key=/.test(search)) return geminiGenerate
  if ('x-api-key' in headers) return anthropicMessages
  return named === undefined ? openaiChat : formats[named]
}

const formats: Readonly<Record<NamedApi, CallerDialect>> = {
  openai: openaiChat,
  anthropic: anthropicMessages,
  gemini: geminiGenerate,
}
