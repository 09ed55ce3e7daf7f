// Finishes a call: builds its record and the error that its client has yet to see.
import type { CallRequestFacts, CallRecord, CallResult, ChargeTerms } from '../calls/call-record.ts'
import { buildCallRecord } from '../calls/finish.ts'
import type { CallSinkGroup } from '../calls/sinks.ts'
import { isBlocked } from '../dialects/answers/failures.ts'
import type { PassthroughWatcher } from '../dialects/answers/stream-watcher.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import type { Language } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { YieldToEventLoop } from '../ports/machine.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { computePurchaseCost } from '../pricing/charge.ts'
import type { RunningTotal } from '../pricing/session.ts'
import type { Settings } from '../settings/index.ts'
import { getUserLanguage } from '../users/user-language.ts'
import type { ChannelLookup } from './admission.ts'
import type { ProviderAnswer } from './answers/answer.ts'
import type { Call, CallCaller } from './call.ts'
import {
  AttemptError,
  buildDisconnectFailure,
  isNoAnswer,
  redactForCaller,
  toCallFailure,
  removeChannelKeys,
} from './failure.ts'
import { estimateHiddenReasoning, type ForwardResult } from './forward-answer.ts'
import type { PaidCall } from './holds.ts'
import { measureUsage } from './measure.ts'
import { type RouteResult, toCallPath } from './route.ts'

interface CallConclusionPorts extends RecordPorts {
  channels: ChannelLookup
  yieldToEventLoop?: YieldToEventLoop
}

export interface ConcludedCall {
  record: CallRecord
  /** The reason why the answer is missing or incomplete; undefined if it is complete. */
  error: unknown
  /** The same failure, if it must be sent inside the started answer. */
  streamedFailure?: CallFailure
}

export async function concludeCall(
  ports: CallConclusionPorts,
  work: PaidCall,
  routed: RouteResult<ProviderAnswer>,
  passed: ForwardResult | undefined,
): Promise<ConcludedCall> {
  const { call, requested, holds, settings } = work
  const { watcher, body } = passed && !isNoAnswer(passed.error) ? passed : NOTHING
  const error = passed ? passed.error : redactError(routed.error)
  // Thousands of clients may disconnect at once: all their providers are cancelled before the first charge.
  if (error !== undefined && call.signal.aborted && ports.yieldToEventLoop) await ports.yieldToEventLoop()
  const { came: outcome, streamedFailure } = buildOutcome(ports.channels, work, routed, passed)
  const recordInput = { call, requested, id: holds.first.id, routed, watcher, body, settings }
  return { record: await recordCall(ports, recordInput, outcome), error, streamedFailure }
}

const NOTHING: Partial<ForwardResult> = {}

/** Builds the outcome of a call, and the failure to send inside a started answer. */
function buildOutcome(
  channels: ChannelLookup,
  work: PaidCall,
  routed: RouteResult<ProviderAnswer>,
  passed: ForwardResult | undefined,
): { came: CallOutcome; streamedFailure?: CallFailure } {
  const { blocked, spent } = passed ?? {}
  const { error } = passed ?? routed
  const usage = isNoAnswer(error) ? undefined : (passed ?? routed).usage
  if (error === undefined) return { came: { status: 'complete', usage, failure: blocked, spent } }
  if (work.call.signal.aborted) {
    return { came: { status: 'failed', usage, failure: blocked, spent, thought: estimateReasoning(work, routed) } }
  }
  const keys = getChannelKeys(channels, routed)
  const failure = removeChannelKeys(toCallFailure(error), ...keys)
  const status = isBlocked(failure) ? 'complete' : 'failed'
  const outcome: CallOutcome = { status, usage, failure: blocked ?? failure, spent }
  return passed?.hasStarted ? { came: outcome, streamedFailure: failure } : { came: outcome }
}

/** Returns the error of a call without an answer, as the caller may read it. */
const redactError = (error: unknown): unknown =>
  error instanceof AttemptError ? new AttemptError(redactForCaller(error.failure), error) : error

/** Estimates the reasoning of an answer whose client has disconnected. Unit: tokens. */
const estimateReasoning = ({ call }: PaidCall, { turn, answering }: RouteResult<ProviderAnswer>): number =>
  estimateHiddenReasoning(call, turn.head, answering?.step.taken.channel, answering?.answer.upstream_model)

/** Returns all keys of the channel, since no caller may read any of them. */
function getChannelKeys(channels: ChannelLookup, { answering, attempts }: RouteResult<ProviderAnswer>): string[] {
  const id = answering?.step.taken.channel.id ?? attempts.at(-1)?.channel_id
  const channel = id === undefined ? undefined : channels.find(id)
  return channel?.keys.map(({ channel: { key } }) => key) ?? []
}

// Call records: measures the usage of a call or a turn, and combines it with the results of its steps.

/** The facts about a finished answer that its record is built from. */
export interface RecordInput {
  call: Call
  /** The caller's own request. */
  requested: RequestHead
  /** Id of the hold, which names the receipt. */
  id: string
  routed: RouteResult<Pick<ProviderAnswer, 'upstream_model'> & Partial<Pick<ProviderAnswer, 'cached'>>>
  watcher?: PassthroughWatcher
  /** Body of an answer that is not streamed. */
  body?: Uint8Array
  settings: Settings
  session?: SessionTotals
}

/** The outcome of a call as its steps report it. */
export interface CallOutcome extends Pick<CallResult, 'status' | 'failure' | 'spent' | 'task_id'> {
  /** The last usage report. */
  usage: Usage | undefined
  /** Estimated hidden reasoning of an answer whose client has disconnected. Unit: tokens. */
  thought?: number
}

/** Traffic and charges of a session up to the end of a turn. */
export interface SessionTotals {
  /** Total bytes so far. */
  bytes(): number
  /** The running total of the turns before this one. */
  total(): RunningTotal
  /** Stores the running total including this turn. */
  keep(after: RunningTotal): void
}

export interface RecordPorts {
  clock: Clock
  tokenizer?: Tokenizer
}

export async function recordCall(
  ports: RecordPorts,
  recordInput: RecordInput,
  outcome: CallOutcome,
): Promise<CallRecord> {
  const { call, routed, watcher, body, settings, session } = recordInput
  const callFacts = buildCallRequestFacts(recordInput)
  const terms = buildTerms(recordInput)
  const { head, admission } = routed.turn
  const { status, usage: reported, thought, failure, spent, task_id } = outcome
  const sent = routed.answering?.answer.upstream_model
  const bytes = session?.bytes()
  const known = { call, head, admission, sent, status, reported, thought, watcher, body, bytes }
  const measuring = measureUsage(known, ports)
  const measured = measuring instanceof Promise ? await measuring : measuring
  const ended_at = ports.clock.now()
  const isDisconnected = call.signal.aborted
  const course = toCallPath(call, routed, ended_at)
  const { usage } = measured
  const last = course.attempts.at(-1)
  const { served: model } = course
  const at = call.started_at
  let cost: number | undefined
  if (usage && last?.result === 'answered') {
    // Not spread: copying these fields cost 3 % of a plain call.
    const { channel_id, channel_type } = last
    cost = computePurchaseCost({ channel_id, channel_type, model, usage, at }, settings)
  }
  const record = buildCallRecord({
    call: callFacts,
    terms,
    course,
    came: {
      status,
      usage,
      reported: measured.reported,
      failure:
        failure ??
        (isDisconnected && status === 'failed' && !usage
          ? buildDisconnectFailure(ended_at - call.started_at)
          : undefined),
      spent,
      clientLeft: isDisconnected && status === 'complete',
      task_id,
    },
    before: session?.total(),
    cost,
    ended_at,
  })
  if (session && record.session) session.keep(record.session.after)
  return record
}

function buildTerms({ routed: { turn }, settings }: RecordInput): ChargeTerms {
  const { group, price, group_ratio, special_ratio } = turn.admission
  return { group, price, group_ratio, special_ratio, quota_per_unit: settings.QuotaPerUnit }
}

function buildCallRequestFacts({ call, requested, id, routed }: RecordInput): CallRequestFacts {
  const { caller, inbound, started_at, trace } = call
  const { user, token, request_id } = caller
  return {
    id,
    request_id,
    payer: {
      user_id: user.id,
      username: user.username,
      token_id: token?.id ?? 0,
      token_name: token?.name ?? `playground-${routed.turn.admission.group}`,
    },
    language: getCallLanguage(caller),
    operation: inbound.operation,
    dialect: inbound.name,
    requestedModel: requested.model,
    stream: requested.stream,
    effort: requested.effort,
    started_at,
    trace,
  }
}

/**
 * Returns the language of the call. A call without one counts as English, and then the user's own language comes first.
 */
const getCallLanguage = ({ user, language }: CallCaller): Language =>
  language === 'en' ? getUserLanguage(user, 'en') : language

/** Reports a finished call to the sinks and to the call's own callback. */
export function notifySinks(
  { sinks }: { sinks: Pick<CallSinkGroup, 'enqueue'> },
  call: Pick<Call, 'onFinished'>,
  record: CallRecord,
): void {
  sinks.enqueue(record)
  call.onFinished?.(record)
}
