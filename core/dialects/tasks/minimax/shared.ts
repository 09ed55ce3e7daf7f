// The common parts of MiniMax's two video formats.
import type { CallFailure } from '../../answers/call-failure.ts'
import { getMember, asFiniteNumber, asText, type JsonObject } from '../../json/json-value.ts'
import { toPriceForm } from '../../requests/price-words.ts'
import { findDisguisedError, parseFailure } from '../../openai-chat/error.ts'
import type { FilmRequest, FilmPicture } from '../film.ts'
import type { ParsedSubmission, TaskDialect, TaskRequest, TaskStatus } from '../task-dialect.ts'

/** Converts MiniMax's `768P` and `2K` to the common spelling. */
export const toCommonResolution = (resolution: string): string => {
  const word = toPriceForm(resolution)
  return word === '2k' ? '1440p' : word
}
export const toMinimaxResolution = (resolution: string): string =>
  resolution === '1440p' ? '2K' : resolution.toUpperCase()

/** Builds a submission from the fields that both formats have. */
export function buildTaskAsk(
  format: string,
  given: JsonObject,
  prompt: string,
  pictures: FilmPicture[],
): ParsedSubmission {
  const { resolution, duration, ratio, callback_url } = given
  const film: FilmRequest = {
    prompt,
    pictures,
    ...(asText(resolution) ? { resolution: toCommonResolution(asText(resolution) ?? '') } : {}),
    ...(asText(ratio) && ratio !== 'adaptive' ? { ratio: asText(ratio) } : {}),
    ...((asFiniteNumber(duration) ?? 0) > 0 ? { seconds: asFiniteNumber(duration) } : {}),
  }
  return {
    format,
    action: 'GENERATE',
    prompt,
    film,
    given,
    model: asText(given.model) ?? '',
    ...(asText(callback_url) ? { hook: asText(callback_url) } : {}),
  }
}

export const TASK_STATUS_WORDS: Readonly<Record<string, TaskStatus>> = {
  Preparing: 'QUEUED',
  Queueing: 'QUEUED',
  Processing: 'IN_PROGRESS',
  Success: 'SUCCESS',
  Fail: 'FAILURE',
  queued: 'QUEUED',
  running: 'IN_PROGRESS',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
  cancelled: 'FAILURE',
  expired: 'FAILURE',
}

/** Returns the failure of an answer without a task: it was not accepted, even with status 200. */
function toFailure(answer: unknown): CallFailure {
  const failure = findDisguisedError(answer) ?? parseFailure({}, 502)
  return { ...failure, status: failure.status === 502 && typeof failure.code === 'number' ? 500 : failure.status }
}

export const createAcceptance =
  (look: (id: string) => TaskRequest | undefined): TaskDialect['accepted'] =>
  (answer) => {
    const upstream_id = asText(getMember(answer, 'task_id'))
    if (!upstream_id || findDisguisedError(answer)) return { refused: toFailure(answer) }
    return { state: { upstream_id, status: 'SUBMITTED' }, look: look(upstream_id) }
  }
