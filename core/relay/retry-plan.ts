// Plans the attempts of a call: the channels of the requested model, then those of its fallbacks. The client notices
// nothing as long as nothing was sent.
import { buildAffinityKey, type SignatureOwnerMemory } from '../channels/affinity.ts'
import { countsAgainstChannel } from '../channels/circuit-breaker.ts'
import { isSignatureRefused } from '../dialects/reasoning/reasoning-signature.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { ChannelRoute, ChannelRouter, SelectedChannel } from '../channels/router.ts'
import { CACHED_PROMPT_TOKENS } from '../dialects/cache-affinity.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import { getRequestedModel, type RequestHead } from '../dialects/requests/head.ts'
import { GatewayError } from '../errors.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { type Admission, buildNoChannelError } from './admission.ts'
import type { Call } from './call.ts'
import { AttemptError } from './failure.ts'
import { type CallHolds, estimateHold } from './holds.ts'
import { type FallbackChain, isUnserved, type ModelCandidate } from './model-candidates.ts'
import { getMaxCost } from './usage-bounds.ts'

export interface RetryPlanPorts {
  route: ChannelRouter
  makers?: Pick<SignatureOwnerMemory, 'find'>
}

/** A channel, with one of its keys, to try for a model. */
export interface PlannedAttempt extends ModelCandidate {
  taken: SelectedChannel
}

/** Number of further accounts to try if the account that made a signature is unknown. */
const MAX_FURTHER_ACCOUNTS = 7

export class RetryPlan {
  private readonly ports: RetryPlanPorts
  private readonly call: Call
  private readonly holds: CallHolds
  private readonly settings: Settings
  private readonly models: FallbackChain | undefined
  private current: ModelCandidate
  private route!: ChannelRoute
  /** Remaining attempts for this model. Attempts that reveal nothing about its channels do not count. */
  private remaining = 0
  /** Remaining accounts to try with a signature of unknown origin. If the account is known, no other is tried. */
  private remainingAccounts = 0
  /**
   * State of the current model: its last failure, the formats that could not express the request, and the time until a
   * retry (ms).
   */
  private lastFailure: AttemptError | undefined
  private untranslatable: AttemptError | undefined
  private wait: number | undefined
  private step: PlannedAttempt | undefined
  /** Errors of the requested model and of the last one. */
  private firstError: unknown
  private lastError: unknown

  /**
   * @param turn the first model candidate
   * @param models the fallbacks after it; undefined for a call without fallbacks
   */
  constructor(
    ports: RetryPlanPorts,
    call: Call,
    turn: ModelCandidate,
    holds: CallHolds,
    settings: Settings,
    models?: FallbackChain,
  ) {
    this.ports = ports
    this.call = call
    this.holds = holds
    this.settings = settings
    this.models = models
    this.current = turn
    this.begin(turn)
  }

  /** The current model. */
  get turn(): ModelCandidate {
    return this.current
  }

  /** The channel that is being called, or that answered. */
  get channel(): RoutedChannel | undefined {
    return this.step?.taken.channel
  }

  /** Returns the next channel of the current model; undefined if none remains. */
  next(): PlannedAttempt | undefined {
    const taken = this.remaining > 0 ? this.route.next() : undefined
    if (!taken) return undefined
    this.remaining--
    const { head, admission } = this.current
    return (this.step = { head, admission, taken })
  }

  /**
   * Records the failure of the last step. Returns false if nothing was sent, so that it does not count as an attempt.
   */
  fail(error: AttemptError): boolean {
    const { failure } = error
    const { taken, head } = this.step!
    if (isUntranslatable(failure)) {
      // Another channel may speak the request's own format.
      taken.unsuited()
      this.untranslatable = error
      this.remaining++
      return false
    }
    this.lastFailure = error
    const { retry_after_ms } = failure
    if (retry_after_ms !== undefined) this.wait = Math.min(this.wait ?? retry_after_ms, retry_after_ms)
    taken.failed(failure)
    if (head.proof !== undefined && isSignatureRefused(failure)) {
      if (this.remainingAccounts-- > 0) this.remaining++
      else this.remaining = 0
    } else if (!canTryOtherChannel(failure, taken.channel.type)) this.remaining = 0
    return true
  }

  /**
   * Moves on after all channels of a model have failed: retries without signatures or switches to a fallback, holding
   * the extra cost first. Returns false if neither is possible.
   */
  async another(): Promise<boolean> {
    const error = this.getModelError()
    const { head, admission } = this.current
    const isRefusedProof = error instanceof AttemptError && isSignatureRefused(error.failure)
    if (isRefusedProof && head.proof !== undefined && head.compaction === undefined && !admission.pinned) {
      // No remaining account accepts these reasoning signatures. Retry without them: losing the reasoning is better
      // than failing the call.
      this.begin({ admission, head: { ...head, proof: undefined, forgets: true } })
      return true
    }
    this.firstError ??= error
    this.lastError = error
    const turn = this.isExhausted(error) ? await this.findAffordable() : undefined
    if (turn) this.begin(turn)
    return turn !== undefined
  }

  /** The error of the requested model. Its usage counts if no other model was tried. */
  get refusal(): { error: unknown; counts: boolean } {
    return { error: this.firstError, counts: this.firstError === this.lastError }
  }

  private begin(turn: ModelCandidate): void {
    const { call, ports, settings } = this
    const { head, admission } = turn
    const { proof } = head
    const maker = proof === undefined || admission.pinned ? undefined : ports.makers?.find(proof, admission.candidates)
    this.current = turn
    this.route = ports.route({
      account: maker === 'away' ? undefined : maker,
      tiers: admission.candidates,
      model: head.model,
      prompt_estimate: head.prompt_estimate,
      affinityKey: admission.pinned ? undefined : getAffinityKey(call, head, admission, settings),
    })
    this.remaining = admission.pinned ? 1 : settings.RetryTimes + 1
    this.remainingAccounts = admission.pinned || maker !== undefined ? 0 : MAX_FURTHER_ACCOUNTS
    this.lastFailure = this.untranslatable = this.wait = undefined
  }

  /** Returns the error of the current model, with the time until its first channel may be called again. */
  private getModelError(): AttemptError | GatewayError {
    const { head, admission } = this.current
    const failed = this.lastFailure ?? this.untranslatable
    if (!failed)
      return (
        findPromptRefusal(head, admission) ??
        buildNoChannelError(getRequestedModel(head), admission.group, this.settings)
      )
    const wait = this.wait ?? (countsAgainstChannel(failed.failure) ? this.route.wait() : undefined)
    if (wait === undefined) return failed
    return new AttemptError({ ...failed.failure, retry_after_ms: wait }, failed.cause, failed.usage)
  }

  /** Returns true if all channels have been tried, so that another model may help. */
  private isExhausted(error: AttemptError | GatewayError): boolean {
    return error instanceof GatewayError
      ? isUnserved(error)
      : canTryOtherChannel(error.failure, this.channel?.type ?? 0)
  }

  /** Returns the next model that the caller can pay for. */
  private async findAffordable(): Promise<ModelCandidate | undefined> {
    const { call, holds, settings } = this
    for (let turn = this.models?.next(); turn; turn = this.models?.next()) {
      const { head, admission } = turn
      const { quota, free } = estimateHold(call, head, admission, settings)
      if (free || (quota <= holds.amount && holds.amount > 0)) return turn
      try {
        await holds.raise(quota, () => getMaxCost(call, head, admission, settings))
        return turn
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }
    return undefined
  }
}

/** Returns the error of a prompt that is longer than every channel accepts; undefined if one accepts it. */
function findPromptRefusal(
  { prompt_estimate: tokens }: RequestHead,
  { candidates }: Admission,
): GatewayError | undefined {
  const limits = candidates.flatMap(({ channels }) => channels.map(({ max_input_tokens }) => max_input_tokens))
  const max = Math.max(...limits)
  return limits.length > 0 && limits.every((limit) => limit > 0 && limit < tokens)
    ? new GatewayError('request.prompt_too_long', { tokens, max })
    : undefined
}

/** Builds the affinity key of the call; undefined for short prompts, which no provider caches. */
function getAffinityKey(call: Call, head: RequestHead, admission: Admission, settings: Settings): number | undefined {
  if (head.prompt_estimate < CACHED_PROMPT_TOKENS || !settings['channels.affinity_enabled']) return undefined
  const { user, token } = call.caller
  const session = call.session ?? head.session
  return buildAffinityKey({
    model: head.model,
    group: admission.group,
    user_id: user.id,
    token_id: token?.id ?? 0,
    session,
    prefix: head.prefix,
  })
}

// Retry rules after a failed attempt: the next channel, or stop (docs/relay.md, 6).

/** Failures of a channel or of the connection to it, not of the request: another channel may help. */
const CHANNEL_FAULTS = new Set<CallFailure['code']>([
  'do_request_failed',
  'bad_response',
  'bad_response_body',
  'upstream_timeout',
  'untranslatable_request',
  'invalid_api_type',
  'invalid_base_url',
  'invalid_channel_key',
  'invalid_channel_field',
])

/** Returns true if the channel's format cannot express the request, which is known before anything is sent. */
export const isUntranslatable = ({ source, code }: CallFailure): boolean =>
  source === 'gateway' && code === 'untranslatable_request'

/** Returns true if another channel may be tried after this failure, as long as nothing was sent to the client. */
export function canTryOtherChannel(failure: CallFailure, channelType: number): boolean {
  const { status } = failure
  if (failure.source === 'gateway') return CHANNEL_FAULTS.has(failure.code)
  if (status >= 200 && status < 300) return false
  if (status === 400) return findProvider(channelType)?.retries_bad_requests === true
  return status !== 408 && status !== 504 && status !== 524
}

// The wait that a provider asks for: the Retry-After header in both its forms (RFC 9110, section 10.2.3).

/** Longer waits are capped: a wrong date must not disable a channel for a year. */
const MAX_WAIT_MS = 24 * 3_600_000

/** Returns milliseconds from `now` (epoch ms); undefined if the header cannot be parsed or the time has passed. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (text === '') return undefined
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(Math.ceil(wait), MAX_WAIT_MS) : undefined
}
