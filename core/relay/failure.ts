// Anything that went wrong with a call, as the caller's dialect can say it.
import { getFailureMessage } from '../calls/failure-text.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { CallFailure } from '../dialects/call-failure.ts'
import type { Frame } from '../dialects/frame.ts'
import type { Watcher } from '../dialects/glance.ts'
import type { Usage } from '../dialects/usage.ts'
import { asGatewayError, GatewayError, type ErrorCode, type Language } from '../errors.ts'
import type { Call } from './call.ts'

/** The `error.type` of everything Weir itself refuses; the ecosystem's dashboards tell gateway errors by it. */
export const GATEWAY_ERROR_TYPE = 'new_api_error'

/** What OpenAI says of a wrong key, and of what is not there. */
const REQUEST_ERROR_TYPE = 'invalid_request_error'

/** A failed attempt; carries what the provider said, or what went wrong on the way to it. */
export class AttemptError extends Error {
  readonly failure: CallFailure
  /** What the provider reported all the same, in an answer of status 200: charged where nobody else serves the call. */
  readonly usage: Usage | undefined

  constructor(failure: CallFailure, cause?: unknown, usage?: Usage) {
    super(failure.message, { cause })
    this.name = 'AttemptError'
    this.failure = failure
    this.usage = usage
  }
}

/** Any thrown value as a failure with a public message. */
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
    // Clients compare texts: what has no word of the formats' own is named by its row.
    code: code ?? known.code.replaceAll('.', '_'),
    param: paramOf(known),
    source: 'gateway',
    ...(unsupported ? { unsupported } : {}),
    ...(known.retry_after_ms === undefined ? {} : { retry_after_ms: known.retry_after_ms }),
  }
}

/** Was the answer empty? It is never charged, even if it reports usage. */
export const isNoAnswer = (error: unknown): boolean => {
  const cause = error instanceof AttemptError ? error.cause : error
  return cause instanceof GatewayError && cause.code === 'upstream.empty'
}

/** A caller who did not wait, as the log tells it: its own time-out has the same look. `ms`: how long it waited. */
export const buildDisconnectFailure = (ms: number): CallFailure =>
  toCallFailure(new GatewayError('caller.hung_up', { seconds: Math.round(ms / 1000) }))

const ABOUT_MODEL = new Set<ErrorCode>(['request.no_model', 'channel.wrong_operation'])
const ABOUT_BEFORE = new Set<ErrorCode>(['response.unknown', 'response.not_kept', 'response.away'])

/** The field of the request that it is about. */
function paramOf({ code, parameters }: GatewayError): string | null {
  if (typeof parameters.param === 'string') return parameters.param
  if (code.startsWith('model.') || ABOUT_MODEL.has(code)) return 'model'
  if (ABOUT_BEFORE.has(code)) return 'previous_response_id'
  if (code === 'response.item_missing' || code.startsWith('compaction.')) return 'input'
  return null
}

/** What the caller reads at the end of a call that no channel could serve. */
export function redactForCaller(failure: CallFailure): CallFailure {
  if (failure.status !== 429 || failure.source !== 'upstream') return failure
  const saturated = new GatewayError('upstream.saturated')
  return { ...failure, message: saturated.message, zh: saturated.text('zh') }
}

/** The message for the caller, with the id under which the operator finds the call. */
export const withRequestId = (
  failure: CallFailure,
  { request_id, language }: { request_id: string; language: Language },
): CallFailure => ({
  ...failure,
  message: `${getFailureMessage(failure, language)} (request id: ${request_id})`,
  request_id,
})

/** What goes wrong in a stream is told in it. */
export function errorFrames(
  { inbound, caller }: Pick<Call, 'inbound' | 'caller'>,
  failure: CallFailure,
  watcher: Pick<Watcher, 'breakOff'>,
): Frame[] {
  const shown = withRequestId(redactForCaller(failure), caller)
  return watcher.breakOff?.(shown) ?? [inbound.writeErrorFrame(shown)]
}

/** The events of a stream that a ping has begun, and that then fails before its first event. */
export function failedStream({ inbound, body, place, caller, started_at }: Call, error: unknown): Frame[] {
  const failure = withRequestId(toCallFailure(error), caller)
  const about = { id: caller.request_id, created: Math.floor(started_at / 1000) }
  return (
    inbound.writeFailedStream?.(failure, inbound.readHead(body, place), about) ?? [inbound.writeErrorFrame(failure)]
  )
}

/** What went wrong on a channel, with its status as the channel maps it and without its key. */
export function attemptError(error: unknown, channel: RoutedChannel): AttemptError {
  if (!(error instanceof AttemptError)) return new AttemptError(toCallFailure(error), error)
  return new AttemptError(withoutKey(mapped(error.failure, channel), channel.key), error, error.usage)
}

/** Shorter keys than this are words, which stand in messages for other reasons. */
const MIN_KEY_LENGTH = 6

/** What a provider says without the channel's keys, whatever they look like: some quote the key they refuse. */
export function withoutKey(failure: CallFailure, ...keys: string[]): CallFailure {
  // A key may have parts, which providers quote one by one.
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

/** An upstream's failure with its status as the channel maps it. */
function mapped(failure: CallFailure, channel: RoutedChannel): CallFailure {
  const status = failure.source === 'upstream' ? channel.status_mapping[String(failure.status)] : undefined
  return status === undefined ? failure : { ...failure, status }
}
