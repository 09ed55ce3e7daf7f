// Mounts all endpoints of the contract with one generic handler around dispatch.
import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Endpoint } from '../core/contract/endpoint.ts'
import { canHaveBody } from '../core/contract/input.ts'
import { buildOpenapiDocument } from '../core/contract/openapi.ts'
import type { FileReply } from '../core/contract/replies.ts'
import { buildSuccessEnvelope, isEventReply, isFileReply, LAST_EVENT_PARAMETER } from '../core/contract/replies.ts'
import type { JsonLimits } from '../core/dialects/json/json-cost.ts'
import { CALL_JSON_LIMITS, parseRequestBody } from '../core/dialects/requests/request-body.ts'
import { servedEndpoints } from '../core/endpoints.ts'
import type { Gateway, Caller } from '../core/index.ts'
import { getAddressKey, GatewayError, getTokenUsage, noSession, refusedWidget, usageWidget } from '../core/index.ts'
import { BodyBudget } from './budgets.ts'
import { identifyCaller } from './key.ts'
import { readPlainBody } from './middleware/body.ts'
import { buildWrongMethodError } from './middleware/failures.ts'
import { findRequestObserver } from './middleware/observe-requests.ts'
import { getPeer } from './peer.ts'
import { probePathDocument } from './probes.ts'
import { relayPathDocument } from './relay-document.ts'
import { isLocal, resolveCaller, findAccessTokenCaller } from './session.ts'
import { createEventSender } from './sse.ts'

// The usage of a user as a page for a frame of another site. The access token is in the address, since a frame cannot send it in a
// header; a token of the scope `usage` permits nothing else.

const WIDGET_PATH = '/embed/usage'

const MOST_DAYS = 90
/** Maximum age of a cached page, in seconds. It keeps the cost of a page with many viewers low. */
const FRESH_SECONDS = 60

interface UsageReply {
  rows: { at: number; calls: number; quota: number }[]
  steps: { at: number; date: string }[]
}

function addUsageWidget(router: Router, gateway: Gateway, whenSetUp: Middleware): void {
  router.get(WIDGET_PATH, whenSetUp, async (context) => {
    await gateway.limits.count('api', getAddressKey(getPeer(gateway, context).ip))
    const settings = gateway.settings()
    const { token, days, zone, theme: requestedTheme, language: requested } = context.query
    const language = requested === 'zh' || requested === 'en' ? requested : getPeer(gateway, context).language
    const look = { title: settings.SystemName, language, theme: THEMES.find((theme) => theme === requestedTheme) }
    pageHeaders(context, settings.FrameAncestors)
    try {
      const caller = await findAccessTokenCaller(gateway, getPeer(gateway, context), String(token ?? ''))
      const { rows, steps } = await queryDays(gateway, caller, { days: Number(days ?? 30), zone: String(zone ?? '') })
      const counted = new Map(rows.map((row) => [row.at, row]))
      context.body = usageWidget({
        ...look,
        title: `${settings.SystemName}: ${caller.user?.username ?? ''}`,
        days: steps.map(({ at, date }) => ({ date, calls: 0, quota: 0, ...counted.get(at) })),
        money: { quota_per_unit: settings.QuotaPerUnit, display_in_currency: settings.DisplayInCurrencyEnabled },
      })
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      context.status = error.relay.status
      context.body = refusedWidget({ ...look, sentence: error.text(language) })
    }
  })
}

const THEMES = ['light', 'dark'] as const

/** Sets headers stricter than those of the console: the page loads nothing, and its address with the token is sent nowhere. */
function pageHeaders(context: Context, ancestors: readonly string[]): void {
  context.type = 'html'
  context.set({
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${["'self'", ...ancestors].join(' ')}`,
    'referrer-policy': 'no-referrer',
    'cache-control': `private, max-age=${FRESH_SECONDS}`,
  })
}

async function queryDays(gateway: Gateway, caller: Caller, { days, zone }: { days: number; zone: string }) {
  const count = Math.min(MOST_DAYS, Math.max(1, Math.trunc(days) || 1))
  const from = String(Math.floor(Date.now() / 1000) - (count - 1) * 86_400)
  const { data } = await gateway.dispatch('usage.querySelf', () => Promise.resolve({ step: 'day', from, zone }), {
    caller,
    session: noSession,
  })
  return data as UsageReply
}

// The remaining and used quota of a token, for programs that have only its key: the endpoint and the format of new-api.

const PATH = '/api/usage/token'

/** Pages of other sites may call it: the key is sent in a header, and no cookie is read. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, x-api-key',
  'access-control-allow-methods': 'GET, OPTIONS',
}

function addTokenUsage(router: Router, gateway: Gateway, whenSetUp: Middleware): void {
  router.options(PATH, (context) => {
    context.set(CORS)
    context.status = 204
  })
  router.get(PATH, whenSetUp, async (context: Context) => {
    const peer = getPeer(gateway, context)
    context.set({ ...CORS, 'cache-control': 'no-store' })
    await gateway.limits.count('api', getAddressKey(peer.ip))
    try {
      const { caller } = await identifyCaller(gateway, context.req, peer)
      context.body = { code: true, message: 'ok', data: await getTokenUsage(gateway.ports.storage, caller) }
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind === 'bug') throw error
      context.status = error.relay.status
      context.body = { success: false, message: error.text(peer.language), code: error.code }
    }
  })
}

// Callbacks of payment services, in the formats of the services.

const MAX_NOTICE_BYTES = 64 * 1024

/** Adds the callback addresses of payment services. The address of a service that is not configured does not exist. */
function addCallbacks(router: Router, gateway: Gateway, whenSetUp: Middleware): void {
  const take = (name: string) => async (context: Context) => {
    await gateway.limits.count('api', getAddressKey(getPeer(gateway, context).ip))
    const answer = await gateway.takeNotice(name, () => readNotice(context))
    if (!answer) throw new GatewayError('request.unknown_path', { method: context.method, path: context.path })
    context.status = answer.status
    context.type = 'text/plain'
    context.body = answer.text
  }
  router.register('/api/user/epay/notify', ['GET', 'POST'], [whenSetUp, take('epay')])
  router.register('/api/user/stripe/notify', ['POST'], [whenSetUp, take('stripe')])
}

async function readNotice(context: Context) {
  const bytes = context.method === 'POST' ? await readPlainBody(context.req, MAX_NOTICE_BYTES) : new Uint8Array()
  const body = Buffer.from(bytes).toString('utf8')
  const form = context.is('application/x-www-form-urlencoded') ? new URLSearchParams(body) : []
  const fields = Object.fromEntries([...new URLSearchParams(context.querystring), ...form])
  const headers = Object.fromEntries(Object.entries(context.headers).map(([key, value]) => [key, String(value)]))
  return { fields, headers, body }
}

/** Maximum body of a public endpoint. */
const PUBLIC_BODY_BYTES = 64 * 1024
/** Maximum body of other endpoints: far above the console's forms, and enough for prices of thousands of models. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Maximum body of endpoints that receive a whole installation. */
const LARGE_BODY_BYTES = 256 * 1024 * 1024
const LARGE_LIMITS: JsonLimits = { ...CALL_JSON_LIMITS, cost: 2_000_000_000 }
/** Limits that prices of thousands of models also fit into: each item of a list is checked. Public endpoints have smaller ones. */
const MAX_LIMITS: JsonLimits = { ...CALL_JSON_LIMITS, item: 10 }
const PUBLIC_LIMITS: JsonLimits = { ...CALL_JSON_LIMITS, cost: 40_000, item: 10 }

/** The budget of request bodies of this process. */
const budget = new BodyBudget()

/** Creates the routes of the JSON API. A trailing slash is ignored. `prefix` is the path that Weir is mounted at. */
export function createApi(gateway: Gateway, prefix = ''): Router {
  const router = new Router()
  const document = createDocument(gateway, prefix)
  const sendEvents = createEventSender(gateway)
  router.get('/api/openapi.json', whenSetUp(gateway), async (context) => {
    await countRequest(gateway, context)
    const { text, tag } = document()
    context.set({ 'cache-control': 'no-cache', etag: tag })
    context.type = 'json'
    context.body = text
  })
  for (const [path, methods, served] of groupByPath(servedEndpoints)) {
    for (const [name, endpoint] of served) {
      router.register(path, getMethods(endpoint), async (context) => {
        // A HEAD request never runs a change.
        if (endpoint.changes && context.method === 'HEAD') throw buildWrongMethodError(context.method, methods)
        if (endpoint.anyOrigin) context.set('access-control-allow-origin', '*')
        await countRequest(gateway, context)
        const resolved = await resolveCaller(gateway, context, endpoint, prefix)
        if (resolved.caller.user) findRequestObserver(context)?.by(resolved.caller.user.id)
        const { data, replyFields } = await gateway.dispatch(
          name,
          () => readInput(gateway, context, endpoint),
          resolved,
        )
        if (isFileReply(data)) sendFile(context, data)
        else if (isEventReply(data)) {
          const still = async () => gateway.permit(endpoint, await resolveCaller(gateway, context, endpoint, prefix))
          sendEvents(context, data, resolved.caller.user?.id ?? 0, still)
        } else context.body = buildSuccessEnvelope(data, replyFields)
      })
    }
    // `DELETE /api/channel/models` deletes no channel of that id.
    router.all(path, ({ method }) => {
      throw buildWrongMethodError(method, methods)
    })
  }
  addCallbacks(router, gateway, whenSetUp(gateway))
  addTokenUsage(router, gateway, whenSetUp(gateway))
  addUsageWidget(router, gateway, whenSetUp(gateway))
  return router
}

/** Refuses paths outside the contract before the setup, as dispatch does for the contract. @throws GatewayError setup.first */
const whenSetUp =
  (gateway: Gateway): Middleware =>
  async (_, next) => {
    if (!(await gateway.isSetUp())) throw new GatewayError('setup.first')
    return next()
  }

/** Returns a function that builds the OpenAPI document at its first call. It never changes while the process runs. */
function createDocument({ version }: Gateway, prefix: string): () => { text: string; tag: string } {
  let built: { text: string; tag: string } | undefined
  return () => {
    if (built) return built
    const text = JSON.stringify(
      buildOpenapiDocument(servedEndpoints, {
        version,
        server: prefix || '/',
        more: { ...relayPathDocument, ...probePathDocument },
      }),
    )
    return (built = { text, tag: `W/"${createHash('sha256').update(text).digest('base64url')}"` })
  }
}

/** Counts a request against the rate limit of its address. Programs on this machine have no limit. */
async function countRequest(gateway: Gateway, context: Context): Promise<void> {
  const { ip, near } = getPeer(gateway, context)
  if (!near && !isLocal(context)) await gateway.limits.count('api', getAddressKey(ip))
}

function sendFile(context: Context, { content_type, filename, pieces }: FileReply): void {
  context.attachment(filename)
  context.type = content_type
  // A client disconnect ends the reading: the stream is closed with the response.
  context.body = Readable.from(pieces, { objectMode: false })
}

type ServedPath = [path: string, methods: string[], endpoints: [name: string, endpoint: Endpoint][]]

/** Groups endpoints by path. Fixed paths precede those with parameters, so that `/api/user/self` is not taken for a user's id. */
function groupByPath(all: ReadonlyMap<string, Endpoint>): ServedPath[] {
  const served = new Map<string, ServedPath>()
  for (const [name, endpoint] of all) {
    const path = endpoint.path.replace(/\/$/, '').replace(/\{(\w+)\}/g, ':$1')
    if (!served.has(path)) served.set(path, [path, [], []])
    const [, methods, same] = served.get(path)!
    methods.push(...getMethods(endpoint), ...(endpoint.method === 'GET' && !endpoint.changes ? ['HEAD'] : []))
    same.push([name, endpoint])
  }
  return [...served.values()].sort(([a], [b]) => a.split(':').length - b.split(':').length)
}

const getMethods = ({ method, changes }: Endpoint): string[] => (changes ? [method, 'POST'] : [method])

/** Reads path, declared query and body into one flat object, in which the path has precedence. */
async function readInput(gateway: Gateway, context: Context, endpoint: Endpoint): Promise<Record<string, unknown>> {
  const query = new URLSearchParams(context.querystring)
  const queried = Object.keys(endpoint.query?.shape ?? {}).flatMap((key) => {
    const value = query.get(key) ?? (key === LAST_EVENT_PARAMETER ? context.get('last-event-id') || null : null)
    return value === null ? [] : [[key, value] as const]
  })
  const hasBody = canHaveBody(endpoint) || (endpoint.changes && context.method === 'POST')
  const limits =
    endpoint.access === 'public'
      ? { bytes: PUBLIC_BODY_BYTES, json: PUBLIC_LIMITS }
      : endpoint.large
        ? { bytes: LARGE_BODY_BYTES, json: LARGE_LIMITS }
        : { bytes: MAX_BODY_BYTES, json: MAX_LIMITS }
  const body = hasBody ? await readJsonBody(gateway, context, limits) : {}
  return { ...body, ...Object.fromEntries(queried), ...(context.params as Record<string, string>) }
}

/** @throws GatewayError request.unreadable, request.too_large, request.too_deep, request.too_many_values, request.encoding */
async function readJsonBody(
  gateway: Gateway,
  context: Context,
  limits: { bytes: number; json: JsonLimits },
): Promise<Record<string, unknown>> {
  const share = budget.share(getAddressKey(getPeer(gateway, context).ip), Math.max(limits.bytes, MAX_BODY_BYTES))
  context.res.on('close', () => share.end())
  const bytes = await readPlainBody(context.req, limits.bytes, share)
  if (bytes.length === 0) return {}
  // A form on a foreign page can post text, but not with the type of JSON.
  if (!context.is('application/json')) throw new GatewayError('request.unreadable')
  return parseRequestBody(bytes, limits.json)
}
