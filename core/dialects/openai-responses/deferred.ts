// An answer that is made in the background, as its caller is told of it: https://platform.openai.com/docs/guides/background
import { getMember, asObject, type JsonObject } from '../json-value.ts'
import type { LaterAnswer } from '../later-answer.ts'
import { DEFAULTS } from './response.ts'

/** What is known of one that cannot be told whole: not yet, or never. */
export interface Untold {
  id: string
  model: string
  /** Epoch seconds. */
  created_at: number
  status: 'queued' | 'in_progress' | 'failed' | 'cancelled'
  metadata: JsonObject
  /** Why it failed. */
  error?: string
}

/** Members that clients read of every answer, as they stand before anything is said. */
export const untoldResponse = ({ error, ...known }: Untold): JsonObject => ({
  ...DEFAULTS,
  object: 'response',
  background: true,
  ...known,
  ...(error === undefined ? {} : { error: { code: 'server_error', message: error } }),
  ...{ output: [], store: true, usage: null },
})

/** A whole answer under the id that its caller was given. */
export const asDeferred = (response: JsonObject, id: string): JsonObject => ({
  ...response,
  ...{ id, background: true, store: true },
})

/** At a provider that makes them so itself: it is asked again and again, and told where nobody waits any more. */
export const responsesLater: LaterAnswer = {
  members: { background: true },
  stands(answer) {
    const { id, status } = asObject(answer) ?? {}
    return status === 'queued' || status === 'in_progress'
      ? { behind: `/${encodeURIComponent(String(id))}` }
      : undefined
  },
  cancel: (answer) => `/${encodeURIComponent(String(getMember(answer, 'id')))}/cancel`,
}

export const isDeferred = ({ background }: JsonObject): boolean => background === true
