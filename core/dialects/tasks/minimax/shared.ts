// The common parts of MiniMax's two video formats.
import type { CallFailure } from '../../call-failure.ts'
import { getMember, asNumber, asText, type JsonObject } from '../../json-value.ts'
import { toPriceForm } from '../../price-words.ts'
import { disguisedError, parseFailure } from '../../openai-chat/error.ts'
import type { Film, FilmPicture } from '../film.ts'
import type { TaskAsk, TaskDialect, TaskQuestion, TaskStatus } from '../task-dialect.ts'

/** Converts MiniMax's `768P` and `2K` to the common spelling. */
export const plainWord = (resolution: string): string => {
  const word = toPriceForm(resolution)
  return word === '2k' ? '1440p' : word
}
export const minimaxWord = (resolution: string): string => (resolution === '1440p' ? '2K' : resolution.toUpperCase())

/** Builds a submission from the fields that both formats have. */
export function buildTaskAsk(format: string, given: JsonObject, prompt: string, pictures: FilmPicture[]): TaskAsk {
  const { resolution, duration, ratio, callback_url } = given
  const film: Film = {
    prompt,
    pictures,
    ...(asText(resolution) ? { resolution: plainWord(asText(resolution) ?? '') } : {}),
    ...(asText(ratio) && ratio !== 'adaptive' ? { ratio: asText(ratio) } : {}),
    ...((asNumber(duration) ?? 0) > 0 ? { seconds: asNumber(duration) } : {}),
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

export const WORDS: Readonly<Record<string, TaskStatus>> = {
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
  const failure = disguisedError(answer) ?? parseFailure({}, 502)
  return { ...failure, status: failure.status === 502 && typeof failure.code === 'number' ? 500 : failure.status }
}

export const createAcceptance =
  (look: (id: string) => TaskQuestion | undefined): TaskDialect['accepted'] =>
  (answer) => {
    const upstream_id = asText(getMember(answer, 'task_id'))
    if (!upstream_id || disguisedError(answer)) return { refused: toFailure(answer) }
    return { state: { upstream_id, status: 'SUBMITTED' }, look: look(upstream_id) }
  }
