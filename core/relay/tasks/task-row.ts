// A task from its submission to its stored row: the call, the channel's reply, and the row of an accepted task.
import type { CallRecord } from '../../calls/call-record.ts'
import type { ChannelKey } from '../../channels/keys.ts'
import { getUpstreamModelName, type RoutedChannel } from '../../channels/routed-channel.ts'
import { toPriceForm } from '../../dialects/requests/price-words.ts'
import { type FilmRequest, findFilmModel, hasSoundByDefault } from '../../dialects/tasks/film.ts'
import type {
  ParsedSubmission,
  SubmissionResult,
  TaskState,
  TaskSubmission,
} from '../../dialects/tasks/task-dialect.ts'
import type { TaskFormat } from '../../dialects/tasks/task-format.ts'
import { fail } from '../../errors.ts'
import type { Random } from '../../ports/random.ts'
import { findProvider } from '../../providers/index.ts'
import { findProviderTaskEndpoint } from '../../providers/provider.ts'
import type { TaskStore } from '../../tasks/store.ts'
import { getTaskData, isOver, type NewTask, type TaskTerms } from '../../tasks/task.ts'
import { type ChannelLookup, findPayingAccount } from '../admission.ts'
import type { Call } from '../call.ts'

interface RowInput {
  call: TaskCall
  ask: ParsedSubmission
  submission: TaskSubmission
  taken: AcceptedTask
  channel: Pick<RoutedChannel, 'id'>
  key: Pick<ChannelKey<RoutedChannel>, 'fingerprint'>
  record: CallRecord
  random: Random
}

/** Longer submissions, such as those with images, are not stored and cannot be submitted again. Characters. */
const MAX_SUBMISSION_LENGTH = 64 * 1024
const OWN_ID_LENGTH = 32

const decoder = new TextDecoder()

/**
 * Returns the public id of a task: the provider's, or one of Weir's. A task without a provider id always gets one,
 * since lists are searched by it.
 */
export function createTaskId(
  { ownIds, lowIds }: Pick<TaskFormat, 'ownIds' | 'lowIds'>,
  { upstream_id }: Pick<TaskState, 'upstream_id'>,
  random: Random,
): string {
  if (ownIds === undefined && upstream_id !== '') return upstream_id
  const id = random.text(OWN_ID_LENGTH)
  return (ownIds ?? '') + (lowIds ? id.toLowerCase() : id)
}

export function buildTaskRow({ call, ask, submission, taken, channel, key, record, random }: RowInput): NewTask {
  const { inbound, caller } = call
  const { state, look } = taken.accepted
  const { charge, terms, usage, request_id, started_at, ended_at, payer } = record
  const over = isOver(state.status)
  const priced: TaskTerms | undefined = usage
    ? { price: terms.price, group_ratio: terms.group_ratio, quota_per_unit: terms.quota_per_unit, started_at, usage }
    : undefined
  const submissionText = JSON.stringify({ ...submission, body: decoder.decode(submission.body) })
  return {
    task_id: record.task_id ?? createTaskId(inbound, state, random),
    upstream_id: state.upstream_id,
    platform: inbound.platform,
    format: inbound.name,
    action: ask.action,
    model: record.models.served,
    group: terms.group,
    user_id: payer.user_id,
    username: payer.username,
    account_id: findPayingAccount(caller).account_id,
    token_id: payer.token_id,
    token_name: payer.token_name,
    channel_id: channel.id,
    key: key.fingerprint,
    status: state.status,
    progress: `${over ? 100 : (state.progress ?? 0)}%`,
    fail_reason: state.fail_reason ?? '',
    code: Number(state.details?.code ?? 1),
    prompt: ask.prompt,
    prompt_en: state.prompt_en ?? '',
    image_url: state.files?.find(({ kind }) => kind === 'image')?.url ?? '',
    files: JSON.stringify(state.files ?? []),
    data: getTaskData(state),
    details: JSON.stringify({ ...ask.details, film: usage?.film, ...state.details }),
    asked: submissionText.length > MAX_SUBMISSION_LENGTH ? '' : submissionText,
    quota: charge.quota,
    refunded: 0,
    request_id,
    terms: priced ? JSON.stringify(priced) : '',
    created_at: Math.floor(ended_at / 1000),
    submit_time: started_at,
    start_time: state.start_time ?? 0,
    finish_time: over ? (state.finish_time ?? ended_at) : 0,
    updated_at: ended_at,
    due_at: null,
    lease_until: 0,
    polls: 0,
    failures: 0,
    look: look ? JSON.stringify(look) : '',
    notify_key: taken.notify_key,
    hook: ask.hook ?? '',
  }
}

// Limit of open tasks per user, which concurrent submissions cannot exceed.

export interface OpenTaskCounter {
  /**
   * Admits one more task; a limit of 0 means no limit. The returned function must be called once the task is written or
   * was refused.
   * @throws GatewayError task.too_many
   */
  admit(userId: number, limit: number): Promise<() => void>
}

export function createOpenTasks(storage: { tasks: Pick<TaskStore, 'countOpen'> }): OpenTaskCounter {
  /** Number of submissions in progress by user. */
  const submitting = new Map<number, number>()
  return {
    async admit(userId, limit) {
      const open = (submitting.get(userId) ?? 0) + 1
      submitting.set(userId, open)
      const leave = () => {
        const remaining = (submitting.get(userId) ?? 1) - 1
        if (remaining > 0) submitting.set(userId, remaining)
        else submitting.delete(userId)
      }
      try {
        if (limit > 0 && (await storage.tasks.countOpen(userId)) + open > limit) fail('task.too_many', { limit })
        return leave
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

// A task submission, and the channel's reply.

/** A call that asks for a task. */
export interface TaskCall extends Call {
  inbound: TaskFormat
}

/** A task that a channel accepted. */
export interface AcceptedTask {
  upstream_model: string
  accepted: Exclude<SubmissionResult, { refused: unknown }>
  notify_key: string
}

// Film defaults: values that the caller leaves out are those of the model's first channel. They are held and charged,
// and every provider is asked for exactly these.

/** Length of films of undeclared models. Seconds. */
const USUAL_LENGTH = 5

export function withFilmDefaults(
  requested: FilmRequest,
  model: string,
  format: TaskFormat,
  channels: Pick<ChannelLookup, 'naming'>,
): FilmRequest {
  const { resolution: size } = requested
  const film = size === undefined ? requested : { ...requested, resolution: toPriceForm(size) }
  for (const { type, mapping } of channels.naming(model)) {
    const sent = getUpstreamModelName(model, mapping)
    const provider = findProvider(type)
    const can = provider && findFilmModel(sent, findProviderTaskEndpoint(provider, format, sent)?.dialect.models ?? [])
    if (!can) continue
    const [seconds, resolution] = [can.seconds[0], can.resolutions[0]]
    const isSoundKnown = film.sound !== undefined || can.sound === 'never'
    const soundDefaults = isSoundKnown ? {} : { sound: hasSoundByDefault(can), usual_sound: true as const }
    return { seconds, resolution, ...soundDefaults, ...film }
  }
  return { seconds: USUAL_LENGTH, ...film }
}

/** A mutex per key: work on the same key runs one after the other, so each run sees the writes of the one before. */
type InTurn = <T>(about: string, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (about, work) => {
    const run = (last.get(about) ?? Promise.resolve()).then(work, work)
    const settled = run
      .catch(() => undefined)
      .finally(() => {
        if (last.get(about) === settled) last.delete(about)
      })
    last.set(about, settled)
    return run
  }
}
