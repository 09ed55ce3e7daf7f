// Content filtering: a provider refuses a prompt or stops an answer because of its content. Such an answer may have
// cost something, and its log row states the reason.
import type { CallFailure } from './call-failure.ts'
import type { ModelEvent } from './model-event.ts'

const CODE = 'prompt_blocked'

export const buildPromptBlock = (message: string): CallFailure => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  code: CODE,
  param: null,
  source: 'upstream',
})

/** An answer that was stopped by the provider's filter or by its model. */
export const CONTENT_WITHHELD: CallFailure = {
  status: 200,
  message: 'The provider withheld the answer, or the rest of it',
  type: 'content_filter',
  code: 'content_filter',
  param: null,
  source: 'upstream',
}

/** Returns the failure of an answer that ended with a content filter. */
export const findContentFilterFailure = (events: readonly ModelEvent[]): CallFailure | undefined =>
  events.some((event) => event.type === 'finish' && event.reason === 'content_filter') ? CONTENT_WITHHELD : undefined

export const isBlocked = ({ code, source }: CallFailure): boolean => source === 'upstream' && code === CODE

// A text code for every kind of failure: OpenAI's clients compare codes, and some formats have none or use numbers.

/** OpenAI's own codes if it has them. */
const codes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  402: 'insufficient_quota',
  403: 'permission_denied',
  404: 'not_found',
  408: 'timeout',
  413: 'request_too_large',
  429: 'rate_limit_exceeded',
  503: 'service_unavailable',
  504: 'timeout',
  529: 'overloaded',
}

export const getStatusErrorCode = (status: number): string =>
  codes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request')

/** Returns the code as text, if there is one. Some servers use numbers. */
export const toTextCode = ({ code, status }: CallFailure): string | null =>
  typeof code === 'number' ? getStatusErrorCode(status) : code

// A prompt longer than its model's context: OpenAI's format has a code for it, others only a message, which clients
// check.

export const CONTEXT_TOO_LONG = 'context_length_exceeded'

/** The messages of Anthropic, Google and common servers of open models. */
const words =
  /prompt is too long|input token count .*exceeds the maximum|maximum context length|exceeds?\b.* context (?:window|limit|size|length)/i

/** Translates the code of a failure for another format: the code of such a prompt, or that of its status. */
export function translateFailureCode(failure: CallFailure): CallFailure {
  if (failure.status === 400 && words.test(failure.message)) return { ...failure, code: CONTEXT_TOO_LONG }
  return typeof failure.code === 'string' ? failure : { ...failure, code: getStatusErrorCode(failure.status) }
}
