// The typed client over fetch: `client.tokens.list({ p: 0 })`. What goes wrong is told to the person once, here, and thrown.
import { createOutlineClient, toHttpRequest, type Outline } from '../../core/contract/client.ts'
import { FRAMED_HEADER } from '../../core/contract/framed.ts'
import type { Envelope } from '../../core/contract/envelope.ts'
import type { Contract } from '../../core/contracts.ts'
import { proof, signIn } from './asked.ts'
import { noteCall } from './calls-made.ts'
import { address, goTo, rememberPage } from './base.ts'
import { resolveConflict } from './conflict.ts'
import { noteAnswer } from './connection.ts'
import { isFramed } from './framed.ts'
import { notify } from './notify.ts'
import { preferences } from './preferences.ts'
import { outlines } from './outlines.built.ts'
import { refuse, type FieldRefusal } from './refused-field.ts'
import { currentLanguage, fill, texts } from './texts.tsx'

/** A call that did not succeed. The person is told as soon as nobody has said that it is told in its place. */
export class RequestFailure extends Error {
  /** It is told where what was asked for would stand, and not as a message too. */
  toldInPlace = false
  readonly status: number
  readonly code?: string
  /** The fields that are refused. */
  readonly fields: readonly FieldRefusal[]
  /** How it is told; null where the next page tells it. */
  readonly kind: 'error' | 'info' | null
  /** What else the server says with it. */
  readonly beside: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    {
      status,
      code,
      fields = [],
      cause,
      kind = 'error',
      beside = {},
    }: {
      status: number
      code?: string
      fields?: readonly FieldRefusal[]
      cause?: unknown
      kind?: 'error' | 'info' | null
      beside?: Readonly<Record<string, unknown>>
    },
  ) {
    super(message, { cause })
    this.name = 'RequestFailure'
    this.status = status
    this.code = code
    this.fields = fields
    this.kind = kind
    this.beside = beside
  }
}

type Send = (name: string, outline: Outline, input: Record<string, unknown>) => Promise<unknown>

/** The code of a sign-in that goes on with a second factor: no failure that anybody is told of. */
export const SECOND_STEP = 'login.second_factor'

/** Calls whose failure the caller puts into words of its own. */
const toldByCaller = new Set(['site.status', 'channels.try'])
let isTold = false

/** Makes calls whose failures the caller puts into words of its own; elsewhere the same ones are told as any other. */
export function withoutErrorToast<T>(call: () => Promise<T>): Promise<T> {
  isTold = true
  try {
    return call()
  } finally {
    isTold = false
  }
}

const send: Send = async (name, outline, input) => {
  const byCaller = isTold || toldByCaller.has(name)
  noteCall(name, outline.method, input)
  try {
    return await askSettled(name, outline, input)
  } catch (error) {
    const told = byCaller || (error instanceof RequestFailure && error.code === SECOND_STEP)
    if (error instanceof RequestFailure && error.kind && !told) tellSoon(error, error.kind)
    throw error
  }
}

/** Fields are refused at once, as who asked goes on; a message waits until who asked had it. */
function tellSoon(failure: RequestFailure, kind: 'error' | 'info') {
  const { message, fields } = failure
  if (fields.length > 0) refuse(fields, kind)
  else setTimeout(() => failure.toldInPlace || notify[kind](message))
}

/**
 * What somebody else has saved meanwhile is overwritten where the person says so, having seen it. Otherwise nothing more is told:
 * they have been asked.
 */
const askSettled: Send = async (name, outline, input) => {
  try {
    return await askProven(name, outline, input)
  } catch (error) {
    const isConflict = error instanceof RequestFailure && error.code === CONFLICT && input['version'] !== undefined
    if (!isConflict) throw error
    const theirs = await asItIsNow(name, input)
    const whose = await resolveConflict({ name, mine: input, theirs, message: error.message })
    if (whose === 'mine') return askSettled(name, outline, { ...input, version: theirs?.['version'] })
    throw new RequestFailure(error.message, { status: error.status, code: error.code, kind: null })
  }
}

const CONFLICT = 'edit.conflict'

/** The row itself, with its version; null where what is changed is none, or nothing reads one. */
async function asItIsNow(name: string, input: Record<string, unknown>): Promise<Record<string, unknown> | null> {
  const [feature = '', act] = name.split('.')
  const get = outlines[feature]?.['get']
  if (act !== 'update' || !get) return null
  const row = await ask(`${feature}.get`, get, { id: input['id'] }).catch(() => null)
  return row as Record<string, unknown> | null
}

/** A call that wants a fresh proof, or a session in place of one that has ended, is made again once there is one. */
const askProven: Send = async (name, outline, input) => {
  try {
    return await ask(name, outline, input)
  } catch (error) {
    const wanted = error instanceof RequestFailure && name !== 'auth.login' ? wantedOf(error) : undefined
    if (wanted && (await wanted.given())) return askProven(name, outline, input)
    if (wanted === signIn) leave()
    throw error
  }
}

const wantedOf = ({ status, code }: RequestFailure) =>
  code === 'access.step_up' ? proof : status === 401 ? signIn : undefined

/** To the login page, which says why. */
function leave() {
  preferences.user.remove()
  rememberPage()
  goTo('/login?expired=true')
}

let leaving = false
window.addEventListener('pagehide', () => (leaving = true), true)
window.addEventListener('pageshow', () => (leaving = false), true)

const ask: Send = async (name, outline, input) => {
  const response = await request(outline, input)
  const { status } = response
  const envelope = await readEnvelope(response)
  const wrongPassword = status === 401 && name === 'auth.login' && envelope?.message
  if (!response.ok && !wrongPassword) throw failureOf(status, envelope)
  if (!envelope) throw new RequestFailure(fill(words().other, { message: words().unreadable }), { status })
  if (!envelope.success)
    throw new RequestFailure(envelope.message, {
      ...{ status, code: envelope.code, fields: envelope.fields, beside: envelope },
    })
  // People are told of what was done in the words of its screen; what else an endpoint declares is for who asks.
  const { success: _success, ...reply } = envelope
  return outline.beside ? reply : reply.data
}

/** @throws RequestFailure where nobody can be reached */
async function request(outline: Outline, input: Record<string, unknown>, signal?: AbortSignal): Promise<Response> {
  const { method, path, body } = toHttpRequest(outline, input)
  const response = await fetch(address(path), {
    method,
    signal,
    credentials: 'same-origin',
    cache: 'no-store',
    // What is asked for while the page is left arrives all the same.
    keepalive: leaving,
    headers: {
      'New-Api-User': String(preferences.user.read()?.id ?? -1),
      'Accept-Language': currentLanguage(),
      ...(isFramed ? { [FRAMED_HEADER]: '1' } : {}),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body && JSON.stringify(body),
  }).catch((cause: unknown) => {
    if (!signal?.aborted) noteAnswer(false)
    throw new RequestFailure(fill(words().other, { message: words().unreachable }), { status: 0, cause })
  })
  noteAnswer(true)
  return response
}

/**
 * Opens a stream of events: what comes, in whatever pieces. Nobody is told of a failure; who follows says it in its place.
 * @throws RequestFailure
 */
export async function open(outline: Outline, input: Record<string, unknown>, signal: AbortSignal) {
  const response = await request(outline, input, signal)
  if (response.ok && response.body && response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.body
  throw failureOf(response.status, await readEnvelope(response))
}

/** A reply that is a file. @throws RequestFailure, which was told */
export async function file(outline: Outline, input: Record<string, unknown>): Promise<Blob> {
  const response = await request(outline, input)
  if (response.ok) return response.blob()
  const failure = failureOf(response.status, await readEnvelope(response))
  if (failure.kind) notify[failure.kind](failure.message)
  throw failure
}

export const client = createOutlineClient<Contract, Outline>(outlines, send)

async function readEnvelope(response: Response): Promise<Envelope | null> {
  try {
    return (await response.json()) as Envelope
  } catch {
    return null
  }
}

/** What an HTTP status means to the person. */
function failureOf(status: number, envelope: Envelope | null): RequestFailure {
  const code = envelope?.code
  if (status === 401) return new RequestFailure(words().expired, { status, code, kind: null })
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
