// The one request listener: serves the relay's paths on the raw request, and passes all other requests to Koa.
import Koa, { type Middleware } from 'koa'
import type { RequestListener } from 'node:http'
import type { Gateway } from '../core/index.ts'
import { createApi } from './api.ts'
import { getPathPrefix, type MountOptions, toOriginForm, toOwnAddress, getPageBase } from './base-path.ts'
import { serveConsoleFiles } from './console.ts'
import { createMetricsDoor } from './metrics.ts'
import { handleFailures } from './middleware/failures.ts'
import { addSecureHeaders } from './middleware/secure-headers.ts'
import { observeHttpRequests } from './middleware/observe-requests.ts'
import { getPeer } from './peer.ts'
import { answerProbeRequest, getReadiness } from './probes.ts'
import { findRelayRoute } from './relay-paths.ts'
import { createRelayHandler } from './relay.ts'
import { loadSession, createSessionControl } from './session.ts'
import compress from 'koa-compress'

// The call that binds a Telegram account, which Telegram's widget makes without the usual headers.

const TELEGRAM_BIND = '/api/oauth/telegram/bind'

/**
 * Serves the binding call that Telegram's widget navigates to, where no page can add a header. Its data is signed, but not bound to
 * this session, so only a page of this site may send the browser there.
 */
function createTelegramBinding(gateway: Gateway, prefix: string): Middleware {
  return async (context, next) => {
    const isBind = context.method === 'GET' && context.path.replace(/\/$/, '') === TELEGRAM_BIND
    if (!isBind || context.get('new-api-user') !== '' || !isSameOrigin(context)) return next()
    const known = await loadSession(gateway, context)
    const caller = { ...getPeer(gateway, context), user: known?.user ?? null, token: null, via: 'session' as const }
    const session = createSessionControl(gateway, context, known?.session ?? null, prefix)
    const fields = Object.fromEntries(new URLSearchParams(context.querystring))
    await gateway.dispatch('auth.telegramBind', fields, { caller, session })
    context.redirect(`${prefix}/setting`)
  }
}

/** True if a page of this site has sent the browser. No page can change the header. */
const isSameOrigin = (context: { get(name: string): string }): boolean =>
  context.get('sec-fetch-site') === 'same-origin'

/** Creates a listener with all of Weir, for `http.createServer` or to mount in another program. @throws as `getPathPrefix` */
export function createListener(gateway: Gateway, options: MountOptions = {}): RequestListener {
  const prefix = getPathPrefix(options)
  if (prefix !== '') gateway.mountAt(prefix)
  const relay = createRelayHandler(gateway)
  const app = new Koa()
  app.on('error', (error: Error) => gateway.ports.logger.warn('a connection failed', { error: error.message }))
  const api = createApi(gateway, prefix)
  app.use(observeHttpRequests(gateway))
  app.use(handleFailures(gateway))
  app.use(addSecureHeaders(gateway))
  app.use(compressReplies)
  app.use(answerConditionally)
  app.use(createTelegramBinding(gateway, prefix))
  app.use(api.routes())
  app.use(consoleOnly(serveConsoleFiles(getPageBase(prefix), gateway.publicStatus)))
  const everythingElse = app.callback()
  const { readiness = { stage: 'ready' } } = options
  const ready = () => getReadiness(readiness, gateway)
  const answerMetrics = createMetricsDoor(gateway, options.metrics)

  return (request, response) => {
    const address = toOwnAddress(prefix, request)
    const route = address === undefined ? undefined : findRelayRoute(request.method ?? 'GET', address, request.headers)
    if (address !== undefined) request.url = address
    if (route) return void relay(request, response, route)
    // Probes are served below the prefix and without it, since their clients often bypass the proxy.
    const [path = ''] = (address ?? toOriginForm(request.url)).split('?', 1)
    if (answerProbeRequest(request, response, path, ready) || answerMetrics(request, response, path)) return
    if (address === undefined) response.writeHead(404).end()
    else void everythingElse(request, response)
  }
}

/** Excludes paths below /api and /v1 from the console's page. */
const consoleOnly =
  (files: Koa.Middleware): Koa.Middleware =>
  async (context, next) =>
    /^\/(api|v1(\/|$))/.test(context.path) ? next() : files(context, next)

// Content negotiation: compresses responses on request, and sends none that the client has cached.

const packed = compress()

/** Supported codings. If a request accepts none of them, the response is sent as it is (RFC 9110, 12.5.3). */
const METHODS = ['zstd', 'br', 'gzip', 'deflate', 'identity', 'x-gzip']

const compressReplies: Middleware = (context, next) => {
  const accepted = context.get('accept-encoding')
  if (accepted !== '' && !isSupported(accepted)) delete context.req.headers['accept-encoding']
  return packed(context, next)
}

const isSupported = (accepted: string): boolean =>
  accepted.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !refused && (name === '*' || METHODS.includes(name))
  })

/** Responds with 304 if the client's cached copy is fresh. */
const answerConditionally: Middleware = async (context, next) => {
  await next()
  if (!context.fresh) return
  context.status = 304
  context.body = null
}
