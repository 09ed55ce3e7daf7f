// Applies the outcome of a task: its state only moves forward, and each end moves money at most once, in the
// transaction that writes it.
import type { TaskDialect, TaskState, TaskStatus } from '../../dialects/tasks/task-dialect.ts'
import { fail, GatewayError } from '../../errors.ts'
import { LOG_ROW_TYPE, type NewLogEntry } from '../../calls/log-entry.ts'
import { buildEventLog } from '../../logs/log.ts'
import { formatLoggedQuota, formatLogText } from '../../logs/event-texts.ts'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { charge } from '../../pricing/charge.ts'
import type { Ledger } from '../../quota/ledger.ts'
import type { TransactionHook } from '../../quota/operation.ts'
import type { Settings } from '../../settings/index.ts'
import { listBudgetKeys, memberBudgetKeys } from '../../tokens/budget.ts'
import type { RollUp } from '../../usage/roll-up.ts'
import type { TaskChange } from '../../tasks/store.ts'
import type { StoredTask } from '../../tasks/task.ts'
import { getTaskData, isOver, parseProgressPercent, parseTaskTerms, toCallerTask } from '../../tasks/task.ts'
import { getUserLanguage } from '../../users/user-language.ts'

interface TaskOutcomePorts {
  storage: Pick<Storage, 'tasks' | 'users' | 'tokens' | 'transaction'>
  ledger: Pick<Ledger, 'credit'>
  rollUp: Pick<RollUp, 'correct'>
  clock: Clock
  settings(): Settings
}

/** The result of a poll: no change, a change, or the end of the task (possibly written by another process). */
export type PollResult = 'same' | 'moved' | 'over'

export interface TaskOutcomes {
  /** Applies a state that the provider reported. */
  onReported(task: StoredTask, state: TaskState, dialect: TaskDialect): Promise<PollResult>
  /** Ends the task as failed and refunds it. False if it was already over. */
  failed(task: StoredTask, why: string, more?: TaskChange, inTransaction?: TransactionHook): Promise<boolean>
  /** Refunds a task that is over. */
  refund(task: StoredTask, by: string, inTransaction: TransactionHook): Promise<void>
}

/** States in order: a later report never moves a task back. A window (MODAL) is filled in before the drawing starts. */
const ORDER: readonly TaskStatus[] = ['NOT_START', 'SUBMITTED', 'QUEUED', 'MODAL', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']

/** The reference of the task in the entries that follow its charge. */
const getTaskReference = ({ id }: StoredTask): string => `task ${id}`

export function createTaskOutcomes({ storage, ledger, rollUp, clock, settings }: TaskOutcomePorts): TaskOutcomes {
  /** Writes the end of a task, with a movement of money if `amount` is not 0. */
  async function end(
    task: StoredTask,
    amount: number,
    change: TaskChange,
    log: Event,
    more?: TransactionHook,
  ): Promise<boolean> {
    const over = { ...change, finish_time: change.finish_time || clock.now(), updated_at: clock.now(), due_at: null }
    const inTransaction: TransactionHook = async (within) => {
      if (!(await within.tasks.update(task.id, over))) fail('task.over', { status: task.status })
      await more?.(within)
    }
    try {
      if (amount !== 0) return await creditTask(task, amount, log, inTransaction)
      await storage.transaction(inTransaction)
      return true
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'task.over') return false
      throw error
    }
  }

  async function creditTask(
    task: StoredTask,
    amount: number,
    event: Event,
    inTransaction: TransactionHook,
  ): Promise<boolean> {
    const isEnd = event.name === 'task_failed' || event.name === 'task_refunded'
    const { user_id, token_id, channel_id, request_id, group, model: model_name } = task
    // Rows of a release without accounts have no account id: the user has paid.
    const account_id = task.account_id || user_id
    const done = await ledger.credit({
      account_id,
      kind: isEnd ? 'refund' : 'adjustment',
      amount,
      reference: getTaskReference(task),
      by_user_id: user_id === account_id ? undefined : user_id,
      of: { token_id: token_id || null, channel_id, request_id, budgets: await findBudgets(task) },
      inTransaction,
      log: await buildLogEntry(task, amount, event),
    })
    if (done) rollUp.correct({ at: seconds(clock), user_id, token_id, channel_id, group, model_name, quota: -amount })
    return done
  }

  /** Returns the budgets that counted the task's charge. */
  async function findBudgets({ token_id, user_id }: StoredTask): Promise<string[]> {
    const token = token_id > 0 ? await storage.tokens.find(token_id) : null
    if (!token) return []
    const zone = settings().ReportTimeZone
    return [...listBudgetKeys(token, zone), ...Object.values(memberBudgetKeys(token.team_id, user_id, zone))]
  }

  async function buildLogEntry(task: StoredTask, amount: number, { name, why, who }: Event): Promise<NewLogEntry> {
    const user = await storage.users.find(task.user_id)
    const language = user ? getUserLanguage(user, 'en') : 'en'
    const given = {
      task: task.task_id,
      quota: formatLoggedQuota(Math.abs(amount), settings()),
      why: why ?? '',
      who: who ?? '',
    }
    return {
      ...buildEventLog(
        { id: task.user_id, username: task.username, group: task.group },
        LOG_ROW_TYPE.system,
        seconds(clock),
        formatLogText(name, given, language),
        amount,
      ),
      token_id: task.token_id,
      token_name: task.token_name,
      channel: task.channel_id,
      model_name: task.model,
      request_id: task.request_id,
    }
  }

  const outcomes: TaskOutcomes = {
    async onReported(task, state, dialect) {
      const change = buildChange(task, state)
      if (state.status === 'FAILURE') {
        await outcomes.failed(task, state.fail_reason ?? '', change)
        return 'over'
      }
      if (state.status !== 'SUCCESS') {
        if (isSame(task, change)) return 'same'
        return (await storage.tasks.update(task.id, { ...change, updated_at: clock.now() })) ? 'moved' : 'over'
      }
      await completeTask(task, state, dialect, change)
      return 'over'
    },
    failed(task, why, more = {}, inTransaction) {
      const change = { ...more, status: 'FAILURE', progress: '100%', fail_reason: why, refunded: task.quota }
      return end(task, task.quota, change, { name: 'task_failed', why }, inTransaction)
    },
    async refund(task, by, more) {
      const amount = task.quota - task.refunded
      if (!isOver(task.status)) fail('task.open')
      if (task.refunded > 0 || amount === 0) fail('task.refunded')
      const inTransaction: TransactionHook = async (within) => {
        if (!(await within.tasks.refunded(task.id, amount))) fail('task.refunded')
        await more(within)
      }
      if (!(await creditTask(task, amount, { name: 'task_refunded', who: by }, inTransaction))) fail('task.refunded')
    },
  }
  return outcomes

  /** Books the difference between actual and charged usage as a second entry. */
  async function completeTask(
    task: StoredTask,
    state: TaskState,
    dialect: TaskDialect,
    change: TaskChange,
  ): Promise<void> {
    const terms = parseTaskTerms(task)
    const used = terms && dialect.used(terms.usage, state)
    if (!terms || !used || used === terms.usage) {
      await end(task, 0, { ...change, progress: '100%' }, { name: 'task_less' })
      return
    }
    const { quota } = charge(terms.price, terms.group_ratio, used, terms.quota_per_unit, terms.started_at)
    const amount = task.quota - quota
    const done = { ...change, progress: '100%', quota, terms: JSON.stringify({ ...terms, usage: used }) }
    await end(task, amount, done, { name: amount > 0 ? 'task_less' : 'task_more' })
  }
}

interface Event {
  name: 'task_failed' | 'task_refunded' | 'task_less' | 'task_more'
  why?: string
  who?: string
}

/** Returns the state of a task before its provider reported an unknown one. */
const getLastKnownStatus = ({ progress, start_time }: StoredTask): TaskStatus =>
  parseProgressPercent(progress) > 0 || start_time > 0 ? 'IN_PROGRESS' : 'NOT_START'

/** Returns the changes of an open task for a reported state. */
function buildChange(task: StoredTask, state: TaskState): TaskChange {
  const before = ORDER.indexOf(task.status === 'UNKNOWN' ? getLastKnownStatus(task) : (task.status as TaskStatus))
  // An unknown state is shown as such. A window stays open until it is filled in.
  const after = state.status === 'UNKNOWN' && task.status !== 'MODAL' ? ORDER.length : ORDER.indexOf(state.status)
  const progress = Math.max(parseProgressPercent(task.progress), Math.min(state.progress ?? 0, 99))
  const data = getTaskData(state)
  return {
    ...(after >= before ? { status: state.status } : {}),
    progress: `${progress}%`,
    ...(state.fail_reason ? { fail_reason: state.fail_reason } : {}),
    ...(state.files ? { files: JSON.stringify(state.files), ...findImage(state) } : {}),
    ...(data === '' ? {} : { data }),
    ...(state.prompt_en ? { prompt_en: state.prompt_en } : {}),
    ...(state.details ? { details: JSON.stringify({ ...toCallerTask(task).details, ...state.details }) } : {}),
    ...(state.start_time && task.start_time === 0 ? { start_time: state.start_time } : {}),
    ...(isOver(state.status) && state.finish_time ? { finish_time: state.finish_time } : {}),
    ...(state.look ? { look: JSON.stringify(state.look) } : {}),
  }
}

const isSame = (task: StoredTask, change: TaskChange): boolean =>
  Object.entries(change).every(([name, value]) => task[name as keyof StoredTask] === value)

const findImage = ({ files = [] }: TaskState) => {
  const image = files.find(({ kind }) => kind === 'image')
  return image ? { image_url: image.url } : {}
}
