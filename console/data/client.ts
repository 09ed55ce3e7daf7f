// The typed client over fetch: `client.tokens.list({ p: 0 })`. What goes wrong is told to the person once, here, and thrown.
import { createClient, toHttpRequest, type Send } from '../../core/contract/client.ts'
import type { Envelope } from '../../core/contract/envelope.ts'
import { contract } from '../../core/contracts.ts'
import { address, goTo } from './base.ts'
import { notify } from './notify.ts'
import { preferences } from './preferences.ts'
import { proofGiven } from './proof.ts'
import { currentLanguage, fill, texts } from './texts.tsx'

/** A call that did not succeed. The person has been told already. */
export class RequestFailure extends Error {
  readonly status: number
  readonly code?: string
  /** How it is told; null where the next page tells it. */
  readonly kind: 'error' | 'info' | null

  constructor(
    message: string,
    {
      status,
      code,
      cause,
      kind = 'error',
    }: { status: number; code?: string; cause?: unknown; kind?: 'error' | 'info' | null },
  ) {
    super(message, { cause })
    this.name = 'RequestFailure'
    this.status = status
    this.code = code
    this.kind = kind
  }
}

/** Calls whose failure the caller puts into words of its own. */
const toldByCaller = new Set(['site.status'])

const send: Send = async (name, endpoint, input) => {
  try {
    return await askProven(name, endpoint, input)
  } catch (error) {
    if (error instanceof RequestFailure && error.kind && !toldByCaller.has(name)) notify[error.kind](error.message)
    throw error
  }
}

/** A call that wants a fresh proof is made again once there is one. */
const askProven: Send = async (name, endpoint, input) => {
  try {
    return await ask(name, endpoint, input)
  } catch (error) {
    const wanted = error instanceof RequestFailure && error.code === 'access.step_up'
    if (wanted && (await proofGiven())) return ask(name, endpoint, input)
    throw error
  }
}

const ask: Send = async (name, endpoint, input) => {
  const request = toHttpRequest(endpoint, input)
  const response = await fetch(address(request.path), {
    method: request.method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      'New-Api-User': String(preferences.user.read()?.id ?? -1),
      'Accept-Language': currentLanguage(),
      ...(request.body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: request.body && JSON.stringify(request.body),
  }).catch((cause: unknown) => {
    throw new RequestFailure(fill(words().other, { message: words().unreachable }), { status: 0, cause })
  })
  const { status } = response
  const envelope = await readEnvelope(response)
  const wrongPassword = status === 401 && name === 'auth.login' && envelope?.message
  if (!response.ok && !wrongPassword) throw failureOf(status, envelope)
  if (!envelope) throw new RequestFailure(fill(words().other, { message: words().unreadable }), { status })
  if (!envelope.success) throw new RequestFailure(envelope.message, { status, code: envelope.code })
  const { success: _success, message: _message, ...reply } = envelope
  return endpoint.beside ? reply : reply.data
}

export const client = createClient(contract, send)

async function readEnvelope(response: Response): Promise<Envelope | null> {
  try {
    return (await response.json()) as Envelope
  } catch {
    return null
  }
}

/** What an HTTP status means to the person. A session that has ended also ends here. */
function failureOf(status: number, envelope: Envelope | null): RequestFailure {
  const code = envelope?.code
  if (status === 401) {
    preferences.user.remove()
    goTo('/login?expired=true')
    return new RequestFailure(words().expired, { status, code, kind: null })
  }
  if (status === 429) return new RequestFailure(words().tooMany, { status, code })
  if (status === 500) return new RequestFailure(words().serverError, { status, code })
  if (status === 405) return new RequestFailure(words().demo, { status, code, kind: 'info' })
  return new RequestFailure(fill(words().other, { message: envelope?.message || `HTTP ${status}` }), { status, code })
}

const words = () => failures[currentLanguage()]

const failures = texts({
  en: {
    expired: 'not logged in or login expired',
    tooMany: 'too many requests, try again later',
    serverError: 'internal server error, contact admin',
    demo: 'this site is for demo only, no backend',
    other: 'Error: {message}',
    unreachable: 'the server cannot be reached',
    unreadable: 'the server sent an answer that cannot be read',
  },
  zh: {
    expired: '尚未登录或登录已失效，请再次登录',
    tooMany: '请求太频繁，请过一会儿再试',
    serverError: '服务器出现内部错误，请与管理员联系',
    demo: '本站仅作演示，无服务端',
    other: '错误：{message}',
    unreachable: '无法连接到服务器',
    unreadable: '无法读取服务器的回复',
  },
})
