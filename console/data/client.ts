// The typed client over fetch: `client.tokens.list({ p: 0 })`. Failures are shown to the user once, here, and thrown.
import { createOutlineClient, type EndpointOutline, toHttpRequest } from '../../core/contract/client.ts'
import { FRAMED_REQUEST_HEADER } from '../../core/contract/frames.ts'
import type { ReplyEnvelope } from '../../core/contract/replies.ts'
import type { ApiContract } from '../../core/contracts.ts'
import { reauthenticationPrompt, signInPrompt } from './user-prompt.ts'
import { loadConsolePath, rememberCurrentPage, toServerAddress } from './base.ts'
import { resolveConflict } from './conflict.ts'
import { noteServerAnswer } from './connection.ts'
import { isFramed } from './framed.ts'
import { type RefusedFormField, showNotice, showFieldErrors } from './notify.ts'
import { endpointOutlines } from './outlines.built.ts'
import { createSharedValue } from './page-state.ts'
import { storedPreferences } from './preferences.ts'
import { getCurrentLanguage, translate } from './texts.tsx'

// The calls that this page has made, to be shown as command lines: the last read of each endpoint and every change, by
// the page that was open.
export interface RecordedCall {
  page: string
  name: string
  input: Readonly<Record<string, unknown>>
  isChange: boolean
}

const MAX_RECORDED_CALLS = 60
const recordedCalls = createSharedValue<readonly RecordedCall[]>([])

/** Calls that are not recorded: signing in and out, and the calls of the frame around every page. */
const UNRECORDED = /^(auth\.|devices\.|search\.|site\.(status|setup))/

export function noteCall(name: string, method: string, input: Readonly<Record<string, unknown>>): void {
  if (UNRECORDED.test(name)) return
  const page = window.location.pathname
  const isChange = method !== 'GET'
  const recorded = recordedCalls.get()
  const others = isChange
    ? recorded
    : recorded.filter((each) => each.isChange || each.page !== page || each.name !== name)
  recordedCalls.set([...others, { page, name, input, isChange }].slice(-MAX_RECORDED_CALLS))
}

/** Returns the calls of the open page. */
export const listPageCalls = (): RecordedCall[] =>
  recordedCalls.get().filter(({ page }) => page === window.location.pathname)

/** A call that failed. The user sees a message unless a component has taken over showing it. */
export class RequestFailure extends Error {
  /** True if the error is shown in the place of the requested data, without a message. */
  inPlace = false
  readonly status: number
  readonly code?: string
  /** The refused fields. */
  readonly fields: readonly RefusedFormField[]
  /** How the error is shown; null if the next page shows it. */
  readonly kind: 'error' | 'info' | null
  /** Further reply fields of the server. */
  readonly reply: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    {
      status,
      code,
      fields = [],
      cause,
      kind = 'error',
      reply = {},
    }: {
      status: number
      code?: string
      fields?: readonly RefusedFormField[]
      cause?: unknown
      kind?: 'error' | 'info' | null
      reply?: Readonly<Record<string, unknown>>
    },
  ) {
    super(message, { cause })
    this.name = 'RequestFailure'
    this.status = status
    this.code = code
    this.fields = fields
    this.kind = kind
    this.reply = reply
  }
}

type Send = (name: string, outline: EndpointOutline, input: Record<string, unknown>) => Promise<unknown>

/** The code of a sign-in that needs a second factor. It is not shown as a failure. */
export const SECOND_STEP_CODE = 'login.second_factor'

/** The code of a reply that contains nothing, or nothing that can be read. */
export const EMPTY_REPLY_CODE = 'reply.empty'

/** Returns true if the call may have been carried out although its answer did not arrive. */
export const isAnswerLost = ({ status, code }: RequestFailure): boolean =>
  status === 0 || code === EMPTY_REPLY_CODE || (status >= 502 && status <= 504 && code === undefined)

/** Calls whose failures the caller shows with its own text. */
const selfReportingCalls = new Set(['site.status', 'channels.try'])

/** Sends a call, and shows its failure, unless the caller shows it or the next screen asks for a second factor. */
async function sendAndReport(isReportedByCaller: boolean, ...[name, outline, input]: Parameters<Send>) {
  noteCall(name, outline.method, input)
  try {
    return await sendResolvingConflicts(name, outline, input)
  } catch (error) {
    const isReported = isReportedByCaller || (error instanceof RequestFailure && error.code === SECOND_STEP_CODE)
    if (error instanceof RequestFailure && error.kind && !isReported) reportSoon(error, error.kind)
    throw error
  }
}

/** Refused fields are shown before the caller continues. A message waits until the caller had a chance to show it. */
function reportSoon(failure: RequestFailure, kind: 'error' | 'info') {
  const { message, fields } = failure
  if (fields.length > 0) showFieldErrors(fields, kind)
  else setTimeout(() => failure.inPlace || showNotice[kind](message))
}

/**
 * Retries a change that another user has overtaken, if the user decides to overwrite it after seeing the conflict.
 * Otherwise nothing more is shown.
 */
const sendResolvingConflicts: Send = async (name, outline, input) => {
  try {
    return await sendAuthenticated(name, outline, input)
  } catch (error) {
    const isConflict = error instanceof RequestFailure && error.code === CONFLICT && input['version'] !== undefined
    if (!isConflict) throw error
    const stored = await loadCurrentRow(name, input)
    const choice = await resolveConflict({ name, own: input, stored, message: error.message })
    if (choice === 'own') return sendResolvingConflicts(name, outline, { ...input, version: stored?.['version'] })
    throw new RequestFailure(error.message, { status: error.status, code: error.code, kind: null })
  }
}

const CONFLICT = 'edit.conflict'

/** Reads the row with its current version; null if the call changes no row, or no endpoint reads one. */
async function loadCurrentRow(name: string, input: Record<string, unknown>): Promise<Record<string, unknown> | null> {
  const [feature = '', act] = name.split('.')
  const get = endpointOutlines[feature]?.['get']
  if (act !== 'update' || !get) return null
  const row = await callEndpoint(`${feature}.get`, get, { id: input['id'] }).catch(() => null)
  return row as Record<string, unknown> | null
}

/** Retries a call that needs a reauthentication or a new session, once the user has given it. */
const sendAuthenticated: Send = async (name, outline, input) => {
  try {
    return await callEndpoint(name, outline, input)
  } catch (error) {
    const prompt = error instanceof RequestFailure && name !== 'auth.login' ? findPrompt(error) : undefined
    if (prompt && (await prompt.input())) return sendAuthenticated(name, outline, input)
    if (prompt === signInPrompt) leaveToLogin()
    throw error
  }
}

const findPrompt = ({ status, code }: RequestFailure) =>
  code === 'access.step_up' ? reauthenticationPrompt : status === 401 ? signInPrompt : undefined

/** Leads to the login page, which shows the reason. */
function leaveToLogin() {
  storedPreferences.user.remove()
  rememberCurrentPage()
  loadConsolePath('/login?expired=true')
}

// Whether the browser is leaving the page, which cancels its calls. It is a fact of the window that its events report, and
// no component shows it.
let leaving = false
window.addEventListener('pagehide', () => (leaving = true), true)
window.addEventListener('pageshow', () => (leaving = false), true)

const callEndpoint: Send = async (name, outline, input) => {
  const response = await request(outline, input)
  const { status } = response
  const envelope = await readEnvelope(response)
  const wrongPassword = status === 401 && name === 'auth.login' && envelope?.message
  if (!response.ok && !wrongPassword) throw toRequestFailure(status, envelope)
  if (typeof envelope?.success !== 'boolean')
    throw new RequestFailure(
      translate('Error: {message}', { message: translate('the server sent an answer that cannot be read') }),
      { status, code: EMPTY_REPLY_CODE },
    )
  if (!envelope.success)
    throw new RequestFailure(envelope.message, {
      status,
      code: envelope.code,
      fields: envelope.fields,
      reply: envelope,
    })
  // The message is shown in the words of the screen. The other reply fields are for the caller.
  const { success: _success, ...reply } = envelope
  return outline.replyFields ? reply : reply.data
}

/** @throws RequestFailure if the server cannot be reached */
async function request(
  outline: EndpointOutline,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Response> {
  const { method, path, body } = toHttpRequest(outline, input)
  const response = await fetch(toServerAddress(path), {
    method,
    signal,
    credentials: 'same-origin',
    cache: 'no-store',
    // Requests that are sent while the page is closing still arrive.
    keepalive: leaving,
    headers: {
      'New-Api-User': String(storedPreferences.user.read()?.id ?? -1),
      'Accept-Language': getCurrentLanguage(),
      ...(isFramed ? { [FRAMED_REQUEST_HEADER]: '1' } : {}),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body && JSON.stringify(body),
  }).catch((cause: unknown) => {
    if (!signal?.aborted) noteServerAnswer(false)
    throw new RequestFailure(translate('Error: {message}', { message: translate('the server cannot be reached') }), {
      status: 0,
      cause,
    })
  })
  noteServerAnswer(true)
  return response
}

/**
 * Opens a stream of events, read in pieces of any size. The user sees no message about a failure: the caller shows it.
 * @throws RequestFailure
 */
export async function openStream(outline: EndpointOutline, input: Record<string, unknown>, signal: AbortSignal) {
  const response = await request(outline, input, signal)
  if (response.ok && response.body && response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.body
  throw toRequestFailure(response.status, await readEnvelope(response))
}

/** Returns a reply that is a file. @throws RequestFailure, which was already shown */
export async function fetchReplyFile(outline: EndpointOutline, input: Record<string, unknown>): Promise<Blob> {
  const response = await request(outline, input)
  if (response.ok) return response.blob()
  const failure = toRequestFailure(response.status, await readEnvelope(response))
  if (failure.kind) showNotice[failure.kind](failure.message)
  throw failure
}

export const apiClient = createOutlineClient<ApiContract, EndpointOutline>(endpointOutlines, (name, outline, input) =>
  sendAndReport(selfReportingCalls.has(name), name, outline, input),
)

/** A client for calls whose failures the caller shows with its own text. */
export const quietClient = createOutlineClient<ApiContract, EndpointOutline>(endpointOutlines, (name, outline, input) =>
  sendAndReport(true, name, outline, input),
)

async function readEnvelope(response: Response): Promise<ReplyEnvelope | null> {
  try {
    return (await response.json()) as ReplyEnvelope
  } catch {
    return null
  }
}

/** Converts an HTTP status and its error envelope to a failure with a text for the user. */
function toRequestFailure(status: number, envelope: ReplyEnvelope | null): RequestFailure {
  const code = envelope?.code
  if (status === 401)
    return new RequestFailure(translate('not logged in or login expired'), { status, code, kind: null })
  if (status === 429) return new RequestFailure(translate('too many requests, try again later'), { status, code })
  if (status === 500) return new RequestFailure(translate('internal server error, contact admin'), { status, code })
  if (status === 405)
    return new RequestFailure(translate('this site is for demo only, no backend'), { status, code, kind: 'info' })
  return new RequestFailure(translate('Error: {message}', { message: envelope?.message || `HTTP ${status}` }), {
    status,
    code,
  })
}
