// The relay's table: method and path to what is asked for, and the dialect its caller speaks.
import type { IncomingHttpHeaders } from 'node:http'
import type { RelayRoute } from './relay-route.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiRealtime, openaiResponses } from '../core/index.ts'
import { CALLER_FORMATS } from '../core/dialects/caller-formats.ts'
import type { AnyDialect } from '../core/dialects/dialect.ts'
import { answerRoute } from './answer-path.ts'
import { plainPath, normalizePath, type Named } from './base-addresses.ts'
import { decodePath } from './decoded.ts'
import { taskRoute } from './task-paths.ts'
import { NOTIFY_PATH } from '../core/dialects/tasks/notify-path.ts'
import { ACTION, geminiRoute } from './gemini-paths.ts'

/** Where the calls of each dialect come in, and those whose path names the model. */
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

/** What old dashboards ask, at either address. */
const BILLING = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/
const PLAYGROUND = '/pg/chat/completions'
/** Files of tasks, for the console. */
const TASK_FILE = /^\/pg\/tasks\/(\d{1,15})\/content$/
/** Where providers say that a task has changed. */
const NOTICE = new RegExp(`^${NOTIFY_PATH}([A-Za-z0-9]+)$`)
const COUNT = '/v1/messages/count_tokens'
const INPUT_TOKENS = '/v1/responses/input_tokens'
const MODELS = '/v1/models'
/** Stands before the path of a call whose cost is asked for. */
export const ESTIMATE = '/v1/estimate'
/** Where sessions over WebSockets begin. */
export const REALTIME = openaiRealtime.paths[0]
/** Takes calls by `POST`, and WebSockets. */
export const RESPONSES: string = openaiResponses.paths[0] ?? ''

/** Nearly every call comes in at one of these addresses, letter for letter. */
const PLAIN = new Map(Object.entries(CALLS).map(([path, dialect]) => [path, { dialect, operation: 'call' } as const]))

/** What a request to the relay asks for; undefined when the path is not the relay's at all. */
export function relayRoute(method: string, url: string, headers: IncomingHttpHeaders = {}): RelayRoute | undefined {
  return (method === 'POST' ? PLAIN.get(url) : undefined) ?? searchedRoute(method, url, headers)
}

const METHODS = ['DELETE', 'GET', 'POST']

/** What has an answer to GET has a head too; what only takes other methods says which. */
function searchedRoute(method: string, url: string, headers: IncomingHttpHeaders): RelayRoute | undefined {
  const route = routeOf(method === 'HEAD' ? 'GET' : method, url, headers)
  if (route && route.operation !== 'unknown') return route
  const served = METHODS.filter((other) => {
    const found = other === method ? undefined : routeOf(other, url, headers)
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

/** Where the console has no page: addresses that are the relay's whatever the method. */
const isOnlyRelay = (url: string): boolean =>
  /^\/(pg|dashboard\/billing)\//.test(normalizePath(url.split('?', 1)[0] ?? ''))

function routeOf(method: string, url: string, headers: IncomingHttpHeaders): RelayRoute | undefined {
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
  const route = versioned(method, path, search, formatOf(path, search, headers, found.named))
  // Weir's own API answers in its own words there.
  return route.operation === 'unknown' && normalizePath(typed).startsWith('/api/') ? undefined : route
}

/** The estimate of a call takes what the call takes. */
function estimateRoute(method: string, path: string, search: string, headers: IncomingHttpHeaders): RelayRoute {
  const called = routeOf(method, `${path.slice(ESTIMATE.length)}?${search}`, headers)
  if (called?.operation === 'preflight') return called
  if (called?.operation !== 'call') return { dialect: called?.dialect ?? openaiChat, operation: 'unknown' }
  const { dialect, place } = called
  return { dialect, operation: 'estimate', ...(place ? { place } : {}) }
}

/** A base address without a version: only calls and their answers are the relay's, everything else the console's. */
function unversioned(method: string, path: string, search: string, headers: IncomingHttpHeaders) {
  const whole = `/v1${path}`
  if (method !== 'POST' && whole !== RESPONSES && !answerRoute(method, whole)) return undefined
  const route = versioned(method, whole, search, formatOf(whole, search, headers))
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

/** A path of Google's own, or one of a model that its client asks for. */
function isGemini(method: string, path: string, dialect: AnyDialect): boolean {
  if (!path.startsWith('/v1/')) return path !== '/v1'
  if (path !== MODELS && !path.startsWith(`${MODELS}/`)) return false
  return method === 'POST' ? ACTION.test(path) : dialect === geminiGenerate
}

/** Whose format a path is in: its own, or where several share it that of the client, who shows by its headers. */
function formatOf(path: string, search: string, headers: IncomingHttpHeaders, named?: Named): AnyDialect {
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
