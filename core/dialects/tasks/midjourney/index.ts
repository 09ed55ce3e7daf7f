// Midjourney's proxies: drawings, and the actions of their buttons. https://github.com/novicezk/midjourney-proxy and
// its Plus edition; docs/relay.md describes how each code is handled.
import { fail } from '../../../errors.ts'
import { asList, asText } from '../../json/json-value.ts'
import { createPassthroughDialect, buildPlainHead, buildKnownUsage } from '../../passing.ts'
import { parseRequestBody } from '../../requests/request-body.ts'
import type { TaskDialect, TaskRequest, TaskSubmission, ParsedSubmission } from '../task-dialect.ts'
import { keepRequestedUsage } from '../task-dialect.ts'
import type { TaskFormat, TaskRoute } from '../task-format.ts'
import { getActionModel, findDrawingMode, DRAWING_SPEED_MODES } from './actions.ts'
import { parseAcceptance, parseTaskStates, writeAcceptance, writeDrawing } from './answer.ts'
import { readErrorReply, writeErrorReply } from './codes.ts'
import { buildProxySubmission, getSubmissionPath, parseSubmission, SUBMISSION_KINDS } from './submission.ts'

const NAME = 'midjourney'

function read({ body, path, action }: TaskSubmission): ParsedSubmission {
  const request = parseRequestBody(body)
  const kind = SUBMISSION_KINDS.find((one) => one === action) ?? fail('request.unknown_path')
  const mode = findDrawingMode(path.mode)
  const parsedSubmission = parseSubmission(kind, request)
  return {
    format: NAME,
    model: getActionModel(parsedSubmission.action, mode),
    action: parsedSubmission.action,
    prompt: parsedSubmission.prompt,
    follows: parsedSubmission.follows,
    hook: asText(request.notifyHook),
    given: { kind, mode, body: request },
  }
}

/** Maximum number of ids per request; more are split. */
const MOST_AT_ONCE = 100
/** A window that its caller does not fill in is closed after this time. */
const WINDOW_MINUTES = 30

const buildBatchQuestion = (ids: readonly string[]): TaskRequest => ({
  method: 'POST',
  path: '/mj/task/list-by-condition',
  json: { ids: [...ids] },
})

const dialect = (knowsModes: boolean): TaskDialect => ({
  name: NAME,
  operation: 'drawing',
  read,
  write: (ask, to) => buildProxySubmission(ask, to, knowsModes),
  accepted: parseAcceptance,
  states: parseTaskStates,
  used: keepRequestedUsage,
  seed: (id) => ({ method: 'GET', path: `/mj/task/${encodeURIComponent(id)}/image-seed` }),
  cancel: (id) => ({ method: 'POST', path: `/mj/task/${encodeURIComponent(id)}/cancel` }),
  grouped: { most: MOST_AT_ONCE, question: buildBatchQuestion },
  status: (id) => buildBatchQuestion([id]),
})

/** Plus and gateways like this one have modes in the path; other proxies have a single account with its mode. */
export const midjourneyProxyTasks = dialect(false)
export const midjourneyProxyPlus = dialect(true)

export const midjourneyTaskFormat: TaskFormat = {
  ...createPassthroughDialect({
    name: NAME,
    operation: 'drawing',
    paths: ['/mj/submit/imagine'],
    headFields: {},
    head: ({ model }) => ({ ...buildPlainHead(model, 1), tasks: 1 }),
    texts: (body) => [asText(parseRequestBody(body).prompt) ?? ''].filter((text) => text !== ''),
    usageKeys: [],
    usageOf: (_, { tasks }) => buildKnownUsage({ tasks }),
  }),
  readErrorReply,
  writeErrorReply,
  operation: 'drawing',
  platform: 'mj',
  routes: ['/mj', `/mj-{mode=${DRAWING_SPEED_MODES.join('|')}}/mj`].flatMap((base): TaskRoute[] => [
    ...SUBMISSION_KINDS.map((kind) => ({
      method: 'POST' as const,
      path: `${base}/${getSubmissionPath(kind)}`,
      wants: 'submit' as const,
      action: kind,
    })),
    { method: 'GET', path: `${base}/task/{id}/fetch`, wants: 'read' },
    { method: 'POST', path: `${base}/task/list-by-condition`, wants: 'many' },
    { method: 'GET', path: `${base}/task/{id}/image-seed`, wants: 'seed' },
    { method: 'POST', path: `${base}/notify`, wants: 'notify', idIn: 'id' },
    // The id itself is a secret, so no key is required.
    { method: 'GET', path: `${base}/image/{id}`, wants: 'image' },
  ]),
  read,
  headOf: ({ model }) => ({ ...buildPlainHead(model, 1), tasks: 1 }),
  taken: writeAcceptance,
  writeTask: writeDrawing,
  // The submission that fills in a window may keep its id: the newest task is returned.
  writeTasks: (tasks) =>
    [...new Map(tasks.toReversed().map((task) => [task.task_id, writeDrawing(task)])).values()].reverse(),
  idsIn: ({ ids }) => (asList(ids) ?? []).map(String),
  minutes: ({ status }) => (status === 'MODAL' ? WINDOW_MINUTES : undefined),
  mayFollow({ action }, { task_id, status }, { MjActionCheckSuccessEnabled }) {
    // A window waits to be filled in, so it has not succeeded yet.
    if (action !== 'MODAL' && MjActionCheckSuccessEnabled && status !== 'SUCCESS')
      fail('task.unfinished', { id: task_id })
  },
}
