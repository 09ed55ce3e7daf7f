// Polls providers for the state of open tasks. Due rows are claimed by the database's clock, so that several processes
// share them without polling a task twice; channels are polled concurrently, each at its own pace.
import type { ChannelIndex } from '../../channels/channel-index.ts'
import { type RoutedChannel, getUpstreamModelName } from '../../channels/routed-channel.ts'
import type { TaskDialect, TaskEndpoint, TaskRequest, TaskState } from '../../dialects/tasks/task-dialect.ts'
import type { TaskFormat } from '../../dialects/tasks/task-format.ts'
import { findTaskFormat } from '../../dialects/tasks/task-formats.ts'
import { GatewayError } from '../../errors.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Storage } from '../../ports/storage.ts'
import type { Settings } from '../../settings/index.ts'
import { DEFERRED_PLATFORM, parseTaskQuestion, type StoredTask } from '../../tasks/task.ts'
import { createAbortSource } from '../call.ts'
import { AttemptError } from '../failure.ts'
import type { TaskOutcomes } from './outcome.ts'
import { findTaskEndpoint } from './submit.ts'
import { queryTask, type TaskQueryPorts } from './task-query.ts'
import type { NotifyWebhook } from './webhooks.ts'

interface PollerPorts extends TaskQueryPorts {
  storage: Pick<Storage, 'tasks' | 'kind'>
  index: Pick<ChannelIndex, 'find'>
  outcomes: TaskOutcomes
  tellHook: NotifyWebhook
  logger: Logger
  settings(): Settings
}

export interface TaskPoller {
  /** Claims due tasks and starts their polls; resolves before they are answered. */
  run(): Promise<void>
  /** Polls the task of a notification soon, and trusts nothing else in it. False if there is no such task. */
  wake(notifyKey: string): Promise<boolean>
  /** Resolves once all started polls are over. */
  settled(): Promise<void>
  /** Aborts all polls: shutdown waits for no provider. */
  close(): Promise<void>
}

/** Interval between two searches for due tasks. */
export const POLL_INTERVAL_MS = 1_000
/** Number of tasks per claim, concurrent polls per channel, and single polls per channel and second. */
const CLAIMED = 400
const SIDE_BY_SIDE = 8
const ONE_BY_ONE = 20
/** Longer than the polls of one claim take: `ONE_BY_ONE / SIDE_BY_SIDE` polls in a row, or fewer group polls. */
const LEASE_MS = 40_000
const PATIENCE_MS = 10_000
/** Polls become rarer with a task's age. */
const SOONEST_MS = 2_000
const LATEST_MS = 30_000
const AGE_FACTOR = 8
/** Longest pause between polls of a provider that does not answer. */
const LONGEST_PAUSE_MS = 300_000
const MINUTE_MS = 60_000

/** Returns the time until the next poll, by the task's age and its failed polls. Unit: ms. */
export function getPollBackoffMs(
  { submit_time, failures }: Pick<StoredTask, 'submit_time' | 'failures'>,
  now: number,
): number {
  const plain = Math.min(Math.max((now - submit_time) / AGE_FACTOR, SOONEST_MS), LATEST_MS)
  return Math.min(plain * 2 ** Math.min(failures, 10), Math.max(LONGEST_PAUSE_MS, plain))
}

/** Tasks on one channel with one key, in one dialect. */
interface Batch {
  channel: RoutedChannel
  endpoint: TaskEndpoint
  format: TaskFormat
  tasks: StoredTask[]
}

/** A question to a provider, and the tasks that it covers. */
interface Poll {
  tasks: readonly StoredTask[]
  question: TaskRequest
}

export function createTaskPoller(ports: PollerPorts): TaskPoller {
  const { storage, index, outcomes, clock, logger } = ports
  /** Running polls by channel, key and format. */
  const running = new Map<string, Promise<void>>()
  const closing = createAbortSource()

  /** If one process owns the database, claims of an earlier process are void. */
  let freed = storage.kind === 'sqlite' ? storage.tasks.freeAll() : undefined

  async function run(): Promise<void> {
    await freed
    freed = undefined
    const claimed = await storage.tasks.claim(CLAIMED, LEASE_MS)
    const batches = new Map<string, Batch>()
    for (const task of claimed) {
      const name = `${task.channel_id} ${task.key} ${task.format}`
      const batch = batches.get(name) ?? findBatch(task)
      if (!batch) await endTask(task, task.platform === DEFERRED_PLATFORM ? 'response.lost' : 'task.channel_gone')
      else {
        batch.tasks.push(task)
        batches.set(name, batch)
      }
    }
    for (const [name, batch] of batches) {
      // A channel that is still being polled is not polled twice.
      if (running.has(name)) void postponeTasks(batch.tasks, SOONEST_MS)
      else
        running.set(
          name,
          pollBatch(batch).finally(() => running.delete(name)),
        )
    }
  }

  function findBatch(task: StoredTask): Batch | undefined {
    const channel = index.find(task.channel_id)
    const format = findTaskFormat(task.format)
    // The key may have been renewed: a single key then belongs to the same account.
    const key =
      channel?.keys.find(({ fingerprint }) => fingerprint === task.key) ??
      (channel?.keys.length === 1 ? channel.keys[0] : undefined)
    if (!channel || !format || !key) return undefined
    try {
      const endpoint = findTaskEndpoint(channel, format, getUpstreamModelName(task.model, channel.mapping))
      return { channel: key.channel, endpoint, format, tasks: [] }
    } catch {
      return undefined
    }
  }

  async function pollBatch(batch: Batch): Promise<void> {
    try {
      const { grouped } = batch.endpoint.dialect
      await runPolls(batch, grouped ? groupPolls(batch, grouped) : await buildSinglePolls(batch))
    } catch (error) {
      logger.error('tasks: a channel could not be asked', { channel: batch.channel.id, error: String(error) })
      await postponeTasks(batch.tasks, SOONEST_MS).catch(() => undefined)
    }
  }

  function groupPolls({ tasks }: Batch, { most, question }: NonNullable<TaskDialect['grouped']>): Poll[] {
    const polls: Poll[] = []
    for (let from = 0; from < tasks.length; from += most) {
      const some = tasks.slice(from, from + most)
      polls.push({ tasks: some, question: question(some.map(({ upstream_id }) => upstream_id)) })
    }
    return polls
  }

  async function buildSinglePolls({ tasks }: Batch): Promise<Poll[]> {
    await postponeTasks(tasks.slice(ONE_BY_ONE), 1_000)
    const polls: Poll[] = []
    for (const task of tasks.slice(0, ONE_BY_ONE)) {
      const question = parseTaskQuestion(task)
      if (question) polls.push({ tasks: [task], question })
      else await endTask(task, 'task.forgotten')
    }
    return polls
  }

  /** Runs the polls within the lease. Once the channel fails, the rest is postponed. */
  async function runPolls(batch: Batch, polls: Poll[]): Promise<void> {
    let broken = false
    const worker = async () => {
      for (let poll = polls.shift(); poll; poll = polls.shift()) {
        if (!broken) broken = !(await pollTasks(batch, poll.tasks, poll.question))
        else
          await storage.tasks.postpone(poll.tasks.map((task) => toPostponed(task, getPollBackoffMs(task, clock.now()))))
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  }

  /** Returns false if the channel did not answer. */
  async function pollTasks(
    batch: Batch,
    tasks: readonly StoredTask[],
    question: Parameters<typeof queryTask>[0],
  ): Promise<boolean> {
    const ids = tasks.map(({ upstream_id }) => upstream_id)
    let states: TaskState[]
    try {
      states = await loadStates(batch, ids, question)
    } catch (error) {
      const unknown = isUnknown(error)
      for (const task of tasks)
        await postponeUnanswered(task, unknown || closing.signal.aborted ? 0 : 1, getRetryAfterMs(error))
      return unknown
    }
    const unfinished: StoredTask[] = []
    for (const task of tasks) {
      const state = states.find(({ upstream_id }) => upstream_id === task.upstream_id)
      const found = state ? await outcomes.onReported(task, state, batch.endpoint.dialect) : 'same'
      if (found !== 'same') void notifyCaller(task)
      if (found === 'over') continue
      if (isLate(task)) await endTask(task, 'task.forgotten')
      else unfinished.push({ ...task, failures: 0 })
    }
    await storage.tasks.postpone(unfinished.map((task) => toPostponed(task, getPollBackoffMs(task, clock.now()))))
    return true
  }

  /** Loads the states of the tasks. Some providers report the end of a task as an error. */
  async function loadStates(
    { channel, endpoint, format }: Batch,
    ids: readonly string[],
    question: Parameters<typeof queryTask>[0],
  ): Promise<TaskState[]> {
    const asking = { channel, endpoint, format, patience_ms: PATIENCE_MS }
    try {
      return endpoint.dialect.states(await queryTask(question, asking, closing.signal, ports), ids)
    } catch (error) {
      const ends = isUnknown(error) ? endpoint.dialect.states(error.failure, ids) : []
      if (ends.length > 0) return ends
      throw error
    }
  }

  async function notifyCaller({ id }: StoredTask): Promise<void> {
    const task = await storage.tasks.find(id)
    if (task) await ports.tellHook(task)
  }

  async function postponeUnanswered(task: StoredTask, more: number, wait_ms = 0): Promise<void> {
    if (isLate(task)) return endTask(task, 'task.forgotten')
    const failures = task.failures + more
    await postponeTasks(
      [{ ...task, failures }],
      Math.max(wait_ms, getPollBackoffMs({ ...task, failures }, clock.now())),
    )
  }

  /** Returns the maximum duration of a task, in minutes. */
  const getMaxMinutes = (task: StoredTask): number =>
    Math.min(ports.settings()['tasks.forget_minutes'], findTaskFormat(task.format)?.minutes?.(task) ?? Infinity)

  const isLate = (task: StoredTask) => clock.now() - task.submit_time > getMaxMinutes(task) * MINUTE_MS

  async function endTask(
    task: StoredTask,
    reason: 'task.channel_gone' | 'task.forgotten' | 'response.lost',
  ): Promise<void> {
    const minutes = getMaxMinutes(task)
    const why = reason === 'task.forgotten' && task.status === 'MODAL' ? 'task.window_left' : reason
    if (await outcomes.failed(task, new GatewayError(why, { minutes }).message)) void notifyCaller(task)
  }

  const postponeTasks = (tasks: readonly StoredTask[], due_in_ms: number): Promise<void> =>
    storage.tasks.postpone(tasks.map((task) => toPostponed(task, due_in_ms)))

  const settled = async () => void (await Promise.all(running.values()))

  return {
    run,
    async wake(notifyKey) {
      const task = await storage.tasks.findByNotifyKey(notifyKey)
      if (!task) return false
      await storage.tasks.wake(task.id)
      void run().catch(() => undefined)
      return true
    },
    settled,
    async close() {
      closing.now(new GatewayError('upstream.broken'))
      await settled()
    },
  }
}

/** Returns true if the provider answers, but does not know the task. */
const isUnknown = (error: unknown): error is AttemptError =>
  error instanceof AttemptError && (error.failure.status === 404 || error.failure.status === 400)

const getRetryAfterMs = (error: unknown): number =>
  error instanceof AttemptError ? Math.min(error.failure.retry_after_ms ?? 0, LONGEST_PAUSE_MS) : 0

const toPostponed = ({ id, failures, polls }: StoredTask, due_in_ms: number) => ({
  id,
  due_in_ms,
  failures,
  polls: polls + 1,
})
