// Converts any error of a call to a failure that the caller's dialect can express, and reports calls that are refused
// before a provider is called.
import { getFailureMessage } from '../calls/failure-text.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { SseFrame } from '../dialects/answers/frames.ts'
import type { PassthroughWatcher } from '../dialects/answers/stream-watcher.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { asText } from '../dialects/json/json-value.ts'
import { getRequestedModel, type RequestHead } from '../dialects/requests/head.ts'
import { parseRequestBody } from '../dialects/requests/request-body.ts'
import { asGatewayError, type ErrorCode, GatewayError, type Language } from '../errors.ts'
import type { RefusedCall, RefusedCallLog } from '../logs/refusals.ts'
import { getUserLanguage } from '../users/user-language.ts'
import type { Call } from './call.ts'

/** The `error.type` of all errors of Weir itself; the ecosystem's dashboards recognize gateway errors by it. */
const GATEWAY_ERROR_TYPE = 'new_api_error'

/** The `error.type` that OpenAI uses for a wrong key and for missing resources. */
const REQUEST_ERROR_TYPE = 'invalid_request_error'

/** A failed attempt, with the provider's error or the error on the way to it. */
export class AttemptError extends Error {
  readonly failure: CallFailure
  /**
   * Usage that the provider reported in a failed answer of status 200: charged unless another channel serves the call.
   */
  readonly usage: Usage | undefined

  constructor(failure: CallFailure, cause?: unknown, usage?: Usage) {
    super(failure.message, { cause })
    this.name = 'AttemptError'
    this.failure = failure
    this.usage = usage
  }
}

/** Converts any thrown value to a failure with a public message. */
export function toCallFailure(error: unknown): CallFailure {
  if (error instanceof AttemptError) return error.failure
  const known = asGatewayError(error)
  const { status, code } = known.relay
  const unsupported = known.code === 'request.kept_elsewhere' ? String(known.parameters.field).split(', ') : undefined
  return {
    status,
    message: known.message,
    zh: known.text('zh'),
    type: status === 401 || status === 404 || status === 405 ? REQUEST_ERROR_TYPE : GATEWAY_ERROR_TYPE,
    // Clients compare codes: an error without a code of the formats uses its own.
    code: code ?? known.code.replaceAll('.', '_'),
    param: getFailureParam(known),
    source: 'gateway',
    ...(unsupported ? { unsupported } : {}),
    ...(known.retry_after_ms === undefined ? {} : { retry_after_ms: known.retry_after_ms }),
    ...(known.is_final ? { is_final: true } : {}),
  }
}

/** Is the error unexpected, rather than the refusal of a provider or a failed connection? */
export function isUnexpected(error: unknown): boolean {
  let cause = error
  while (cause instanceof AttemptError) cause = cause.cause
  // Without a cause it is what the provider answered.
  return !(error instanceof AttemptError && cause === undefined) && asGatewayError(cause).kind === 'bug'
}

/** Returns true if the answer was empty. It is never charged, even if it reports usage. */
export const isNoAnswer = (error: unknown): boolean => {
  const cause = error instanceof AttemptError ? error.cause : error
  return cause instanceof GatewayError && cause.code === 'upstream.empty'
}

/**
 * Builds the failure of a client disconnect, for the log: a client's own timeout looks the same. `ms`: time until the
 * disconnect.
 */
export const buildDisconnectFailure = (ms: number): CallFailure =>
  toCallFailure(new GatewayError('caller.hung_up', { seconds: Math.round(ms / 1000) }))

const ABOUT_MODEL = new Set<ErrorCode>(['request.no_model', 'channel.wrong_operation'])
const ABOUT_BEFORE = new Set<ErrorCode>(['response.unknown', 'response.not_kept', 'response.away'])

/** Returns the request field that the error refers to. */
function getFailureParam({ code, parameters }: GatewayError): string | null {
  if (typeof parameters.param === 'string') return parameters.param
  if (code.startsWith('model.') || ABOUT_MODEL.has(code)) return 'model'
  if (ABOUT_BEFORE.has(code)) return 'previous_response_id'
  if (code === 'response.item_missing' || code.startsWith('compaction.')) return 'input'
  return null
}

/** Redacts the final failure of a call that no channel could serve. */
export function redactForCaller(failure: CallFailure): CallFailure {
  if (failure.status !== 429 || failure.source !== 'upstream') return failure
  const saturated = new GatewayError('upstream.saturated')
  return { ...failure, message: saturated.message, zh: saturated.text('zh') }
}

/** Adds the id under which the operator finds the call to the message. */
export const withRequestId = (
  failure: CallFailure,
  { request_id, language }: { request_id: string; language: Language },
): CallFailure => ({
  ...failure,
  message: `${getFailureMessage(failure, language)} (request id: ${request_id})`,
  request_id,
})

/** Builds the error frames for a failure inside a started stream. */
export function buildErrorFrames(
  { inbound, caller }: Pick<Call, 'inbound' | 'caller'>,
  failure: CallFailure,
  watcher: Pick<PassthroughWatcher, 'breakOff'>,
): SseFrame[] {
  const shown = withRequestId(redactForCaller(failure), caller)
  return watcher.breakOff?.(shown) ?? [inbound.writeErrorFrame(shown)]
}

/** Builds the events of a stream that a ping has started, and that fails before its first event. */
export function buildFailedStream({ inbound, body, place, caller, started_at }: Call, error: unknown): SseFrame[] {
  const failure = withRequestId(toCallFailure(error), caller)
  const about = { id: caller.request_id, created: Math.floor(started_at / 1000) }
  return (
    inbound.writeFailedStream?.(failure, inbound.readRequestHead(body, place), about) ?? [
      inbound.writeErrorFrame(failure),
    ]
  )
}

/** Builds the error of a channel, with its status mapped by the channel and without its key. */
export function buildAttemptError(error: unknown, channel: RoutedChannel): AttemptError {
  if (!(error instanceof AttemptError)) return new AttemptError(toCallFailure(error), error)
  return new AttemptError(removeChannelKeys(mapStatus(error.failure, channel), channel.key), error, error.usage)
}

/** Shorter keys are not masked: they are words that appear in messages for other reasons. */
const MIN_KEY_LENGTH = 6

/**
 * Removes the channel's keys of any format from a provider's message, since some providers quote the key they reject.
 */
export function removeChannelKeys(failure: CallFailure, ...keys: string[]): CallFailure {
  // A key may have several parts, which providers quote separately.
  const parts = keys.flatMap((key) => [key, ...key.split('|')])
  const secrets = parts.filter((part) => part.length >= MIN_KEY_LENGTH)
  if (failure.source !== 'upstream' || secrets.length === 0) return failure
  const hide = <T>(text: T): T | string =>
    typeof text === 'string' ? secrets.reduce<string>((rest, key) => rest.replaceAll(key, '[key]'), text) : text
  const { message, type, code, param } = failure
  return {
    ...failure,
    message: hide(message),
    type: hide(type),
    code: hide(code),
    param: hide(param),
  }
}

/** Maps the status of an upstream failure by the channel's status mapping. */
function mapStatus(failure: CallFailure, channel: RoutedChannel): CallFailure {
  const status = failure.source === 'upstream' ? channel.status_mapping[String(failure.status)] : undefined
  return status === undefined ? failure : { ...failure, status }
}

// Reports calls that are refused before a provider is called: to the log, and to the observer of the request.

/** The parts of a call that are known if it is refused before its body is read. */
export type UnreadCall = Pick<Call, 'caller' | 'refused' | 'place'> &
  Partial<Pick<Call, 'body' | 'signal'>> & { inbound: Pick<Call['inbound'], 'operation'> }

type RequestedModel = Pick<RequestHead, 'model' | 'requestedModel' | 'stream'>

/** Refusals that are about this process or the database, not about the call: they must not cause further work. */
const ABOUT_PROCESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['server.busy', 'server.stopping', 'storage.away'])

/**
 * Reports a refused call. A call whose client has disconnected is not refused.
 * @param requested the model of the request; undefined if the request could not be read
 */
export function reportRefusedCall(
  refusals: Pick<RefusedCallLog, 'note'>,
  call: UnreadCall,
  requested: RequestedModel | undefined,
  error: unknown,
): void {
  if (call.signal?.aborted) return
  const refused = toRefusedCall(call, requested ?? findRequestedModel(call), error)
  if (!ABOUT_PROCESS.has(refused.reason)) refusals.note(refused)
  call.refused?.(refused)
}

function toRefusedCall({ caller, inbound }: UnreadCall, requested: RequestedModel, error: unknown): RefusedCall {
  const { user, token, request_id, language, group } = caller
  return {
    request_id,
    user_id: user.id,
    username: user.username,
    token_id: token?.id ?? 0,
    token_name: token?.name ?? '',
    group: (token ? token.group : group) || user.group,
    model: getRequestedModel(requested),
    operation: inbound.operation,
    stream: requested.stream,
    reason: asGatewayError(error).code,
    failure: toCallFailure(error),
    language: language === 'en' ? getUserLanguage(user, 'en') : language,
  }
}

/** Finds the model in the address, or in a body whose other fields may be wrong. */
function findRequestedModel({ body, place }: UnreadCall): RequestedModel {
  if (place?.model !== undefined) return { model: place.model, stream: place.stream ?? false }
  try {
    const { model, stream } = body && body.length > 0 ? parseRequestBody(body) : {}
    return { model: asText(model)?.trim() ?? '', stream: stream === true }
  } catch {
    return { model: '', stream: false }
  }
}
