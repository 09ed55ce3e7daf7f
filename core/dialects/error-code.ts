// A text code for every kind of failure: OpenAI's clients compare codes, and some formats have none or use numbers.

import type { CallFailure } from './call-failure.ts'

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

export const codeOfStatus = (status: number): string =>
  codes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request')

/** Returns the code as text, if there is one. Some servers use numbers. */
export const textCode = ({ code, status }: CallFailure): string | null =>
  typeof code === 'number' ? codeOfStatus(status) : code
