// The error handler of the API: converts any thrown value to an envelope in the caller's language.
import type { Context, Middleware } from 'koa'
import { buildRefusalEnvelope } from '../../core/contract/replies.ts'
import { endHttpAnswer } from '../refuse.ts'
import { getHttpStatus } from '../../core/contract/refusals.ts'
import { toJsonBytes } from '../../core/dialects/json/json-bytes.ts'
import { asGatewayError, GatewayError, type Gateway } from '../../core/index.ts'
import { getPeer } from '../peer.ts'
import { findRequestObserver } from './observe-requests.ts'

/** Handles errors. Also answers unknown paths below /api, and adds the request id to every response. */
export function handleFailures(gateway: Gateway): Middleware {
  return async (context, next) => {
    const { request_id, language } = getPeer(gateway, context)
    context.set('x-oneapi-request-id', request_id)
    if (context.path.startsWith('/api')) context.set('cache-control', 'no-store')
    try {
      await next()
      if (context.status === 404 && context.body === undefined && context.path.startsWith('/api'))
        refuseUnknown(context)
    } catch (thrown) {
      const error = asGatewayError(thrown)
      findRequestObserver(context)?.refused(error.code)
      if (error.kind === 'bug') {
        const { detail, cause } = error
        gateway.ports.logger.error('request failed', {
          request_id,
          method: context.method,
          path: context.path,
          detail,
          cause,
        })
      }
      context.status = getHttpStatus(error)
      if (error.code === 'request.wrong_method') context.set('allow', String(error.parameters.allowed))
      if (error.retry_after_ms) context.set('retry-after', String(Math.ceil(error.retry_after_ms / 1000)))
      const fields = error.fields(language)
      const about = {
        ...(error.field === undefined ? {} : { field: error.field }),
        ...(fields.length > 0 ? { fields } : {}),
      }
      const body = buildRefusalEnvelope(error.explained(language), error.code, { ...error.replyFields, ...about })
      if (context.req.complete) context.body = body
      else answerEarly(context, toJsonBytes(body))
    }
  }
}

type Routed = Context & { matched?: readonly { methods: string[] }[] }

/** Refuses an unknown path, or a method that the path does not have. @throws GatewayError always */
function refuseUnknown({ method, path, matched = [] }: Routed): never {
  const methods = matched.flatMap((layer) => layer.methods)
  throw methods.length > 0
    ? buildWrongMethodError(method, methods)
    : new GatewayError('request.unknown_path', { method, path })
}

export const buildWrongMethodError = (method: string, methods: readonly string[]): GatewayError =>
  new GatewayError('request.wrong_method', { method, allowed: [...new Set(methods)].sort().join(', ') })

/** Answers a request whose body has not been read to its end. */
function answerEarly(context: Context, body: Uint8Array): void {
  context.respond = false
  context.set({ connection: 'close', 'content-type': 'application/json; charset=utf-8' })
  context.length = body.length
  context.res.statusCode = context.status
  endHttpAnswer(context.req, context.res, body)
}
