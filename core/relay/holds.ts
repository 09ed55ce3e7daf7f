// What one call holds: the hold it was admitted with, and what is held beside it for a dearer model or a longer answer.
import { callLimits } from '../limits/call-limits.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { isPaidByTeam } from '../tokens/token.ts'
import type { Call } from './call.ts'
import { getMaxCost } from './greatest-cost.ts'
import type { ModelCandidate } from './models.ts'
import { reserveQuota, reserveMore, type HoldOwner } from './reserve.ts'
import { estimateHold, getFirstHoldStep } from './strict-hold.ts'

/** What a call was admitted with; `bounded` where that is not all that it may cost. */
export interface AdmittedHolds {
  holds: CallHolds
  bounded: boolean
}

/**
 * Holds for a call. Whose balance does not cover the whole of it begins with a step, where its answer can be ended.
 * @throws GatewayError limit.*, budget.*, quota.insufficient, quota.token_insufficient, key.exhausted: nothing is held
 */
export async function holdForCall(
  ledger: CallLedger,
  call: Call,
  { head, admission }: ModelCandidate,
  settings: Settings,
): Promise<AdmittedHolds> {
  const { user, token } = call.caller
  const { operation } = call.inbound
  const estimated = estimateHold(call, head, admission, settings)
  // A team's call never begins with a step: what is thought unseen would be owed by it.
  const mayStep = settings.StrictHold && !isPaidByTeam(token)
  const stepped = mayStep && (operation === 'realtime' || (operation === 'chat' && head.stream))
  const least = stepped ? getFirstHoldStep : operation === 'realtime' ? undefined : getMaxCost
  const who = { user, token, group: admission.group }
  const expected = { prompt: head.prompt_estimate, answer: head.max_tokens ?? 0 }
  const limits = callLimits(who, expected, settings)
  const first = await reserveQuota(ledger, who, estimated, limits, () => least?.(call, head, admission, settings))
  return { holds: new CallHolds(ledger, call.caller, first), bounded: stepped && first.amount < estimated.quota }
}

export class CallHolds {
  /** The one that is settled: it names the call's receipt. */
  readonly first: Hold
  private readonly ledger: CallLedger
  private readonly who: Omit<HoldOwner, 'group'>
  private beside: Hold[] | undefined
  private held: number
  private ended = false

  constructor(ledger: CallLedger, who: Omit<HoldOwner, 'group'>, first: Hold) {
    this.ledger = ledger
    this.who = who
    this.first = first
    this.held = first.amount
  }

  /** Quota units, in all. */
  get amount(): number {
    return this.held
  }

  /**
   * Holds so much in all. Who has less need not have more than `greatest`.
   * @throws GatewayError budget.*, quota.insufficient, quota.token_insufficient, key.exhausted
   */
  async raise(quota: number, greatest?: () => number | undefined): Promise<void> {
    const more = await reserveMore(this.ledger, this.who, quota, this.held, greatest)
    this.held += more.amount
    this.beside = [...(this.beside ?? []), more]
  }

  /** The one to be settled or released by who asks. */
  end(): Hold {
    this.ended = true
    return this.first
  }

  /** Lets go what is held beside the first, if anything. */
  releaseBeside(): Promise<unknown> | undefined {
    return this.beside && Promise.all(this.beside.map((hold) => this.ledger.release(hold)))
  }

  /** Lets go all of it, unless it is being settled. */
  async letGo(): Promise<void> {
    if (this.ended) return
    await Promise.all([this.ledger.release(this.end()), this.releaseBeside()])
  }
}
