// An answer that its provider does not give at once: the first answer is polled until the result is there.
import type { CallFailure } from './call-failure.ts'

export interface DeferredAnswer {
  /** Headers of a request for such an answer. */
  headers?: Readonly<Record<string, string>>
  /** Returns the address to poll, or the failure; undefined if the answer is there. */
  getPending(answer: unknown): PollTarget | { failure: CallFailure } | undefined
  /** Members of a request for such an answer. */
  members?: Readonly<Record<string, unknown>>
  /** Returns the path of the cancel request (POST), appended to the address of the original request. */
  cancel?(answer: unknown): string
}

/** A path relative to the provider's address, or to that of the original request. */
export type PollTarget = { look: string } | { behind: string }
