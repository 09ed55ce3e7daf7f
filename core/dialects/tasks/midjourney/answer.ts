// Parses a Midjourney proxy's answers to submissions, and its task states.
import type { JsonObject } from '../../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, asText, omitUndefinedMembers } from '../../json/json-value.ts'
import type { SubmissionResult, ParsedSubmission, TaskState, TaskStatus } from '../task-dialect.ts'
import {
  opensDrawingWindow,
  buildProxyFailure,
  SUBMITTED_CODE,
  ALREADY_EXISTS_CODE,
  QUEUED_CODE,
  QUEUE_FULL_CODE,
  NO_ACCOUNT_CODE,
  UPSTREAM_FAILED_CODE,
} from './codes.ts'
import type { PublicTask } from '../task-format.ts'

/**
 * Parses the answer to a submission. Codes for work that was not started allow another channel to be tried. Errors in
 * the request itself are returned to its caller in the proxy's words, and stored with their reason; so is every answer
 * to an action on an earlier drawing, which no other proxy knows.
 */
export function parseAcceptance(
  answer: unknown,
  { action, follows }: Pick<ParsedSubmission, 'action' | 'follows'>,
): SubmissionResult {
  const reply = asObject(answer) ?? {}
  const code = asFiniteNumber(reply.code)
  const description = asText(reply.description) ?? ''
  if (code === undefined) return { refused: buildProxyFailure(code, description) }
  if (!TAKEN.includes(code)) {
    const state = failed(description || `code ${code}`)
    const mayRetry = follows === undefined && REFUSALS.includes(code)
    return mayRetry
      ? { refused: buildProxyFailure(code, description), finished: { state, reply } }
      : { state, unpaid: true, reply }
  }
  const addresses = asList(reply.result)?.flatMap((one) => asText(one) ?? [])
  if (addresses) return { state: uploaded(addresses), reply }
  const upstream_id = toId(reply.result)
  // A task without an id cannot be polled, so it would never end.
  if (upstream_id === undefined) return { state: failed('the provider gave it no id'), unpaid: true, reply }
  const details = { code }
  if (hasOpenWindow(action, reply)) return { state: { upstream_id, status: 'MODAL', details }, unpaid: true, reply }
  const unpaid = opensDrawingWindow(action) ? { unpaid: true as const } : {}
  if (code === ALREADY_EXISTS_CODE)
    return { state: { upstream_id, ...readExistingState(reply.properties), details }, known: true, ...unpaid, reply }
  const status = code === QUEUED_CODE ? 'SUBMITTED' : 'NOT_START'
  return { state: { upstream_id, status, progress: 0, details }, ...unpaid, reply }
}

const TAKEN: readonly number[] = [SUBMITTED_CODE, ALREADY_EXISTS_CODE, QUEUED_CODE]
/** Codes for work that was not started and that another channel may take. */
const REFUSALS: readonly number[] = [QUEUE_FULL_CODE, NO_ACCOUNT_CODE, UPSTREAM_FAILED_CODE]

const failed = (fail_reason: string): TaskState => ({
  upstream_id: '',
  status: 'FAILURE',
  progress: 100,
  fail_reason,
  details: { code: NOT_TAKEN },
})

/** Code of tasks that were not submitted, as in lists. */
const NOT_TAKEN = 0

const uploaded = (addresses: readonly string[]): TaskState => ({
  upstream_id: '',
  status: 'SUCCESS',
  progress: 100,
  files: addresses.map((url) => ({ kind: 'image', url })),
})

/**
 * Does the answer open a window that a further submission (`modal`) fills in? Proxies that remix drawings report it in
 * `properties`.
 */
export const hasOpenWindow = (action: string, reply: JsonObject): boolean =>
  reply.code === ALREADY_EXISTS_CODE && (opensDrawingWindow(action) || getMember(reply.properties, 'remix') === true)

/** Returns the state of a drawing that already exists. */
function readExistingState(properties: unknown): Pick<TaskState, 'status' | 'progress' | 'files'> {
  const status = parseStatus(getMember(properties, 'status'))
  const url = asText(getMember(properties, 'imageUrl'))
  return {
    status,
    ...(status === 'SUCCESS' ? { progress: 100 } : {}),
    ...(url === undefined ? {} : { files: [{ kind: 'image', url }] }),
  }
}

/** Returns an id as text. Some proxies write ids as numbers. */
export const toId = (id: unknown): string | undefined =>
  asText(id) ?? (Number.isSafeInteger(id) ? String(id) : undefined)

const STATUSES: Readonly<Record<string, TaskStatus>> = {
  NOT_START: 'NOT_START',
  SUBMITTED: 'SUBMITTED',
  MODAL: 'MODAL',
  IN_PROGRESS: 'IN_PROGRESS',
  FAILURE: 'FAILURE',
  SUCCESS: 'SUCCESS',
  CANCEL: 'FAILURE',
}

const parseStatus = (word: unknown): TaskStatus =>
  typeof word === 'string' && Object.hasOwn(STATUSES, word) ? STATUSES[word]! : 'UNKNOWN'

/** Parses the states of the requested drawings: `answer` is a list of them, or one. */
export function parseTaskStates(answer: unknown, requested: readonly string[]): TaskState[] {
  return (asList(answer) ?? [answer]).flatMap((one) => {
    const reported = asObject(one)
    const id = reported && toId(reported.id)
    return reported && id !== undefined && requested.includes(id) ? [parseState(reported, id)] : []
  })
}

function parseState(reported: JsonObject, upstream_id: string): TaskState {
  const fail_reason = asText(reported.failReason) ?? (reported.status === 'CANCEL' ? 'cancelled' : undefined)
  const reportedStatus = parseStatus(reported.status)
  // A reason for failure may come before the status.
  const status = fail_reason !== undefined && reportedStatus !== 'SUCCESS' ? 'FAILURE' : reportedStatus
  const url = asText(reported.imageUrl)
  const { description, customId, botType, state, buttons, properties } = reported
  return omitUndefinedMembers({
    upstream_id,
    status,
    progress: status === 'SUCCESS' || status === 'FAILURE' ? 100 : parsePercent(reported.progress),
    fail_reason: status === 'FAILURE' ? (fail_reason ?? 'no reason is told') : undefined,
    files: url === undefined ? undefined : [{ kind: 'image' as const, url }],
    start_time: parseTime(reported.startTime),
    finish_time: parseTime(reported.finishTime),
    prompt_en: asText(reported.promptEn),
    data: omitUndefinedMembers({ description, customId, botType, state, buttons, properties }),
  })
}

/** Parses `42%`. */
function parsePercent(progress: unknown): number | undefined {
  const percent = typeof progress === 'string' ? Number.parseInt(progress, 10) : asFiniteNumber(progress)
  return percent === undefined || Number.isNaN(percent) ? undefined : Math.min(99, Math.max(0, percent))
}

const parseTime = (time: unknown): number | undefined => {
  const ms = asFiniteNumber(time)
  return ms !== undefined && ms > 0 ? ms : undefined
}

// Writes drawings in the public form of Midjourney proxies.

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
