// Runs the retry plan until a channel starts to answer. Every attempt is reported, successful or not.
import type { Attempt, CallPath } from '../calls/call-record.ts'
import { type RoutedChannel, getUpstreamModelName } from '../channels/routed-channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { Clock } from '../ports/clock.ts'
import { findProvider } from '../providers/index.ts'
import type { ProviderAnswer } from './answers/answer.ts'
import type { Call } from './call.ts'
import { AttemptError } from './failure.ts'
import type { ModelCandidate } from './model-candidates.ts'
import type { PlannedAttempt, RetryPlan } from './retry-plan.ts'

/** The result of a successful attempt: a started answer, or a connection to a provider. */
type StartedAnswer = Pick<ProviderAnswer, 'upstream_model'> & Partial<Pick<ProviderAnswer, 'cached'>>

/** A channel that answers. Times in epoch ms. */
export interface AnsweringChannel<A> {
  answer: A
  step: PlannedAttempt
  began: number
  first_content: number
}

/** The route of a call: the channel that answers, or the error. */
export interface RouteResult<A> {
  /** The model that was tried last. */
  turn: ModelCandidate
  /** Failed attempts, in order. */
  attempts: readonly Attempt[]
  answering?: AnsweringChannel<A>
  error?: unknown
  /** Usage without an answer, if no other model was tried. */
  usage?: Usage
}

/** Providers keep a prompt prefix for at least this long after its last use, in seconds. */
const CACHE_SECONDS = 300

export interface RoutePorts {
  clock: Clock
  /** Called for every failed attempt; may disable the channel or its key. */
  onFailure(channel: RoutedChannel, key: ChannelKey<RoutedChannel>, failure: CallFailure, cause: unknown): void
}

/**
 * Never rejects for a failure of a channel, only for a defect of the plan itself.
 * @param tryOn receives the index of the attempt, from 0
 */
export async function routeCall<A extends StartedAnswer>(
  ports: RoutePorts,
  plan: RetryPlan,
  call: Call,
  tryOn: (step: PlannedAttempt, attempt: number) => Promise<A>,
): Promise<RouteResult<A>> {
  const { clock } = ports
  const attempts: Attempt[] = []
  for (;;) {
    const step = plan.next()
    if (!step) {
      if (await plan.another()) continue
      const { error, counts } = plan.refusal
      return { turn: plan.turn, attempts, error, usage: counts ? getErrorUsage(error) : undefined }
    }
    const { taken } = step
    const began = clock.now()
    try {
      const answer = await tryOn(step, attempts.length)
      taken.succeeded((findProvider(taken.channel.type)?.cache_seconds ?? CACHE_SECONDS) * 1000)
      return { turn: plan.turn, attempts, answering: { answer, step, began, first_content: clock.now() } }
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AttemptError)) {
        taken.abandoned()
        attempts.push(buildAttempt(step, began, clock.now(), 'abandoned'))
        return { turn: plan.turn, attempts, error, usage: getErrorUsage(error) }
      }
      const { failure } = error
      if (!plan.fail(error)) continue
      attempts.push(buildAttempt(step, began, clock.now(), 'failed', failure))
      ports.onFailure(taken.channel, taken.key, failure, error.cause)
    }
  }
}

const getErrorUsage = (error: unknown): Usage | undefined => (error instanceof AttemptError ? error.usage : undefined)

const buildAttempt = (
  { taken: { channel, key }, head, admission }: PlannedAttempt,
  began: number,
  ended: number,
  result: Attempt['result'],
  failure?: CallFailure,
): Attempt => ({
  channel_id: channel.id,
  channel_type: channel.type,
  key: key.fingerprint,
  key_index: key.index,
  served: head.model,
  model: getUpstreamModelName(admission.listedName, channel.mapping),
  began,
  ms: ended - began,
  first_content_ms: null,
  result,
  failure,
})

/** Converts the route of a call that ended at `ended_at` (epoch ms) to its form in the record. */
export function toCallPath(
  call: Call,
  { turn, attempts, answering }: RouteResult<StartedAnswer>,
  ended_at: number,
): CallPath {
  const { model: served, requestedModel: served_as } = turn.head
  if (!answering) return { attempts, served, served_as, first_content_ms: null, affinity: false }
  const { answer, step, began, first_content } = answering
  const { channel, key, affinity } = step.taken
  const last: Attempt = {
    channel_id: channel.id,
    channel_type: channel.type,
    key: key.fingerprint,
    key_index: key.index,
    served,
    model: answer.upstream_model,
    began,
    ms: ended_at - began,
    first_content_ms: first_content - began,
    result: 'answered',
  }
  return {
    attempts: attempts.length > 0 ? [...attempts, last] : [last],
    served,
    served_as,
    sent: answer.upstream_model,
    first_content_ms: first_content - call.started_at,
    affinity,
    cached: answer.cached,
  }
}
