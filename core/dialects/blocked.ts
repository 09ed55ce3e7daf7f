// What a provider refuses to answer, or to go on with, for what it says: an answer of its kind, which may have cost
// something, and whose row says why.
import type { CallFailure } from './call-failure.ts'
import type { ModelEvent } from './model-event.ts'

const CODE = 'prompt_blocked'

export const promptBlocked = (message: string): CallFailure => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  code: CODE,
  param: null,
  source: 'upstream',
})

/** An answer that ends where the provider's filter, or its model, would not go on. */
export const WITHHELD: CallFailure = {
  status: 200,
  message: 'The provider withheld the answer, or the rest of it',
  type: 'content_filter',
  code: 'content_filter',
  param: null,
  source: 'upstream',
}

/** Is it such an answer? */
export const findContentFilterFailure = (events: readonly ModelEvent[]): CallFailure | undefined =>
  events.some((event) => event.type === 'finish' && event.reason === 'content_filter') ? WITHHELD : undefined

export const isBlocked = ({ code, source }: CallFailure): boolean => source === 'upstream' && code === CODE
