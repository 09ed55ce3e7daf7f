// The end of a call's way: its record, and what its caller is still to be told.
import type { CallRecord } from '../calls/call-record.ts'
import { isBlocked } from '../dialects/blocked.ts'
import type { CallFailure } from '../dialects/call-failure.ts'
import type { Later } from '../ports/later.ts'
import type { Serving } from './admission.ts'
import type { Answer } from './answers/answer.ts'
import { AttemptError, failureOf, isNoAnswer, shownToCaller, withoutKey } from './failure.ts'
import { thoughtUnseen } from './hang-up.ts'
import type { Passed } from './pass.ts'
import { recordOf, type Outcome, type RecordPorts } from './record.ts'
import type { Routed } from './route.ts'
import type { Work } from './work.ts'

interface Ports extends RecordPorts {
  channels: Serving
  later?: Later
}

export interface Concluded {
  record: CallRecord
  /** Why there is no answer, or not all of it; undefined where there is. */
  error: unknown
  /** The same, where it is told in the answer that has begun. */
  told?: CallFailure
}

export async function conclude(
  ports: Ports,
  work: Work,
  routed: Routed<Answer>,
  passed: Passed | undefined,
): Promise<Concluded> {
  const { call, asked, holds, settings } = work
  const { watcher, body } = passed && !isNoAnswer(passed.error) ? passed : NOTHING
  const error = passed ? passed.error : shown(routed.error)
  // Thousands may hang up at once: first all their providers are told, then they are charged.
  if (error !== undefined && call.signal.aborted && ports.later) await ports.later()
  const { came, told } = outcomeOf(ports.channels, work, routed, passed)
  const over = { call, asked, id: holds.first.id, routed, watcher, body, settings }
  return { record: await recordOf(ports, over, came), error, told }
}

const NOTHING: Partial<Passed> = {}

/** What came of a call, and what is told in an answer that has begun. */
function outcomeOf(
  channels: Serving,
  work: Work,
  routed: Routed<Answer>,
  passed: Passed | undefined,
): { came: Outcome; told?: CallFailure } {
  const { blocked, spent } = passed ?? {}
  const { error } = passed ?? routed
  const usage = isNoAnswer(error) ? undefined : (passed ?? routed).usage
  if (error === undefined) return { came: { status: 'complete', usage, failure: blocked, spent } }
  if (work.call.signal.aborted) {
    return { came: { status: 'failed', usage, failure: blocked, spent, thought: thoughtOf(work, routed) } }
  }
  const keys = keysOf(channels, routed)
  const failure = withoutKey(failureOf(error), ...keys)
  const status = isBlocked(failure) ? 'complete' : 'failed'
  const came: Outcome = { status, usage, failure: blocked ?? failure, spent }
  return passed?.begun ? { came, told: failure } : { came }
}

/** Why no channel answered, as the caller may read it. */
const shown = (error: unknown): unknown =>
  error instanceof AttemptError ? new AttemptError(shownToCaller(error.failure), error) : error

/** What its model is known to have thought of an answer whose caller left. Unit: tokens. */
const thoughtOf = ({ call }: Work, { turn, answering }: Routed<Answer>): number =>
  thoughtUnseen(call, turn.head, answering?.step.taken.channel, answering?.answer.upstream_model)

/** The texts that no caller may read, whichever of the channel's keys was used. */
function keysOf(channels: Serving, { answering, attempts }: Routed<Answer>): string[] {
  const id = answering?.step.taken.channel.id ?? attempts.at(-1)?.channel_id
  const channel = id === undefined ? undefined : channels.find(id)
  return channel?.keys.map(({ channel: { key } }) => key) ?? []
}
