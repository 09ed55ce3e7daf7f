// A background response in its public form: https://platform.openai.com/docs/guides/background
import { getMember, asObject, type JsonObject } from '../json/json-value.ts'
import type { DeferredAnswer } from '../answers/deferred-answer.ts'
import { RESPONSE_DEFAULTS } from './response.ts'

/** The known facts about a response that is not complete yet, or never will be. */
export interface PendingResponse {
  id: string
  model: string
  /** Epoch seconds. */
  created_at: number
  status: 'queued' | 'in_progress' | 'failed' | 'cancelled'
  metadata: JsonObject
  /** Message of its failure. */
  error?: string
}

/** Builds an incomplete response with the members that clients read of every answer. */
export const buildPendingResponse = ({ error, ...known }: PendingResponse): JsonObject => ({
  ...RESPONSE_DEFAULTS,
  object: 'response',
  background: true,
  ...known,
  ...(error === undefined ? {} : { error: { code: 'server_error', message: error } }),
  output: [],
  store: true,
  usage: null,
})

/** Returns a whole answer under the id that its caller received. */
export const toBackgroundResponse = (response: JsonObject, id: string): JsonObject => ({
  ...response,
  id,
  background: true,
  store: true,
})

/**
 * Background responses at a provider that supports them: polled until they are complete, and cancelled if the client
 * has gone.
 */
export const deferredResponses: DeferredAnswer = {
  members: { background: true },
  getPending(answer) {
    const { id, status } = asObject(answer) ?? {}
    return status === 'queued' || status === 'in_progress'
      ? { behind: `/${encodeURIComponent(String(id))}` }
      : undefined
  },
  cancel: (answer) => `/${encodeURIComponent(String(getMember(answer, 'id')))}/cancel`,
}

export const isDeferred = ({ background }: JsonObject): boolean => background === true
