// Submits a task: admitted, held for and routed like a call, charged when its provider accepts it, and written in the
// transaction of its charge. If a channel may have accepted it, no other is tried.
import { type RoutedChannel, getUpstreamModelName } from '../../channels/routed-channel.ts'
import { groupIntoTiers } from '../../channels/routing.ts'
import type { JsonObject } from '../../dialects/json/json-value.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import { buildKnownUsage } from '../../dialects/passing.ts'
import { normalizeFileAddress, type ProviderObject } from '../../dialects/requests/object-places.ts'
import { type FilmRequest } from '../../dialects/tasks/film.ts'
import { readFilmFields } from '../../dialects/tasks/film-limits.ts'
import type { ParsedSubmission, TaskEndpoint, TaskSubmission } from '../../dialects/tasks/task-dialect.ts'
import type { TaskFormat, PublicTask } from '../../dialects/tasks/task-format.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import { fail, GatewayError } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findProvider } from '../../providers/index.ts'
import { findProviderTaskEndpoint } from '../../providers/provider.ts'
import type { TaskStore } from '../../tasks/store.ts'
import { isForgotten, toCallerTask, type StoredTask } from '../../tasks/task.ts'
import type { ProviderAnswer } from '../answers/answer.ts'
import { admitToken, findCallGroup } from '../admission.ts'
import { type Call, createAbortSource } from '../call.ts'
import { concludeCall, notifySinks, recordCall } from '../conclude.ts'
import { FallbackChain, type ModelCandidate } from '../model-candidates.ts'
import { type PlannedAttempt, RetryPlan } from '../retry-plan.ts'
import { buildTraceHeaders } from '../upstream-request.ts'
import { AttemptError, buildAttemptError, reportRefusedCall } from '../failure.ts'
import { type AdmittedHolds, holdForCall, settleCall } from '../holds.ts'
import { placeObjectCall } from '../objects/call-objects.ts'
import type { AcceptedTask, OpenTaskCounter, TaskCall } from './task-row.ts'
import { buildTaskRow, createKeyedMutex, createTaskId, withFilmDefaults } from './task-row.ts'
import { queryTask } from './task-query.ts'
import { toPublicTask } from './webhooks.ts'
import type { RelayPorts } from '../relay.ts'
import { routeCall, type RouteResult } from '../route.ts'
import { NOTIFY_PATH_PREFIX } from '../../dialects/tasks/task-formats.ts'

export interface Submitted {
  task: PublicTask
  /** The provider's further reply fields. */
  reply: JsonObject | undefined
  /** Id of the hold, which names the receipt. */
  receipt: string
}

/** @throws GatewayError, AttemptError as for any call; task.missing, task.unfinished, task.channel_gone, task.too_many */
export type SubmitTask = (call: TaskCall, submission: TaskSubmission) => Promise<Submitted>

export interface TaskPorts extends RelayPorts {
  storage: { tasks: TaskStore }
  openTasks: OpenTaskCounter
  random: Random
}

/** Maximum wait for a provider to accept a task, in ms. */
const PATIENCE_MS = 120_000
const NOTIFY_KEY_LENGTH = 32

/** An admitted submission: the caller's request, and the models that may serve it. */
interface PaidTask {
  requested: RequestHead
  turn: ModelCandidate
  models: FallbackChain | undefined
  origin: StoredTask | undefined
}

/** A submission whose quota is held. */
interface TakenTask {
  call: TaskCall
  ask: ParsedSubmission
  task: PaidTask
  admitted: AdmittedHolds
  /** Ends its count among the user's open tasks. */
  leave(): void
}

export function createSubmitTask(ports: TaskPorts): SubmitTask {
  const { storage, channels, ledger, random } = ports
  const runExclusive = createKeyedMutex()
  return async function submit(given, submission) {
    const { call, ask, task, admitted, leave } = await takeTask(given, submission)
    try {
      return await submitPaid(call, ask, submission, task, admitted)
    } finally {
      leave()
    }
  }

  /** Reads, admits and holds. A refusal is reported. */
  async function takeTask(given: TaskCall, submission: TaskSubmission): Promise<TakenTask> {
    let model = ''
    let leave: (() => void) | undefined
    try {
      const settings = ports.settings()
      ports.background.mayBegin()
      const { inbound, caller } = given
      admitToken(caller, seconds(ports.clock))
      const read = inbound.read(submission)
      model = read.model
      const origin = read.follows === undefined ? undefined : await loadOrigin(read.follows, given)
      const before = origin && toCallerTask(origin)
      if (before) inbound.mayFollow?.(read, before, settings)
      model = read.model || (before?.model ?? '')
      const findListed = () => channels.listedName(findCallGroup(caller, settings), model) ?? model
      const ask = read.film
        ? withFilm(read, withFilmDefaults(read.film, findListed(), inbound, channels))
        : withOrigin(read, before)
      // A client disconnect does not abort the submission: the provider may have accepted it by then.
      const call: TaskCall = { ...given, signal: createAbortSource().signal }
      const head = { ...inbound.headOf(ask, before), model, words: readFilmFields(read) }
      const models = new FallbackChain(call, head, channels, settings)
      const first = models.first()
      const continued = origin ? restrictToOrigin(first, origin) : first
      const named = { ...continued.head, objects: findStoredPictures(read.film) }
      const { turn, at } = await placeObjectCall(ports.owners, { call, head: named }, continued, settings)
      ports.checkWords(call, settings)
      leave = await ports.openTasks.admit(caller.user.id, settings['tasks.open_per_user'])
      const admitted = await holdForCall(ledger, call, turn, settings)
      const task = { requested: head, turn, models: origin || at ? undefined : models, origin }
      return { call, ask, task, admitted, leave }
    } catch (error) {
      leave?.()
      reportRefusedCall(ports.refusals, given, { model, stream: false }, error)
      throw error
    }
  }

  async function submitPaid(
    call: TaskCall,
    ask: ParsedSubmission,
    submission: TaskSubmission,
    { requested, turn, models, origin }: PaidTask,
    { holds, bounded }: AdmittedHolds,
  ): Promise<Submitted> {
    const settings = ports.settings()
    const { caller } = call
    const plan = new RetryPlan(ports, call, turn, holds, settings, models)
    let unaccepted: UnacceptedReply | undefined
    try {
      const routed = await routeCall(ports, plan, call, tryChannel)
      const work = { call, requested, holds, bounded, provider: call.signal, settings }
      if (!routed.answering) {
        const refused: RouteResult<ProviderAnswer> = { ...routed, answering: undefined }
        const { record, error } = await concludeCall(ports, work, refused, undefined)
        await settleCall(ledger, holds, record, settings)
        notifySinks(ports, call, record)
        if (!unaccepted) throw error
        const row = buildTaskRow({ call, ask, submission, ...unaccepted, record, random })
        await storage.tasks.add(row)
        return {
          task: toPublicTask({ ...row, id: 0 }, settings),
          reply: unaccepted.taken.accepted.reply,
          receipt: holds.first.id,
        }
      }
      const { answer, step } = routed.answering
      const same = `${caller.user.id} ${step.taken.channel.id} ${answer.accepted.state.upstream_id}`
      return await runExclusive(same, () => chargeAccepted(routed, answer, step))
    } catch (error) {
      await holds.releaseAll()
      throw error
    }

    /** Charges an accepted task. Concurrent submissions of the same task, in any process, are charged once. */
    async function chargeAccepted(
      routed: RouteResult<AcceptedTask>,
      answer: AcceptedTask,
      step: PlannedAttempt,
    ): Promise<Submitted> {
      const { accepted } = answer
      const unpaid = accepted.unpaid === true || (await isPaid(storage.tasks, call, answer, step))
      const usage = unpaid ? undefined : buildInitialUsage(routed.turn)
      const recordInput = { call, requested, id: holds.first.id, routed, settings }
      const task_id = createTaskId(call.inbound, accepted.state, random)
      const record = await recordCall(ports, recordInput, { status: 'complete', usage, task_id })
      const { channel, key } = step.taken
      const row = buildTaskRow({ call, ask, submission, taken: answer, channel, key, record, random })
      const due_in_ms = row.finish_time === 0 ? FIRST_LOOK_MS : undefined
      await settleCall(ledger, holds, record, settings, {
        inTransaction: async ({ tasks }) => {
          if (usage && (await isPaid(tasks, call, answer, step))) fail('task.known')
          await tasks.add(row, due_in_ms)
        },
      })
      notifySinks(ports, call, record)
      return { task: toPublicTask({ ...row, id: 0 }, settings), reply: accepted.reply, receipt: holds.first.id }
    }

    async function tryChannel(
      { head, admission, taken: { channel, key } }: PlannedAttempt,
      attempt: number,
    ): Promise<AcceptedTask> {
      unaccepted = undefined
      const model = getUpstreamModelName(admission.listedName, channel.mapping)
      try {
        return await askChannel({ channel, key }, model, head.model, buildTraceHeaders(call, attempt, settings))
      } catch (error) {
        throw buildAttemptError(toUncertainError(error), channel)
      }
    }

    async function askChannel(
      place: Pick<UnacceptedReply, 'channel' | 'key'>,
      model: string,
      served: string,
      traceHeaders: Record<string, string> | undefined,
    ): Promise<AcceptedTask> {
      const { channel } = place
      const endpoint = findTaskEndpoint(channel, call.inbound, model)
      const notify_key = random.text(NOTIFY_KEY_LENGTH)
      const callback =
        settings.ServerAddress === '' ? undefined : `${settings.ServerAddress}${NOTIFY_PATH_PREFIX}${notify_key}`
      const { dialect } = endpoint
      const question = dialect.write(
        { ...ask, model: served },
        { model, callback, follows: origin && toFollowedTask(origin), settings },
      )
      const asking = { channel, endpoint, format: call.inbound, patience_ms: PATIENCE_MS, extraHeaders: traceHeaders }
      const accepted = dialect.accepted(await queryTask(question, asking, call.signal, ports), ask, question)
      if ('refused' in accepted) {
        if (accepted.finished) {
          unaccepted = {
            ...place,
            taken: { upstream_model: model, accepted: { ...accepted.finished, unpaid: true }, notify_key },
          }
        }
        throw new AttemptError(accepted.refused)
      }
      return { upstream_model: model, accepted, notify_key }
    }
  }

  async function loadOrigin(id: string, { caller }: Call): Promise<StoredTask> {
    const task = await storage.tasks.findOwn(caller.user.id, id)
    return task && !isForgotten(task) ? task : fail('task.missing', { id })
  }

  /** Restricts a follow-up to the channel and key that know the earlier task. */
  function restrictToOrigin({ head, admission }: ModelCandidate, { channel_id, key }: StoredTask): ModelCandidate {
    const channel = channels.find(channel_id)
    const own = channel?.keys.filter(({ on, fingerprint }) => on && fingerprint === key) ?? []
    if (!channel || channel.status !== ENABLED || own.length === 0) return fail('task.channel_gone')
    return { head, admission: { ...admission, candidates: groupIntoTiers([{ ...channel, keys: own }]), pinned: true } }
  }
}

/** Returns true if the user has already paid for a task that existed at the provider. */
async function isPaid(
  tasks: Pick<TaskStore, 'listOwn'>,
  { caller, inbound }: TaskCall,
  { accepted }: AcceptedTask,
  { taken }: PlannedAttempt,
): Promise<boolean> {
  if (!accepted.known) return false
  const same = await tasks.listOwn(caller.user.id, inbound.platform, [accepted.state.upstream_id])
  return same.some(({ channel_id, quota, refunded }) => channel_id === taken.channel.id && quota > refunded)
}

const withFilm = (ask: ParsedSubmission, film: FilmRequest): ParsedSubmission => ({
  ...ask,
  film,
  details: { ...ask.details, seconds: film.seconds },
})

/** Copies prompt and details of the earlier task, unless the request sets them. */
const withOrigin = (ask: ParsedSubmission, origin: PublicTask | undefined): ParsedSubmission =>
  origin
    ? {
        ...ask,
        prompt: ask.prompt || origin.prompt,
        details: { ...origin.details, ...ask.details, remixed_from: origin.task_id },
      }
    : ask

/** The reply of a channel that accepted nothing, in a format whose clients read it unchanged. */
type UnacceptedReply = { channel: RoutedChannel; key: PlannedAttempt['taken']['key']; taken: AcceptedTask }

const ENABLED = 1
const FIRST_LOOK_MS = 2_000

const toFollowedTask = ({ upstream_id, model, prompt, details }: StoredTask) => ({
  upstream_id,
  model,
  prompt,
  details: details === '' ? {} : (JSON.parse(details) as JsonObject),
})

/** @throws GatewayError channel.wrong_operation */
export function findTaskEndpoint({ type }: RoutedChannel, format: TaskFormat, model: string): TaskEndpoint {
  const provider = findProvider(type)
  return (provider && findProviderTaskEndpoint(provider, format, model)) ?? fail('channel.wrong_operation')
}

/** Returns the usage that is charged until the provider reports another. */
const buildInitialUsage = ({ head: { video_seconds, film, tasks } }: ModelCandidate): Usage =>
  buildKnownUsage({ video_seconds, film, tasks })

/** Statuses of intermediaries: the server behind them may have accepted the task. */
const UNCERTAIN = new Set([408, 502, 504, 520, 524])
/** Connection failures before anything was sent. */
const UNSENT = new Set([
  ...['network.refused', 'network.name', 'network.unreachable', 'network.tls', 'network.proxy', 'network.private'],
])

/** Replaces an error by `task.uncertain` if the task may have been accepted, so that no other channel is tried. */
function toUncertainError(error: unknown): unknown {
  const isProviderError = error instanceof AttemptError
  if (isProviderError && !UNCERTAIN.has(error.failure.status)) return error
  const isUnsent =
    error instanceof GatewayError &&
    (!error.code.startsWith('upstream.') ||
      (error.code === 'upstream.unreachable' && error.network !== undefined && UNSENT.has(error.network)))
  return isUnsent ? error : new GatewayError('task.uncertain', {}, { cause: error })
}

/** Returns the pictures of a film that a provider stores. */
const findStoredPictures = (film: FilmRequest | undefined): ProviderObject[] =>
  (film?.pictures ?? []).flatMap(({ url }) => {
    const id = normalizeFileAddress(url)
    return id === undefined ? [] : [{ kind: 'file' as const, id, param: 'picture' }]
  })
