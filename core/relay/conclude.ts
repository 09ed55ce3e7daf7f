// The end of a call's way: its record, and what its caller is still to be told.
import type { CallRecord } from '../calls/call-record.ts'
import { isBlocked } from '../dialects/blocked.ts'
import type { CallFailure } from '../dialects/call-failure.ts'
import type { YieldToEventLoop } from '../ports/later.ts'
import type { ChannelLookup } from './admission.ts'
import type { Answer } from './answers/answer.ts'
import { AttemptError, toCallFailure, isNoAnswer, redactForCaller, withoutKey } from './failure.ts'
import { estimateHiddenReasoning } from './hang-up.ts'
import type { ForwardResult } from './pass.ts'
import { recordCall, type CallOutcome, type RecordPorts } from './record.ts'
import type { RouteResult } from './route.ts'
import type { PaidCall } from './work.ts'

interface Ports extends RecordPorts {
  channels: ChannelLookup
  later?: YieldToEventLoop
}

export interface ConcludedCall {
  record: CallRecord
  /** Why there is no answer, or not all of it; undefined where there is. */
  error: unknown
  /** The same, where it is told in the answer that has begun. */
  told?: CallFailure
}

export async function concludeCall(
  ports: Ports,
  work: PaidCall,
  routed: RouteResult<Answer>,
  passed: ForwardResult | undefined,
): Promise<ConcludedCall> {
  const { call, asked, holds, settings } = work
  const { watcher, body } = passed && !isNoAnswer(passed.error) ? passed : NOTHING
  const error = passed ? passed.error : shown(routed.error)
  // Thousands may hang up at once: first all their providers are told, then they are charged.
  if (error !== undefined && call.signal.aborted && ports.later) await ports.later()
  const { came, told } = outcomeOf(ports.channels, work, routed, passed)
  const over = { call, asked, id: holds.first.id, routed, watcher, body, settings }
  return { record: await recordCall(ports, over, came), error, told }
}

const NOTHING: Partial<ForwardResult> = {}

/** What came of a call, and what is told in an answer that has begun. */
function outcomeOf(
  channels: ChannelLookup,
  work: PaidCall,
  routed: RouteResult<Answer>,
  passed: ForwardResult | undefined,
): { came: CallOutcome; told?: CallFailure } {
  const { blocked, spent } = passed ?? {}
  const { error } = passed ?? routed
  const usage = isNoAnswer(error) ? undefined : (passed ?? routed).usage
  if (error === undefined) return { came: { status: 'complete', usage, failure: blocked, spent } }
  if (work.call.signal.aborted) {
    return { came: { status: 'failed', usage, failure: blocked, spent, thought: thoughtOf(work, routed) } }
  }
  const keys = keysOf(channels, routed)
  const failure = withoutKey(toCallFailure(error), ...keys)
  const status = isBlocked(failure) ? 'complete' : 'failed'
  const came: CallOutcome = { status, usage, failure: blocked ?? failure, spent }
  return passed?.begun ? { came, told: failure } : { came }
}

/** Why no channel answered, as the caller may read it. */
const shown = (error: unknown): unknown =>
  error instanceof AttemptError ? new AttemptError(redactForCaller(error.failure), error) : error

/** What its model is known to have thought of an answer whose caller left. Unit: tokens. */
const thoughtOf = ({ call }: PaidCall, { turn, answering }: RouteResult<Answer>): number =>
  estimateHiddenReasoning(call, turn.head, answering?.step.taken.channel, answering?.answer.upstream_model)

/** The texts that no caller may read, whichever of the channel's keys was used. */
function keysOf(channels: ChannelLookup, { answering, attempts }: RouteResult<Answer>): string[] {
  const id = answering?.step.taken.channel.id ?? attempts.at(-1)?.channel_id
  const channel = id === undefined ? undefined : channels.find(id)
  return channel?.keys.map(({ channel: { key } }) => key) ?? []
}
