// Writes drawings in the public form of Midjourney proxies.
import { asObject, omitUndefinedMembers, type JsonObject } from '../../json/json-value.ts'
import type { TaskStatus } from '../task-dialect.ts'
import type { PublicTask } from '../task-format.ts'
import { hasOpenWindow } from './answer.ts'
import { ALREADY_EXISTS_CODE, QUEUED_CODE, SUBMITTED_CODE } from './codes.ts'

/**
 * Writes the answer to a submission: the proxy's, with our id, and with no image address but ours. Queued and existing
 * drawings are reported as submitted; an open window is reported unchanged.
 */
export function writeAcceptance({ task_id, action, files, status }: PublicTask, reply: JsonObject = {}): JsonObject {
  const { code, description, result, properties } = reply
  const taken = code === ALREADY_EXISTS_CODE || code === QUEUED_CODE
  const [picture] = files
  const { imageUrl, ...otherProperties } = asObject(properties) ?? {}
  return omitUndefinedMembers({
    code: taken && !hasOpenWindow(action, reply) ? SUBMITTED_CODE : code,
    description,
    // Addresses of uploads are used in prompts, so the drawing service must be able to reach them.
    result: Array.isArray(result) ? result : code === SUBMITTED_CODE || taken ? task_id : (result ?? null),
    properties: omitUndefinedMembers({
      ...otherProperties,
      imageUrl: imageUrl === undefined ? undefined : status === 'SUCCESS' ? (picture?.url ?? '') : '',
    }),
  })
}

/** Statuses that only other formats have. */
const WORDS: Readonly<Partial<Record<TaskStatus, string>>> = { QUEUED: 'SUBMITTED', UNKNOWN: 'IN_PROGRESS' }

/** Writes a drawing. */
export function writeDrawing(task: PublicTask): JsonObject {
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
