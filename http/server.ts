// One request listener: the relay first, on the raw request; everything else through Koa.
import type { RequestListener } from 'node:http'
import Koa from 'koa'
import type { Gateway } from '../core/index.ts'
import { createApi } from './api.ts'
import { ownAddress, pageBase, prefixOf, type MountOptions } from './base-path.ts'
import { telegramBind } from './telegram-bind.ts'
import { consoleFiles } from './console.ts'
import { failures } from './middleware/failures.ts'
import { compressed, conditional } from './middleware/negotiate.ts'
import { relayRoute } from './relay-paths.ts'
import { createRelayDoor } from './relay.ts'
import { secureHeaders } from './middleware/secure-headers.ts'

/** The whole of Weir as a listener for `http.createServer`, or for another Node program to mount. @throws as `prefixOf` */
export function createListener(gateway: Gateway, options: MountOptions = {}): RequestListener {
  const prefix = prefixOf(options)
  const relay = createRelayDoor(gateway)
  const app = new Koa()
  app.on('error', (error: Error) => gateway.ports.logger.warn('a connection failed', { error: error.message }))
  const api = createApi(gateway, prefix)
  app.use(failures(gateway))
  app.use(secureHeaders(gateway))
  app.use(compressed)
  app.use(conditional)
  app.use(telegramBind(gateway, prefix))
  app.use(api.routes())
  app.use(consoleOnly(consoleFiles(pageBase(prefix))))
  const everythingElse = app.callback()

  return (request, response) => {
    const address = ownAddress(prefix, request)
    if (address === undefined) return void response.writeHead(404).end()
    request.url = address
    const route = relayRoute(request.method ?? 'GET', address, request.headers)
    if (route) void relay(request, response, route)
    else void everythingElse(request, response)
  }
}

/** Paths below /api and /v1 never get the console's page. */
const consoleOnly =
  (files: Koa.Middleware): Koa.Middleware =>
  async (context, next) =>
    /^\/(api|v1(\/|$))/.test(context.path) ? next() : files(context, next)
