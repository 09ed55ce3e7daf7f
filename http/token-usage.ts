// The remaining and used quota of a token, for programs that have only its key: the endpoint and the format of new-api.
import type { Context, Middleware } from 'koa'
import type Router from '@koa/router'
import { addressKey, GatewayError, getTokenUsage, type Gateway } from '../core/index.ts'
import { identifyCaller } from './key.ts'
import { getPeer } from './peer.ts'

const PATH = '/api/usage/token'

/** Pages of other sites may call it: the key is sent in a header, and no cookie is read. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, x-api-key',
  'access-control-allow-methods': 'GET, OPTIONS',
}

export function addTokenUsage(router: Router, gateway: Gateway, whenSetUp: Middleware): void {
  router.options(PATH, (context) => {
    context.set(CORS)
    context.status = 204
  })
  router.get(PATH, whenSetUp, async (context: Context) => {
    const peer = getPeer(gateway, context)
    context.set({ ...CORS, 'cache-control': 'no-store' })
    await gateway.limits.count('api', addressKey(peer.ip))
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
