// Administrators' actions on a task. Each writes its audit row in the transaction of its change.
import { toAuditAuthor } from '../../audit/audit.ts'
import type { ChannelIndex } from '../../channels/channel-index.ts'
import { getUpstreamModelName } from '../../channels/routed-channel.ts'
import type { TaskSubmission } from '../../dialects/tasks/task-dialect.ts'
import { findTaskFormat } from '../../dialects/tasks/task-formats.ts'
import { fail } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Random } from '../../ports/random.ts'
import type { Storage, WriteTransaction } from '../../ports/storage.ts'
import type { TaskAdminAction, TaskOperationAuthor, EndTaskByAdmin } from '../../tasks/task-ends.ts'
import { isOver, type StoredTask } from '../../tasks/task.ts'
import { formatPresentedKey } from '../../tokens/token.ts'
import { type CallCaller, createAbortSource } from '../call.ts'
import type { TaskOutcomes } from './outcome.ts'
import { findTaskEndpoint, type SubmitTask } from './submit.ts'
import { queryTask, type TaskQueryPorts } from './task-query.ts'

type FoundCaller = Pick<CallCaller, 'user' | 'token' | 'debt'>

interface AdministrationPorts extends TaskQueryPorts {
  storage: Storage
  random: Random
  logger: Logger
  channels: Pick<ChannelIndex, 'find'>
  outcomes: TaskOutcomes
  callers: {
    find(key: string): FoundCaller | null | Promise<FoundCaller | null>
  }
  submit: SubmitTask
}

/** Maximum wait for a provider to cancel a task, in ms. */
const PATIENCE_MS = 15_000
const ID_LENGTH = 16

export function createTaskAdministration(ports: AdministrationPorts): EndTaskByAdmin {
  const { storage, clock, random, outcomes, channels } = ports

  const buildAuditHook =
    (act: TaskAdminAction, task: StoredTask, by: TaskOperationAuthor) =>
    async ({ audit }: WriteTransaction) =>
      audit.insert([
        {
          ...toAuditAuthor(by),
          action: `task.${act}`,
          target: task.task_id,
          before: task.status,
          created_at: seconds(clock),
          after: JSON.stringify({ user_id: task.user_id, quota: task.quota }),
        },
      ])

  /** Asks the provider to cancel the task if it can. The task ends in Weir in any case. */
  async function cancelAtProvider(task: StoredTask): Promise<void> {
    const format = findTaskFormat(task.format)
    const channel = channels.find(task.channel_id)
    const key = channel?.keys.find(({ fingerprint }) => fingerprint === task.key)?.channel ?? channel
    if (!format || !key) return
    try {
      const endpoint = findTaskEndpoint(key, format, getUpstreamModelName(task.model, key.mapping))
      const question = endpoint.dialect.cancel?.(task.upstream_id)
      const asking = { channel: key, endpoint, format, patience_ms: PATIENCE_MS }
      if (question) await queryTask(question, asking, createAbortSource().signal, ports)
    } catch (error) {
      ports.logger.warn('tasks: a provider did not end a task', { task: task.id, error: String(error) })
    }
  }

  /** Loads the task's user, with the task's token if that still exists. */
  async function loadCaller(task: StoredTask, by: TaskOperationAuthor): Promise<CallCaller> {
    const token = task.token_id > 0 ? await storage.tokens.find(task.token_id) : null
    const found = token && (await ports.callers.find(formatPresentedKey(token.key)))
    const user = found?.user ?? (await storage.users.find(task.user_id)) ?? fail('user.missing')
    const { ip, language } = by
    return {
      user,
      token: found?.token ?? null,
      debt: found?.debt,
      via: 'token',
      ip,
      language,
      request_id: random.text(ID_LENGTH),
      group: task.group,
    }
  }

  return {
    async cancel(task, by) {
      if (isOver(task.status)) fail('task.over', { status: task.status })
      await cancelAtProvider(task)
      const why = `cancelled by ${by.user?.username ?? 'the terminal'}`
      if (!(await outcomes.failed(task, why, {}, buildAuditHook('cancel', task, by))))
        fail('task.over', { status: 'over' })
    },
    refund: (task, by) =>
      outcomes.refund(task, by.user?.username ?? 'the terminal', buildAuditHook('refund', task, by)),
    async retry(task, by) {
      if (!isOver(task.status)) fail('task.open')
      const inbound = findTaskFormat(task.format)
      if (task.asked === '' || !inbound) return fail('task.not_kept')
      const { body, path, action } = JSON.parse(task.asked) as Omit<TaskSubmission, 'body'> & { body: string }
      const submission = { body: new TextEncoder().encode(body), path, action }
      const caller = await loadCaller(task, by)
      const call = {
        inbound,
        body: submission.body,
        caller,
        signal: createAbortSource().signal,
        started_at: clock.now(),
      }
      await storage.transaction(buildAuditHook('retry', task, by))
      await ports.submit(call, submission)
    },
  }
}
