// Callbacks of payment services, in the formats of the services.
import type { Context, Middleware } from 'koa'
import type Router from '@koa/router'
import { addressKey, GatewayError, type Gateway } from '../core/index.ts'
import { readPlainBody } from './middleware/body.ts'
import { getPeer } from './peer.ts'

const MAX_NOTICE_BYTES = 64 * 1024

/** Adds the callback addresses of payment services. The address of a service that is not configured does not exist. */
export function addCallbacks(router: Router, gateway: Gateway, whenSetUp: Middleware): void {
  const take = (name: string) => async (context: Context) => {
    await gateway.limits.count('api', addressKey(getPeer(gateway, context).ip))
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
