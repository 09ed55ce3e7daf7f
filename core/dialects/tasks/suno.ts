// Suno, as the projects around its API use it (docs/relay.md): songs and lyrics, submitted in one call and polled in
// batches with another.
import { fail } from '../../errors.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { createPassthroughDialect, buildPlainHead } from '../passing.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import type { ParsedSubmission, TaskDialect, TaskRequest, TaskFile, TaskState, TaskSubmission } from './task-dialect.ts'
import { keepRequestedUsage, TASK_STATUSES } from './task-dialect.ts'
import type { TaskFormat, PublicTask } from './task-format.ts'

const NAME = 'suno'
const ACTIONS = ['MUSIC', 'LYRICS']
/** The version that clients get by default (`mv`). */
const USUAL_VERSION = 'chirp-v3-0'

/** @throws GatewayError request.unreadable, request.invalid */
function read({ body, path }: TaskSubmission): ParsedSubmission {
  const action = (path.action ?? '').toUpperCase()
  if (!ACTIONS.includes(action)) fail('request.invalid', { param: 'action', reason: 'invalid_action' })
  const given = parseRequestBody(body)
  const prompt = asText(given.gpt_description_prompt) || asText(given.prompt) || ''
  if (action === 'LYRICS' && prompt === '') fail('request.invalid', { param: 'prompt', reason: 'prompt_empty' })
  const clip = asText(given.continue_clip_id)
  const follows = asText(given.task_id)
  if (clip && !follows) fail('request.invalid', { param: 'task_id', reason: 'task id is empty' })
  return {
    format: NAME,
    model: `suno_${action.toLowerCase()}`,
    action,
    prompt,
    given,
    ...(clip ? { follows } : {}),
  }
}

const buildBatchQuestion = (ids: readonly string[]): TaskRequest => ({
  method: 'POST',
  path: '/suno/fetch',
  json: { ids: [...ids] },
})

export const sunoMusicTasks: TaskDialect = {
  name: NAME,
  operation: 'music',
  read,
  write: ({ action, given }, { follows }) => ({
    method: 'POST',
    path: `/suno/submit/${action}`,
    json: {
      ...given,
      ...(action === 'MUSIC' && !asText(given.mv) ? { mv: USUAL_VERSION } : {}),
      ...(follows ? { task_id: follows.upstream_id } : {}),
    },
  }),
  accepted(answer) {
    const id = asText(getMember(answer, 'data'))
    if (getMember(answer, 'code') === 'success' && id) return { state: { upstream_id: id, status: 'NOT_START' } }
    const message = asText(getMember(answer, 'message')) || 'the answer has no task in it'
    const code = asText(getMember(answer, 'code')) ?? null
    return { refused: { status: 500, message, type: 'upstream_error', code, param: null, source: 'upstream' } }
  },
  states: (answer) => (asList(getMember(answer, 'data')) ?? []).flatMap((task) => parseState(task) ?? []),
  used: keepRequestedUsage,
  grouped: { most: 50, question: buildBatchQuestion },
  status: (id) => buildBatchQuestion([id]),
}

function parseState(task: unknown): TaskState | undefined {
  const upstream_id = asText(getMember(task, 'task_id'))
  const reported = asObject(task)
  if (!upstream_id || !reported) return undefined
  const fail_reason = asText(reported.fail_reason) ?? ''
  const statusWord = asText(reported.status) ?? ''
  const status = fail_reason === '' ? (TASK_STATUSES.find((one) => one === statusWord) ?? 'UNKNOWN') : 'FAILURE'
  return {
    upstream_id,
    status,
    fail_reason,
    data: reported,
    progress: Number.parseInt(asText(reported.progress) ?? '', 10) || 0,
    files: listFiles(reported.data),
    start_time: (asFiniteNumber(reported.start_time) ?? 0) * 1000,
    finish_time: (asFiniteNumber(reported.finish_time) ?? 0) * 1000,
  }
}

const FILES = { audio_url: 'audio', video_url: 'video', image_url: 'image' } as const

const listFiles = (clips: unknown): TaskFile[] =>
  (asList(clips) ?? []).flatMap((clip) =>
    Object.entries(FILES).flatMap(([name, kind]) => {
      const url = asText(getMember(clip, name))
      return url ? [{ kind, url }] : []
    }),
  )

/** Writes a task, with times in epoch seconds under the names that clients know. */
const writeTask = ({ task_id, action, status, progress, fail_reason, data, ...times }: PublicTask): JsonObject => ({
  task_id,
  action,
  status,
  fail_reason,
  progress: `${progress}%`,
  submit_time: Math.floor(times.submit_time / 1000),
  start_time: Math.floor(times.start_time / 1000),
  finish_time: Math.floor(times.finish_time / 1000),
  data: data.data ?? null,
})

const answered = (data: unknown): JsonObject => ({ code: 'success', message: '', data })

export const sunoTaskFormat: TaskFormat = {
  ...createPassthroughDialect({
    name: NAME,
    operation: 'music',
    paths: ['/suno/submit/{action}'],
    headFields: {},
    usageKeys: [],
    head: ({ model }) => buildPlainHead(model),
    texts: (body) =>
      [...['gpt_description_prompt', 'prompt', 'tags', 'title']].flatMap(
        (name) => asText(getMember(parseJsonBytes(body), name)) ?? [],
      ),
    usageOf: () => fail('upstream.unreadable'),
  }),
  operation: 'music',
  platform: 'suno',
  routes: [
    { method: 'POST', path: '/suno/submit/{action}', wants: 'submit' },
    { method: 'POST', path: '/suno/fetch', wants: 'many' },
    { method: 'GET', path: '/suno/fetch/{id}', wants: 'read' },
  ],
  read,
  headOf: ({ model }) => ({ ...buildPlainHead(model), tasks: 1 }),
  taken: ({ task_id }) => answered(task_id),
  writeTask: (task) => answered(writeTask(task)),
  writeTasks: (tasks) => answered(tasks.map(writeTask)),
  idsIn: ({ ids }) => (asList(ids) ?? []).map(String),
  minutes: ({ action }) => (action === 'LYRICS' ? LYRICS_MINUTES : undefined),
  writeErrorReply: ({ message, code, source }) =>
    toJsonBytes({
      code: (source === 'gateway' && SUNO_CODES[String(code)]) || (code ?? 'do_request_failed'),
      message,
      data: null,
    }),
}

/** Time limit of lyrics, which take a minute or two. */
const LYRICS_MINUTES = 10

/** The codes that clients check, by our error codes; others are unchanged. */
const SUNO_CODES: Readonly<Record<string, string>> = {
  invalid_json: 'invalid_request',
  invalid_text_request: 'invalid_request',
  insufficient_user_quota: 'quota_not_enough',
  pre_consume_token_quota_failed: 'quota_not_enough',
}
