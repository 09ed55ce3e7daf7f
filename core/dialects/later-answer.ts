// An answer that its provider does not give at once: what it says at first is asked about until the answer is there.
import type { CallFailure } from './call-failure.ts'

export interface LaterAnswer {
  /** Headers of the request that such an answer is asked for with. */
  headers?: Readonly<Record<string, string>>
  /** How it stands: where it is asked about; why it failed; undefined: it is there. */
  stands(answer: unknown): Look | { failure: CallFailure } | undefined
  /** Members of the request that such an answer is asked for with. */
  members?: Readonly<Record<string, unknown>>
  /** Where it is told that nobody waits any more (POST), behind the address that it was asked for at. */
  cancel?(answer: unknown): string
}

/** A path behind the provider's address, or behind the one that the answer was asked for at. */
export type Look = { look: string } | { behind: string }
