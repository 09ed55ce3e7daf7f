// Background responses (`background: true`): a normal call of this process whose answer is stored and read by its id.
// It is a task row while it runs, and its end is written with its charge. If the process dies nothing is charged, and
// the task is ended once it is due.
import { changeTopMembers, toJsonBytes, readTopMember } from '../../dialects/json/json-bytes.ts'
import { asObject, type JsonObject, parseJson } from '../../dialects/json/json-value.ts'
import { buildPendingResponse } from '../../dialects/openai-responses/response.ts'
import type { StoredConversation } from '../../dialects/openai-responses/stored-answer.ts'
import { fail, GatewayError } from '../../errors.ts'
import { type Clock, seconds } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Settings } from '../../settings/index.ts'
import type { TaskStore } from '../../tasks/store.ts'
import type { NewTask, StoredTask } from '../../tasks/task.ts'
import { DEFERRED_PLATFORM, isForgotten, isOver, FORGOTTEN_TASK_DETAILS } from '../../tasks/task.ts'
import { admitToken, findPayingAccount } from '../admission.ts'
import type { BackgroundRequest, Call, CallCaller, Reply, AbortSource } from '../call.ts'
import { createAbortSource } from '../call.ts'
import { toCallFailure } from '../failure.ts'
import type { OpenTaskCounter } from '../tasks/task-row.ts'
import { assertMayRead, type ResponseChain } from './stored-responses.ts'

export interface BackgroundResponses {
  /**
   * Starts a background response. `reply` gets its id once quota is held.
   * @throws GatewayError, AttemptError any refusal of the call; task.too_many, response.not_deferred
   */
  begin(call: Call, reply: Reply, relay: (call: Call, reply: Reply) => Promise<void>): Promise<void>
  /** Finds a background response of the caller, as long as its task exists. */
  find(id: string, caller: CallCaller): Promise<StoredTask | undefined>
  /**
   * Returns the public form of a background response, or undefined if nothing is stored. `answer` is the stored
   * response.
   */
  toReply(task: StoredTask, answer: StoredConversation | undefined): JsonObject | undefined
  /** Cancels a background response. Its usage so far is charged as after a client disconnect. */
  cancel(task: StoredTask): Promise<StoredTask>
  /** @throws GatewayError task.open */
  forget(task: StoredTask): Promise<void>
  /** Cancels all of them, before the process ends. */
  stop(): void
  /** Resolves when all of them are written. */
  settled(): Promise<void>
}

interface BackgroundResponsesPorts {
  storage: { tasks: TaskStore }
  responseChain: Pick<ResponseChain, 'nameFor'>
  openTasks: OpenTaskCounter
  clock: Clock
  logger: Logger
  settings(): Settings
}

/** Interval at which a live process postpones its tasks, well below the time after which they are due. */
const BEAT_MS = 5_000
const ALIVE_MS = 60_000

export function createDeferredAnswers(ports: BackgroundResponsesPorts): BackgroundResponses {
  const { storage, clock, logger } = ports
  /** Background responses that run in this process. */
  const running = new Map<string, { task: StoredTask; stop: AbortSource }>()
  const ends = new Set<Promise<void>>()
  let stopBeating: (() => void) | undefined

  async function beat(): Promise<void> {
    const all = [...running.values()]
    await storage.tasks.postpone(all.map(({ task: { id } }) => ({ id, due_in_ms: ALIVE_MS, failures: 0, polls: 0 })))
    for (const { task, stop } of all) {
      const now = await storage.tasks.find(task.id)
      if (!now || isOver(now.status) || parseTaskDetails(now).cancelled) stop.now(new GatewayError('response.lost'))
    }
  }

  const startBeating = () => clock.every(BEAT_MS, () => void beat().catch(logUnwritten))
  const logUnwritten = (error: unknown) =>
    logger.warn('answers in the background: not written', { error: String(error) })

  async function writeTask(row: NewTask, stop: AbortSource): Promise<StoredTask> {
    await storage.tasks.add(row, ALIVE_MS)
    const task = (await storage.tasks.findOwn(row.user_id, row.task_id)) ?? fail('response.lost')
    running.set(row.task_id, { task, stop })
    stopBeating ??= startBeating()
    return task
  }

  /** Marks the task as failed, unless it is already over. */
  async function failTask(task: StoredTask, error: unknown): Promise<void> {
    const now = clock.now()
    const fail_reason = toCallFailure(error).message
    const over = { status: 'FAILURE', progress: '100%', fail_reason, finish_time: now, updated_at: now, due_at: null }
    await storage.tasks.update(task.id, over)
  }

  return {
    async begin(given, reply, relay) {
      const { caller } = given
      const settings = ports.settings()
      admitToken(caller, seconds(clock))
      const id = ports.responseChain.nameFor(given, settings) ?? fail('response.not_deferred')
      const leave = await ports.openTasks.admit(caller.user.id, settings['tasks.open_per_user'])
      const stop = createAbortSource()
      let task: StoredTask | undefined
      await new Promise<void>((resolve, reject) => {
        const deferred: BackgroundRequest = {
          id,
          async onStarted(receipt, model) {
            task = await writeTask(buildTaskRow(given, model, id, clock.now()), stop)
            reply.admitted(false, receipt)
            const type = { 'content-type': 'application/json' }
            reply.whole({ status: 200, headers: type }, [toJsonBytes(toPendingResponse(task, 'queued'))])
            resolve()
          },
          ended: (record, isKept) => async (within) => {
            const now = clock.now()
            const { charge, failure, attempts, models } = record
            const done = {
              status: isKept ? 'SUCCESS' : 'FAILURE',
              progress: '100%',
              finish_time: now,
              updated_at: now,
              fail_reason: isKept ? '' : (failure?.message ?? ''),
              quota: charge.quota,
              model: models.served,
              channel_id: attempts.at(-1)?.channel_id ?? 0,
              due_at: null,
            }
            if (!task || !(await within.tasks.update(task.id, done))) fail('task.over', { status: 'over' })
          },
        }
        const body = changeTopMembers(given.body, new Map([['background', null]]))
        const end = relay({ ...given, body, signal: stop.signal, deferred }, DETACHED_REPLY)
          // An error before the task exists is thrown to the client.
          .catch((error: unknown) => (task ? failTask(task, error).catch(logUnwritten) : reject(error)))
          .finally(() => {
            running.delete(id)
            ends.delete(end)
            if (running.size === 0) stopBeating = void stopBeating?.()
          })
        ends.add(end)
      }).finally(leave)
    },
    async find(id, caller) {
      const task = await storage.tasks.findOwn(caller.user.id, id)
      return task?.platform === DEFERRED_PLATFORM && assertMayRead(caller, task) && !isForgotten(task)
        ? task
        : undefined
    },
    toReply(task, answer) {
      const { cancelled } = parseTaskDetails(task)
      if (cancelled) return toPendingResponse(task, 'cancelled')
      if (task.status === 'FAILURE') return toPendingResponse(task, 'failed')
      return isOver(task.status) ? answer?.response : toPendingResponse(task, 'in_progress')
    },
    async cancel(task) {
      const details = JSON.stringify({ ...parseTaskDetails(task), cancelled: true })
      if (!(await storage.tasks.update(task.id, { details }))) return task
      running.get(task.task_id)?.stop.now(new GatewayError('response.lost'))
      return { ...task, details }
    },
    async forget(task) {
      if (!isOver(task.status)) fail('task.open')
      await storage.tasks.forget(task.id, FORGOTTEN_TASK_DETAILS)
    },
    stop() {
      for (const { stop } of running.values()) stop.now(new GatewayError('response.lost'))
    },
    async settled() {
      await Promise.all(ends)
    },
  }
}

/** A reply without a client: the answer is only stored. */
const DETACHED_REPLY: Reply = { admitted() {}, head() {}, write: () => undefined, whole() {} }

const parseTaskDetails = ({ details }: Pick<StoredTask, 'details'>): JsonObject =>
  asObject(parseJson(details || '{}')) ?? {}

const toPendingResponse = (
  task: StoredTask,
  status: Parameters<typeof buildPendingResponse>[0]['status'],
): JsonObject =>
  buildPendingResponse({
    id: task.task_id,
    model: task.model,
    created_at: task.created_at,
    status,
    metadata: asObject(parseTaskDetails(task).metadata) ?? {},
    ...(status === 'failed' ? { error: task.fail_reason } : {}),
  })

/** Builds the task row. The prompt and the answer are only in the stored response, which is encrypted. */
function buildTaskRow({ caller, inbound, body }: Call, model: string, id: string, now: number): NewTask {
  const { user, token, group = '', request_id } = caller
  return {
    task_id: id,
    upstream_id: '',
    platform: DEFERRED_PLATFORM,
    format: inbound.name,
    action: 'ANSWER',
    model,
    group: token?.group ?? group,
    user_id: user.id,
    username: user.username,
    account_id: findPayingAccount(caller).account_id,
    token_id: token?.id ?? 0,
    token_name: token?.name ?? '',
    channel_id: 0,
    key: '',
    status: 'IN_PROGRESS',
    progress: '0%',
    fail_reason: '',
    code: 1,
    prompt: '',
    prompt_en: '',
    image_url: '',
    files: '[]',
    data: '',
    asked: '',
    look: '',
    hook: '',
    details: JSON.stringify({ metadata: readTopMember(body, 'metadata') }),
    quota: 0,
    refunded: 0,
    request_id,
    terms: '',
    created_at: Math.floor(now / 1000),
    submit_time: now,
    start_time: now,
    finish_time: 0,
    updated_at: now,
    due_at: null,
    lease_until: 0,
    polls: 0,
    failures: 0,
    notify_key: null,
  }
}
