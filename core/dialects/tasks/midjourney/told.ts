// A drawing as its caller is told of it, in the words of Midjourney proxies.
import { asObject, withoutUndefined, type JsonObject } from '../../json-value.ts'
import type { TaskStatus } from '../task-dialect.ts'
import type { ToldTask } from '../task-format.ts'
import { isWindow } from './answer.ts'
import { EXISTS, QUEUED, SUBMITTED } from './codes.ts'

/**
 * The answer to a submission: as the proxy said it, with our id, and with no address of a picture but ours. What was queued
 * or is there already reads as taken; that a window is open stays said.
 */
export function takenAs({ task_id, action, files, status }: ToldTask, reply: JsonObject = {}): JsonObject {
  const { code, description, result, properties } = reply
  const taken = code === EXISTS || code === QUEUED
  const [picture] = files
  const { imageUrl, ...beside } = asObject(properties) ?? {}
  return withoutUndefined({
    code: taken && !isWindow(action, reply) ? SUBMITTED : code,
    description,
    // Addresses of uploads go into prompts: who draws must reach them.
    result: Array.isArray(result) ? result : code === SUBMITTED || taken ? task_id : (result ?? null),
    properties: withoutUndefined({
      ...beside,
      imageUrl: imageUrl === undefined ? undefined : status === 'SUCCESS' ? (picture?.url ?? '') : '',
    }),
  })
}

/** Words that only others have. */
const WORDS: Readonly<Partial<Record<TaskStatus, string>>> = { QUEUED: 'SUBMITTED', UNKNOWN: 'IN_PROGRESS' }

/** A drawing. */
export function shownDrawing(task: ToldTask): JsonObject {
  const { data, files, status } = task
  const { finalPrompt = '', finalZhPrompt = '' } = asObject(data.properties) ?? {}
  return {
    id: task.task_id,
    action: task.action,
    customId: data.customId ?? '',
    botType: data.botType ?? '',
    prompt: task.prompt,
    promptEn: task.prompt_en,
    description: data.description ?? '',
    state: data.state ?? '',
    submitTime: task.submit_time,
    startTime: task.start_time,
    finishTime: task.finish_time,
    imageUrl: files[0]?.url ?? '',
    status: WORDS[status] ?? status,
    progress: `${task.progress}%`,
    failReason: task.fail_reason,
    buttons: data.buttons ?? [],
    maskBase64: '',
    properties: { finalPrompt, finalZhPrompt },
  }
}
