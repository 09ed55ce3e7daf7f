// Answers as their readers want them: packed where that is wished for, and not at all where they have them already.
import type { Middleware } from 'koa'
import compress from 'koa-compress'

const packed = compress()

/** A wish that nothing can meet is none: the answer leaves as it is (RFC 9110, 12.5.3). */
const METHODS = ['zstd', 'br', 'gzip', 'deflate', 'identity', 'x-gzip']

export const compressReplies: Middleware = (context, next) => {
  const wish = context.get('accept-encoding')
  if (wish !== '' && !isMet(wish)) delete context.req.headers['accept-encoding']
  return packed(context, next)
}

const isMet = (wish: string): boolean =>
  wish.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !refused && (name === '*' || METHODS.includes(name))
  })

/** What the caller has already is not sent again. */
export const conditional: Middleware = async (context, next) => {
  await next()
  if (!context.fresh) return
  context.status = 304
  context.body = null
}
