// All holds of one call: the one from admission, extra ones for a more expensive fallback model or a longer answer, and
// the charge or release that ends them.
import type { CallRecord } from '../calls/call-record.ts'
import type { OwnedObject } from '../calls/owned-object.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import { type ErrorCode, fillTemplate, GatewayError, words } from '../errors.ts'
import { buildCallLimits } from '../limits/call-limits.ts'
import { buildCallRow } from '../logs/call-row.ts'
import type { AbortSignalLike } from '../ports/clock.ts'
import { computeExpectedCharge, type CostEstimate, estimateCost, type ExpectedUsage } from '../pricing/estimate.ts'
import { countAllTokens } from '../pricing/token-sums.ts'
import { getChargedPromptSize } from '../pricing/usage-detail.ts'
import type { Hold } from '../quota/hold.ts'
import { formatChargeDetail } from '../quota/ledger-entry.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Limit } from '../quota/limits.ts'
import type { TransactionHook } from '../quota/operation.ts'
import type { Settings } from '../settings/index.ts'
import { listCallBudgets } from '../tokens/budget.ts'
import { type CallToken, isPaidByTeam } from '../tokens/token.ts'
import type { User } from '../users/user.ts'
import { type Admission, findPayingAccount } from './admission.ts'
import type { Call } from './call.ts'
import type { ModelCandidate } from './model-candidates.ts'
import { getGreatestCost, getMaxCost, getMaxUsage } from './usage-bounds.ts'

/** The holds from admission. `bounded`: the call may cost more than they cover. */
export interface AdmittedHolds {
  holds: CallHolds
  bounded: boolean
}

/**
 * Holds quota for a call. If the balance does not cover the estimate and the answer can be cut off, holds a first step
 * only.
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
  // A call of a team never starts with a step: the team would have to pay for hidden reasoning.
  const mayStep = settings.StrictHold && !isPaidByTeam(token)
  const stepped = mayStep && (operation === 'realtime' || (operation === 'chat' && head.stream))
  const least = stepped ? getFirstHoldStep : operation === 'realtime' ? undefined : getMaxCost
  const owner = { user, token, group: admission.group }
  const expected = { prompt: head.prompt_estimate, answer: head.max_tokens ?? 0 }
  const limits = buildCallLimits(owner, expected, settings)
  const first = await reserveQuota(ledger, owner, estimated, limits, () =>
    least?.(call, head, admission, settings),
  ).catch((refusal: unknown) => {
    throw withFittingAnswer(refusal, call, head, (shorter) => estimateHold(call, shorter, admission, settings).quota)
  })
  return {
    holds: new CallHolds(ledger, call.caller, first, settings.ReportTimeZone),
    bounded: stepped && first.amount < estimated.quota,
  }
}

/** Errors whose message contains the longest answer that would fit. */
const SHORT_AMOUNTS = new Set<ErrorCode>([
  ...(['quota.insufficient', 'quota.token_insufficient'] as const),
  ...(['budget.day', 'budget.week', 'budget.month', 'budget.member'] as const),
])
/** The longest answer that is looked for if the request does not limit it. Unit: tokens. */
const LONGEST_ANSWER = 1_048_576

/** Adds to a refusal for its amount the longest answer that would fit. Returns any other refusal unchanged. */
function withFittingAnswer(
  refusal: unknown,
  { inbound }: Call,
  head: RequestHead,
  needs: (shorter: RequestHead) => number,
): unknown {
  if (!(refusal instanceof GatewayError) || !SHORT_AMOUNTS.has(refusal.code) || inbound.operation !== 'chat')
    return refusal
  const { parameters, code, retry_after_ms } = refusal
  const left = Number(parameters.left ?? parameters.balance)
  if (left <= 0) return refusal
  const fits = (max_tokens: number) => needs({ ...head, max_tokens }) <= left
  let [most, tooMany] = [0, (head.max_tokens ?? LONGEST_ANSWER) + 1]
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2)
    if (fits(middle)) most = middle
    else tooMany = middle
  }
  const fitting =
    most > 0
      ? fillTemplate(words('; an answer of at most {most} tokens fits'), { most })
      : words('; the prompt alone does not fit')
  return new GatewayError(code, { ...parameters, fits: fitting }, { retry_after_ms, cause: refusal })
}

export class CallHolds {
  /** The hold that is settled. It names the call's receipt. */
  readonly first: Hold
  private readonly ledger: CallLedger
  private readonly owner: Omit<HoldOwner, 'group'>
  /** The reporting time zone, in which budgets without one are counted. */
  private readonly zone: string
  private extra: Hold[] | undefined
  private total: number
  private ended = false

  constructor(ledger: CallLedger, owner: Omit<HoldOwner, 'group'>, first: Hold, zone: string) {
    this.ledger = ledger
    this.owner = owner
    this.first = first
    this.zone = zone
    this.total = first.amount
  }

  /** Total amount held, in quota units. */
  get amount(): number {
    return this.total
  }

  /**
   * Raises the total to `quota`. If the balance is too low, `greatest` is enough.
   * @throws GatewayError budget.*, quota.insufficient, quota.token_insufficient, key.exhausted
   */
  async raise(quota: number, greatest?: () => number | undefined): Promise<void> {
    const more = await reserveMore(this.ledger, { ...this.owner, zone: this.zone }, quota, this.total, greatest)
    this.total += more.amount
    this.extra = [...(this.extra ?? []), more]
  }

  /** Hands over the first hold. The caller must settle or release it. */
  end(): Hold {
    this.ended = true
    return this.first
  }

  /** Releases the extra holds, if any. */
  releaseExtraHolds(): Promise<unknown> | undefined {
    return this.extra && Promise.all(this.extra.map((hold) => this.ledger.release(hold)))
  }

  /** Releases all holds, unless the first one is being settled. */
  async releaseAll(): Promise<void> {
    if (this.ended) return
    await Promise.all([this.ledger.release(this.end()), this.releaseExtraHolds()])
  }
}

// Reservation: checks and takes limits, budgets and balances in one step of the ledger. All operations use it, with a
// token or without.

/** The caller of a call, and its group. */
interface HoldOwner {
  user: User
  /** null if the call has no token (the playground). */
  token: CallToken | null
  group: string
}

/** Errors of a balance that is too low for the amount. */
const LOW_BALANCE = new Set<ErrorCode>(['quota.insufficient', 'quota.token_insufficient'])

/**
 * Holds the estimated cost of a call and counts it against its limits. If the balance is too low, it needs to cover
 * only `greatest`, the most that the call can cost: the estimate has room for unknown parts.
 * @throws GatewayError limit.*, budget.*, quota.insufficient, quota.token_insufficient, key.exhausted: nothing is held
 */
export function reserveQuota(
  ledger: CallLedger,
  owner: HoldOwner,
  { quota, free }: CostEstimate,
  limits: Limit[] | undefined,
  greatest: () => number | undefined = noMaximum,
): Promise<Hold> {
  const payer = findPayingAccount(owner)
  const options = limits ? { free, limits } : { free }
  return ledger
    .hold(payer, quota, options)
    .catch((refusal: unknown) => ledger.hold(payer, getLowerMaximum(quota, greatest, refusal), options))
}

const noMaximum = () => undefined

/**
 * Returns the maximum if it is less than `amount`.
 * @throws the refusal of `amount` otherwise
 */
function getLowerMaximum(amount: number, greatest: () => number | undefined, refusal: unknown): number {
  const most = refusal instanceof GatewayError && LOW_BALANCE.has(refusal.code) ? greatest() : undefined
  if (most === undefined || most >= amount) throw refusal
  return most
}

/**
 * Holds the difference between `quota` and `held` for a call that is already counted: only balances and budgets are
 * checked.
 * @throws GatewayError budget.*, quota.insufficient, quota.token_insufficient, key.exhausted
 */
export function reserveMore(
  ledger: CallLedger,
  owner: Omit<HoldOwner, 'group'> & { zone: string },
  quota: number,
  held = 0,
  greatest: () => number | undefined = noMaximum,
): Promise<Hold> {
  const payer = findPayingAccount(owner)
  const options = { limits: owner.token ? listCallBudgets(owner.token, owner.zone) : [] }
  const more = (amount: number) => ledger.hold(payer, Math.max(0, amount - held), options)
  return more(quota).catch((refusal: unknown) => more(getLowerMaximum(quota, greatest, refusal)))
}

/** Creates a hold for finished work, which is charged in any case: no balance refuses it. */
export const createZeroHold = (ledger: CallLedger, owner: Omit<HoldOwner, 'group'>): Promise<Hold> =>
  ledger.hold(findPayingAccount(owner), 0, { free: true })

// Amount of the first hold. A strict hold covers the whole expected answer; a lower balance starts with a step of it
// and streams as far as it goes (answer-cost.ts).

/** A stream that the balance does not cover is held in steps of this size. Unit: tokens. */
export const HOLD_STEP_TOKENS = 256

/** Estimates the amount to hold for a call. @throws GatewayError quota.overflow */
export function estimateHold(call: Call, head: RequestHead, admission: Admission, settings: Settings): CostEstimate {
  const plain = estimateCost(admission.price, admission.group_ratio, head, settings, call.started_at)
  if (plain.free) return plain
  if (isPaidByTeam(call.caller.token))
    return { quota: Math.max(plain.quota, getGreatestCost(call, head, admission, settings)), free: false }
  if (!settings.StrictHold) return plain
  const whole = estimateUsageCost(call, admission, settings, getMaxUsage(call, head, admission))
  return { quota: Math.max(plain.quota, whole), free: false }
}

/** Returns the first step of a stream that the balance does not cover, in quota units. */
function getFirstHoldStep(call: Call, head: RequestHead, admission: Admission, settings: Settings): number {
  const whole = getMaxUsage(call, head, admission)
  const output = Math.min(whole.output, HOLD_STEP_TOKENS)
  return estimateUsageCost(call, admission, settings, {
    ...whole,
    output,
    ...(whole.audio_out ? { audio_out: output } : {}),
  })
}

export const estimateUsageCost = (
  { started_at }: Call,
  { price, group_ratio }: Admission,
  { QuotaPerUnit }: Settings,
  usage: ExpectedUsage,
) => computeExpectedCharge(price, group_ratio, usage, QuotaPerUnit, started_at)

/** An admitted call with its holds. Every later step receives it. */
export interface PaidCall {
  call: Call
  /** The caller's own request. */
  requested: RequestHead
  holds: CallHolds
  /** True if the answer may have to be ended early, so it is translated. */
  bounded: boolean
  /** Aborted when the provider should stop, which may be later than a client disconnect. */
  provider: AbortSignalLike
  settings: Settings
}

// Ends the holds of a call once: charges them by its record, or releases them. The log row is written in the same
// transaction.

/** Writes in the transaction of the charge. */
interface ExtraWrites {
  inTransaction?: TransactionHook
  /** Objects in the answer that the provider stores. */
  objects?: readonly OwnedObject[] | undefined
}

/** Resolves once the charge is durable. */
export async function settleCall(
  ledger: CallLedger,
  holds: CallHolds,
  record: CallRecord,
  { LogConsumeEnabled }: Pick<Settings, 'LogConsumeEnabled'>,
  { inTransaction, objects }: ExtraWrites = {},
): Promise<void> {
  const lines = JSON.stringify(record.charge.lines)
  const log = LogConsumeEnabled ? buildCallRow(record, lines) : undefined
  try {
    if (record.status === 'failed') return await ledger.release(holds.end(), log)
    const { charge, usage, attempts, request_id, cost } = record
    const { quota, billable } = charge
    const channel_id = attempts.at(-1)?.channel_id ?? 0
    const tokens = usage ? countAllTokens(usage) : 0
    const detail = formatEntryDetail(record, lines)
    await ledger.settle(
      holds.end(),
      { quota, billable, tokens, channel_id, request_id, detail, cost, objects },
      log,
      inTransaction,
    )
  } finally {
    const released = holds.releaseExtraHolds()
    if (released) await released
  }
}

/** Builds the detail of the ledger entry. */
function formatEntryDetail({ models, operation, terms, usage, cached }: CallRecord, lines: string): string {
  const prompt_tokens = usage ? getChargedPromptSize(usage, cached) : 0
  return formatChargeDetail({ model: models.served, operation, price: terms.price, usage, prompt_tokens, lines })
}
