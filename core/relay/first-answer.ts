// Channel after channel, until one begins to answer: invisible to the caller as long as nothing was sent.
import { tieName } from '../channels/affinity.ts'
import type { RoutedChannel } from '../channels/channel-index.ts'
import type { ChannelKey } from '../channels/keys.ts'
import type { Router } from '../channels/router.ts'
import { CACHED_PROMPT_TOKENS, type CallFailure, type RequestHead } from '../dialects/dialect.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signer } from '../ports/signer.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Web } from '../ports/web.ts'
import { providerOf } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import { attempt, type Answer, type AttemptRequest } from './attempt.ts'
import type { Call, Outcome } from './call.ts'
import { AttemptError } from './failure.ts'
import { mayRetry } from './retry.ts'

export interface AnswerPorts {
  upstream: Upstream
  signer: Signer
  clock: Clock
  web: Web
  route: Router
  /** Told of every failed attempt: may switch the channel or its key off. */
  onFailure(channel: RoutedChannel, key: ChannelKey<RoutedChannel>, failure: CallFailure): void
}

/** One model's turn of a call: the model asked for, or one to fall back on. */
export interface Turn {
  head: RequestHead
  admission: Admission
}

/** Providers keep a prompt's beginning for at least this long after its last use, in seconds. */
const CACHE_SECONDS = 300

/** The answer of the first channel that gives one. Otherwise as `firstOf`. */
export function firstAnswer(
  ports: AnswerPorts,
  call: Call,
  turn: Turn,
  outcome: Outcome,
  settings: Settings,
): Promise<Answer> {
  const request = requestOf(call, turn.head)
  const { upstream, signer, clock, web } = ports
  const attemptPorts = { upstream, signer, clock, web, settings }
  const tryOn = (channel: RoutedChannel) => attempt(request, channel, attemptPorts)
  return firstOf(ports, call, turn, outcome, settings, tryOn)
}

/** A call as one try of it sees it. */
const requestOf = ({ inbound, body, place, headers, signal }: Call, head: RequestHead): AttemptRequest => ({
  dialect: inbound,
  head,
  body,
  signal,
  place,
  headers,
})

/**
 * Tries the channels of one model. What happens is noted in the outcome.
 * @throws AttemptError the last failure; GatewayError model.no_channel where there is nothing to try
 */
export async function firstOf<A extends { upstream_model: string }>(
  ports: Pick<AnswerPorts, 'clock' | 'route' | 'onFailure'>,
  call: Call,
  { head, admission }: Turn,
  outcome: Outcome,
  settings: Settings,
  tryOn: (channel: RoutedChannel) => Promise<A>,
): Promise<A> {
  const route = ports.route({
    tiers: admission.candidates,
    model: head.model,
    prompt_estimate: head.prompt_estimate,
    tie: admission.pinned ? undefined : tieOf(call, head, admission, settings),
  })
  let failed: AttemptError | undefined
  let wait: number | undefined
  for (let left = admission.pinned ? 1 : settings.RetryTimes + 1; left > 0; left--) {
    const taken = route.next()
    if (!taken) break
    const { channel, key } = taken
    outcome.tried.push(channel.id)
    outcome.channel_id = channel.id
    outcome.channel_type = channel.type
    outcome.key = key.fingerprint
    try {
      const answer = await tryOn(channel)
      taken.succeeded((providerOf(channel.type)?.cache_seconds ?? CACHE_SECONDS) * 1000)
      if (taken.affinity) outcome.affinity = true
      if (answer.upstream_model !== head.model) outcome.upstream_model = answer.upstream_model
      outcome.first_content_ms = ports.clock.now() - call.started_at
      return answer
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AttemptError)) {
        taken.abandoned()
        throw error
      }
      failed = error
      const { retry_after_ms } = error.failure
      if (retry_after_ms !== undefined) wait = Math.min(wait ?? retry_after_ms, retry_after_ms)
      taken.failed(error.failure)
      ports.onFailure(channel, key, error.failure)
      if (!mayRetry(error.failure, channel.type)) break
    }
  }
  if (!failed) fail('model.no_channel', { model: head.model, group: admission.group })
  // All have failed: the caller may come back when the first of them wants to be asked again.
  throw wait === undefined ? failed : new AttemptError({ ...failed.failure, retry_after_ms: wait }, failed.cause)
}

/** What ties the call to earlier ones; undefined for short prompts, which no provider caches. */
function tieOf(call: Call, head: RequestHead, admission: Admission, settings: Settings): number | undefined {
  if (head.prompt_estimate < CACHED_PROMPT_TOKENS || !settings['channels.affinity_enabled']) return undefined
  const { user, token } = call.caller
  const session = call.session ?? head.session
  return tieName({
    model: head.model,
    group: admission.group,
    user_id: user.id,
    token_id: token?.id ?? 0,
    session,
    prefix: head.prefix,
  })
}
