// Channel after channel, until one begins to answer: invisible to the caller as long as nothing was sent.
import { affinityKeyOf } from '../channels/affinity.ts'
import type { RoutedChannel } from '../channels/channel-index.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { strains } from '../channels/cooldown.ts'
import type { ProofMakers } from '../channels/proof-makers.ts'
import type { Router } from '../channels/router.ts'
import { CACHED_PROMPT_TOKENS, type CallFailure, type RequestHead } from '../dialects/dialect.ts'
import { refusesProof } from '../dialects/proof.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signal } from '../ports/signal.ts'
import type { Signer } from '../ports/signer.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Web } from '../ports/web.ts'
import { providerOf } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { noChannel, type Admission } from './admission.ts'
import { attempt, type Answer, type AttemptRequest } from './attempt.ts'
import type { Call, Outcome } from './call.ts'
import { AttemptError } from './failure.ts'
import { isUntranslatable, mayRetry } from './retry.ts'

export interface AnswerPorts {
  upstream: Upstream
  signer: Signer
  clock: Clock
  web: Web
  route: Router
  makers?: ProofMakers
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

/** So many more accounts are asked to take a proof whose maker nobody knows. */
const MOST_STRANGERS = 7

/** A call that is paid for, and how its answer is wanted. */
export interface Asking {
  call: Call
  /** Aborted when the provider is to stop, which need not be when the caller leaves. */
  provider: Signal
  /** Its answer may have to be ended, so it is written anew. */
  bounded: boolean
  outcome: Outcome
  settings: Settings
}

/** The answer of the first channel that gives one. Otherwise as `firstOf`. */
export function firstAnswer(ports: AnswerPorts, asking: Asking, turn: Turn): Promise<Answer> {
  const answer = answerTo(ports, asking, turn)
  if (turn.head.proof === undefined || turn.admission.pinned) return answer
  return answer.catch((error: unknown) => {
    if (!(error instanceof AttemptError && refusesProof(error.failure))) throw error
    // Whoever could take the proofs is gone: the conversation is worth more than what was thought in it.
    return answerTo(ports, asking, { ...turn, head: { ...turn.head, proof: undefined, forgets: true } })
  })
}

function answerTo(ports: AnswerPorts, asking: Asking, turn: Turn): Promise<Answer> {
  const { upstream, signer, clock, web, makers } = ports
  const { call, outcome, settings } = asking
  const request = requestOf(asking, turn)
  const attemptPorts = { upstream, signer, clock, web, settings, makers }
  return firstOf(ports, call, turn, outcome, settings, (channel) => attempt(request, channel, attemptPorts))
}

/** A call as one try of it sees it. */
const requestOf = ({ call, provider, bounded }: Asking, { head, admission }: Turn): AttemptRequest => ({
  id: call.caller.request_id,
  dialect: call.inbound,
  head,
  listed: admission.listed,
  body: call.body,
  signal: provider,
  bounded,
  place: call.place,
  headers: call.headers,
})

/**
 * Tries the channels of one model. What happens is noted in the outcome.
 * @throws AttemptError the last failure; GatewayError model.no_channel where there is nothing to try
 */
export async function firstOf<A extends Pick<Answer, 'upstream_model'> & Partial<Pick<Answer, 'cached'>>>(
  ports: Pick<AnswerPorts, 'clock' | 'route' | 'makers' | 'onFailure'>,
  call: Call,
  { head, admission }: Turn,
  outcome: Outcome,
  settings: Settings,
  tryOn: (channel: RoutedChannel) => Promise<A>,
): Promise<A> {
  const { proof } = head
  const maker = proof === undefined || admission.pinned ? undefined : ports.makers?.find(proof, admission.candidates)
  const route = ports.route({
    account: maker === 'away' ? undefined : maker,
    tiers: admission.candidates,
    model: head.model,
    prompt_estimate: head.prompt_estimate,
    affinityKey: admission.pinned ? undefined : callAffinityKey(call, head, admission, settings),
  })
  /** Accounts that may be asked whether a proof is theirs; where its maker is known, nobody else is. */
  let strangers = admission.pinned || maker !== undefined ? 0 : MOST_STRANGERS
  let failed: AttemptError | undefined
  let unsuited: AttemptError | undefined
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
      if (answer.cached) outcome.cached = answer.cached
      outcome.first_content_ms = ports.clock.now() - call.started_at
      return answer
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AttemptError)) {
        taken.abandoned()
        throw error
      }
      if (isUntranslatable(error.failure)) {
        // Nothing was sent: no attempt, and another channel may be asked in the request's own format.
        taken.unsuited()
        outcome.tried.pop()
        unsuited = error
        left++
        continue
      }
      failed = error
      const { retry_after_ms } = error.failure
      if (retry_after_ms !== undefined) wait = Math.min(wait ?? retry_after_ms, retry_after_ms)
      taken.failed(error.failure)
      ports.onFailure(channel, key, error.failure)
      if (proof !== undefined && refusesProof(error.failure)) {
        if (strangers-- <= 0) break
        left++
      } else if (!mayRetry(error.failure, channel.type)) break
    }
  }
  failed ??= unsuited
  if (!failed) throw noChannel(head.model, admission.group, settings)
  // All have failed: the caller may come back when the first of them wants to be asked again.
  if (strains(failed.failure)) wait ??= route.wait()
  if (wait === undefined) throw failed
  throw new AttemptError({ ...failed.failure, retry_after_ms: wait }, failed.cause, failed.usage)
}

/** What ties the call to earlier ones; undefined for short prompts, which no provider caches. */
function callAffinityKey(call: Call, head: RequestHead, admission: Admission, settings: Settings): number | undefined {
  if (head.prompt_estimate < CACHED_PROMPT_TOKENS || !settings['channels.affinity_enabled']) return undefined
  const { user, token } = call.caller
  const session = call.session ?? head.session
  return affinityKeyOf({
    model: head.model,
    group: admission.group,
    user_id: user.id,
    token_id: token?.id ?? 0,
    session,
    prefix: head.prefix,
  })
}
