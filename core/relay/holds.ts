// What one call holds: the hold it was admitted with, and what is held beside it for a dearer model or a longer answer.
import type { RequestHead } from '../dialects/head.ts'
import { type ErrorCode, GatewayError } from '../errors.ts'
import { buildCallLimits } from '../limits/call-limits.ts'
import type { Signal } from '../ports/signal.ts'
import { estimate, type Estimate, type ExpectedUsage, expectedCharge } from '../pricing/estimate.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Limit } from '../quota/limit.ts'
import type { Settings } from '../settings/index.ts'
import { callBudgets } from '../tokens/budget.ts'
import { type CallToken, isPaidByTeam } from '../tokens/token.ts'
import type { User } from '../users/user.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import type { ModelCandidate } from './model-candidates.ts'
import { findPayer } from './paying-account.ts'
import { costOfGreatest, getMaxCost, getMaxUsage } from './usage-bounds.ts'

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
  const limits = buildCallLimits(who, expected, settings)
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

// Pays an admitted call in advance: limits, budgets and balances are checked and taken in one step of the ledger. Every
// operation comes through here, with a token or without.

/** Who calls, and the group that decides the call. */
export interface HoldOwner {
  user: User
  /** Null where the call came without one (the playground). */
  token: CallToken | null
  group: string
}

/** No balance covers what was to be held. */
const SHORT = new Set<ErrorCode>(['quota.insufficient', 'quota.token_insufficient'])

/**
 * Holds what the call may cost and counts it against its limits. Whom that would refuse need not have more than
 * `greatest`, the most that the call can come to: the estimate has room for what it does not know.
 * @throws GatewayError limit.*, budget.*, quota.insufficient, quota.token_insufficient, key.exhausted: nothing is held
 */
export function reserveQuota(
  ledger: CallLedger,
  who: HoldOwner,
  { quota, free }: Estimate,
  limits: Limit[] | undefined,
  greatest: () => number | undefined = unknown,
): Promise<Hold> {
  const payer = findPayer(who)
  const options = limits ? { free, limits } : { free }
  return ledger
    .hold(payer, quota, options)
    .catch((refusal: unknown) => ledger.hold(payer, lessThan(quota, greatest, refusal), options))
}

const unknown = () => undefined

/** @throws what refused the first amount, where the other is not less */
function lessThan(amount: number, greatest: () => number | undefined, refusal: unknown): number {
  const most = refusal instanceof GatewayError && SHORT.has(refusal.code) ? greatest() : undefined
  if (most === undefined || most >= amount) throw refusal
  return most
}

/**
 * Holds what is dearer than what is `held` already for a call that is counted already: balances and budgets decide.
 * @throws GatewayError budget.*, quota.insufficient, quota.token_insufficient, key.exhausted
 */
export function reserveMore(
  ledger: CallLedger,
  who: Omit<HoldOwner, 'group'>,
  quota: number,
  held = 0,
  greatest: () => number | undefined = unknown,
): Promise<Hold> {
  const payer = findPayer(who)
  const options = { limits: who.token ? callBudgets(who.token) : [] }
  const more = (amount: number) => ledger.hold(payer, Math.max(0, amount - held), options)
  return more(quota).catch((refusal: unknown) => more(lessThan(quota, greatest, refusal)))
}

/** For work that is done and will be charged, whatever it comes to: no balance refuses it. */
export const createZeroHold = (ledger: CallLedger, who: Omit<HoldOwner, 'group'>): Promise<Hold> =>
  ledger.hold(findPayer(who), 0, { free: true })

// What a call holds before it runs. The stricter hold covers the whole expected answer; who has less than that begins with
// a step of it, and streams as far as the balance goes (allowance.ts).

/** A stream that cannot be held for in full is held for in steps of so much. Unit: tokens. */
export const HOLD_STEP_TOKENS = 256

/** What is to be held for a call. @throws GatewayError quota.overflow */
export function estimateHold(call: Call, head: RequestHead, admission: Admission, settings: Settings): Estimate {
  const plain = estimate(admission.price, admission.group_ratio, head, settings, call.started_at)
  if (plain.free) return plain
  if (isPaidByTeam(call.caller.token))
    return { quota: Math.max(plain.quota, costOfGreatest(call, head, admission, settings)), free: false }
  if (!settings.StrictHold) return plain
  const whole = expectedCostOf(call, admission, settings, getMaxUsage(call, head, admission))
  return { quota: Math.max(plain.quota, whole), free: false }
}

/** What a stream begins with that cannot be held for in full. */
export function getFirstHoldStep(call: Call, head: RequestHead, admission: Admission, settings: Settings): number {
  const whole = getMaxUsage(call, head, admission)
  const output = Math.min(whole.output, HOLD_STEP_TOKENS)
  return expectedCostOf(call, admission, settings, {
    ...whole,
    output,
    ...(whole.audio_out ? { audio_out: output } : {}),
  })
}

export const expectedCostOf = (
  { started_at }: Call,
  { price, group_ratio }: Admission,
  { QuotaPerUnit }: Settings,
  usage: ExpectedUsage,
) => expectedCharge(price, group_ratio, usage, QuotaPerUnit, started_at)

// A call that is paid for, and how its answer is wanted: what every step from here on is given.

export interface PaidCall {
  call: Call
  /** What its caller asked for. */
  asked: RequestHead
  holds: CallHolds
  /** Its answer may have to be ended, so it is written anew. */
  bounded: boolean
  /** Aborted when the provider is to stop, which need not be when the caller leaves. */
  provider: Signal
  settings: Settings
}
