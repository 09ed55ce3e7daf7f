// One request listener: the relay first, on the raw request; everything else through Koa.
import type { RequestListener } from 'node:http'
import Koa from 'koa'
import type { Gateway } from '../core/index.ts'
import { createApi } from './api.ts'
import { originForm } from './base-addresses.ts'
import { telegramBind } from './telegram-bind.ts'
import { consoleFiles } from './console.ts'
import { failures } from './middleware/failures.ts'
import { compressed, conditional } from './middleware/negotiate.ts'
import { relayRoute } from './relay-paths.ts'
import { createRelayDoor } from './relay.ts'
import { secureHeaders } from './middleware/secure-headers.ts'

export interface ServerOptions {
  /** Where another program mounts Weir: `/weir/`. Begins and ends with a slash. */
  basePath?: string
}

/** The whole of Weir as a listener for `http.createServer`, or for another Node program to mount. */
export function createListener(gateway: Gateway, { basePath = '/' }: ServerOptions = {}): RequestListener {
  const relay = createRelayDoor(gateway)
  const app = new Koa()
  app.on('error', (error: Error) => gateway.ports.logger.warn('a connection failed', { error: error.message }))
  const api = createApi(gateway, prefixOf(basePath))
  app.use(failures(gateway))
  app.use(secureHeaders(gateway))
  app.use(compressed)
  app.use(conditional)
  app.use(telegramBind(gateway))
  app.use(api.routes())
  app.use(consoleOnly(consoleFiles(basePath)))
  const everythingElse = app.callback()
  const prefix = prefixOf(basePath)

  return (request, response) => {
    request.url = originForm(request.url)
    if (prefix !== '') {
      if (!request.url?.startsWith(prefix)) return void response.writeHead(404).end()
      request.url = request.url.slice(prefix.length) || '/'
    }
    const route = relayRoute(request.method ?? 'GET', request.url ?? '/', request.headers)
    if (route) void relay(request, response, route)
    else void everythingElse(request, response)
  }
}

/** What stands before every path. */
export const prefixOf = (basePath = '/'): string => basePath.slice(0, -1)

/** Paths below /api and /v1 never get the console's page. */
const consoleOnly =
  (files: Koa.Middleware): Koa.Middleware =>
  async (context, next) =>
    /^\/(api|v1(\/|$))/.test(context.path) ? next() : files(context, next)
