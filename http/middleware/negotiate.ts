// Content negotiation: compresses responses on request, and sends none that the client has cached.
import type { Middleware } from 'koa'
import compress from 'koa-compress'

const packed = compress()

/** Supported codings. If a request accepts none of them, the response is sent as it is (RFC 9110, 12.5.3). */
const METHODS = ['zstd', 'br', 'gzip', 'deflate', 'identity', 'x-gzip']

export const compressReplies: Middleware = (context, next) => {
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
export const answerConditionally: Middleware = async (context, next) => {
  await next()
  if (!context.fresh) return
  context.status = 304
  context.body = null
}
