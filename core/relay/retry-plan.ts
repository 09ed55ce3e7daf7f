// What a call may try, step by step: channel after channel of the model asked for, then of its fallbacks. Invisible to the
// caller as long as nothing was sent.
import { buildAffinityKey } from '../channels/affinity.ts'
import { countsAgainstChannel } from '../channels/cooldown.ts'
import type { SignatureOwners } from '../channels/proof-makers.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { Route, Router, SelectedChannel } from '../channels/router.ts'
import { CACHED_PROMPT_TOKENS } from '../dialects/cache-affinity.ts'
import type { CallFailure } from '../dialects/call-failure.ts'
import { getRequestedModel, type RequestHead } from '../dialects/head.ts'
import { isSignatureRefused } from '../dialects/proof.ts'
import { GatewayError } from '../errors.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { type Admission, noChannel } from './admission.ts'
import type { Call } from './call.ts'
import { AttemptError } from './failure.ts'
import { type CallHolds, estimateHold } from './holds.ts'
import { type FallbackChain, isUnserved, type ModelCandidate } from './model-candidates.ts'
import { getMaxCost } from './usage-bounds.ts'

export interface RetryPlanPorts {
  route: Router
  makers?: Pick<SignatureOwners, 'find'>
}

/** A channel, with one of its keys, that is tried for a model. */
export interface PlannedAttempt extends ModelCandidate {
  taken: SelectedChannel
}

/** So many more accounts are asked to take a proof whose maker nobody knows. */
const MOST_STRANGERS = 7

export class RetryPlan {
  private readonly ports: RetryPlanPorts
  private readonly call: Call
  private readonly holds: CallHolds
  private readonly settings: Settings
  private readonly models: FallbackChain | undefined
  private current: ModelCandidate
  private route!: Route
  /** Attempts that the model still has, beside those that say nothing of its channels. */
  private left = 0
  /** Accounts that may be asked whether a proof is theirs; where its maker is known, nobody else is. */
  private strangers = 0
  /** Of this model: why its last attempt failed, which formats could not say the request, when to ask again (ms). */
  private failed: AttemptError | undefined
  private unsuited: AttemptError | undefined
  private wait: number | undefined
  private step: PlannedAttempt | undefined
  /** Why the model that was asked for did not answer, and why the last one did not. */
  private firstError: unknown
  private lastError: unknown

  /** @param models what comes behind `turn`; none for a call that has nothing to fall back on */
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

  /** The model whose turn it is. */
  get turn(): ModelCandidate {
    return this.current
  }

  /** The channel that is being asked, or that answered. */
  get channel(): RoutedChannel | undefined {
    return this.step?.taken.channel
  }

  /** The next channel of the model whose turn it is; undefined when there is none left. */
  next(): PlannedAttempt | undefined {
    const taken = this.left > 0 ? this.route.next() : undefined
    if (!taken) return undefined
    this.left--
    const { head, admission } = this.current
    return (this.step = { head, admission, taken })
  }

  /** The last step failed. False where nothing was sent, so that it was no attempt. */
  fail(error: AttemptError): boolean {
    const { failure } = error
    const { taken, head } = this.step!
    if (isUntranslatable(failure)) {
      // Another channel may be asked in the request's own format.
      taken.unsuited()
      this.unsuited = error
      this.left++
      return false
    }
    this.failed = error
    const { retry_after_ms } = failure
    if (retry_after_ms !== undefined) this.wait = Math.min(this.wait ?? retry_after_ms, retry_after_ms)
    taken.failed(failure)
    if (head.proof !== undefined && isSignatureRefused(failure)) {
      if (this.strangers-- > 0) this.left++
      else this.left = 0
    } else if (!mayRetry(failure, taken.channel.type)) this.left = 0
    return true
  }

  /** All channels of one model were tried: is there another way? What a dearer model costs more is held for first. */
  async another(): Promise<boolean> {
    const error = this.whyNot()
    const { head, admission } = this.current
    const isRefusedProof = error instanceof AttemptError && isSignatureRefused(error.failure)
    if (isRefusedProof && head.proof !== undefined && head.compaction === undefined && !admission.pinned) {
      // Whoever could take the proofs is gone: the conversation is worth more than what was thought in it.
      this.begin({ admission, head: { ...head, proof: undefined, forgets: true } })
      return true
    }
    this.firstError ??= error
    this.lastError = error
    const turn = this.isThrough(error) ? await this.affordable() : undefined
    if (turn) this.begin(turn)
    return turn !== undefined
  }

  /** Why the model that was asked for did not answer; what was used counts where nothing else was tried. */
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
      affinityKey: admission.pinned ? undefined : affinityOf(call, head, admission, settings),
    })
    this.left = admission.pinned ? 1 : settings.RetryTimes + 1
    this.strangers = admission.pinned || maker !== undefined ? 0 : MOST_STRANGERS
    this.failed = this.unsuited = this.wait = undefined
  }

  /** Why the model whose turn it is does not answer, and when the first of its channels may be asked again. */
  private whyNot(): AttemptError | GatewayError {
    const { head, admission } = this.current
    const failed = this.failed ?? this.unsuited
    if (!failed) return noChannel(getRequestedModel(head), admission.group, this.settings)
    const wait = this.wait ?? (countsAgainstChannel(failed.failure) ? this.route.wait() : undefined)
    if (wait === undefined) return failed
    return new AttemptError({ ...failed.failure, retry_after_ms: wait }, failed.cause, failed.usage)
  }

  /** Have all channels been tried, so that another model may do better? */
  private isThrough(error: AttemptError | GatewayError): boolean {
    return error instanceof GatewayError ? isUnserved(error) : mayRetry(error.failure, this.channel?.type ?? 0)
  }

  /** The next model that the caller can pay. */
  private async affordable(): Promise<ModelCandidate | undefined> {
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

/** What ties the call to earlier ones; undefined for short prompts, which no provider caches. */
function affinityOf(call: Call, head: RequestHead, admission: Admission, settings: Settings): number | undefined {
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

// After a failed attempt: the next channel, or stop (docs/relay.md, 6).

/** Failures of a channel or of the way to it, not of the request: another channel may do better. */
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

/** The channel's format cannot say the request: known before anything is sent. */
export const isUntranslatable = ({ source, code }: CallFailure): boolean =>
  source === 'gateway' && code === 'untranslatable_request'

/** May another channel be tried after this failure, as long as nothing was sent to the caller? */
export function mayRetry(failure: CallFailure, channelType: number): boolean {
  const { status } = failure
  if (failure.source === 'gateway') return CHANNEL_FAULTS.has(failure.code)
  if (status >= 200 && status < 300) return false
  if (status === 400) return findProvider(channelType)?.retries_bad_requests === true
  return status !== 408 && status !== 504 && status !== 524
}

// How long a provider asks to wait: the Retry-After header in both its forms (RFC 9110, section 10.2.3).

/** Longer waits are taken as this long: a mistaken date must not take a channel away for a year. */
const MAX_WAIT_MS = 24 * 3_600_000

/** Milliseconds from `now` (epoch ms); undefined where nothing can be read or the time has passed. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (text === '') return undefined
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(Math.ceil(wait), MAX_WAIT_MS) : undefined
}
