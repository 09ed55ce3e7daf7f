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
export const WITHHELD: CallFailure = {
  status: 200,
  message: 'The provider withheld the answer, or the rest of it',
  type: 'content_filter',
  code: 'content_filter',
  param: null,
  source: 'upstream',
}

/** Returns the failure of an answer that ended with a content filter. */
export const findContentFilterFailure = (events: readonly ModelEvent[]): CallFailure | undefined =>
  events.some((event) => event.type === 'finish' && event.reason === 'content_filter') ? WITHHELD : undefined

export const isBlocked = ({ code, source }: CallFailure): boolean => source === 'upstream' && code === CODE
