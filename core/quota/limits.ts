// Limits of a hold: granted or refused in the same step as the balance, counted with it, and corrected when the hold is
// resolved. Pure: all state is passed in.
import { GatewayError, EMPTY_WORDS, type Parameters } from '../errors.ts'
import type { Calendar, Period, Span } from './calendar.ts'
import type { CounterRow, LedgerStore, SpentQuestion } from './store.ts'

/** A number of requests, successful requests or tokens within any `length` ms. `key` identifies the shared counter. */
export interface WindowLimit {
  kind: 'requests' | 'tokens' | 'model_requests' | 'model_successes'
  key: string
  length: number
  max: number
  /** The initial count of this call: 1, or its estimated tokens. */
  amount: number
}

/** A maximum number of calls in progress. */
export interface ConcurrentLimit {
  kind: 'concurrent'
  key: string
  max: number
}

/** A number of quota units per period of the zone's calendar. Reserved quota counts until it is charged. */
export interface BudgetLimit {
  kind: 'budget'
  key: string
  period: Period
  zone: string
  max: number
  /** Set for a team member: the user whose charges count, and the key that counts the quota of their open calls. */
  member?: { user_id: number; held_key: string }
}

/** Counts the quota that open calls hold, for budgets that belong to more than one token. */
export interface HeldCount {
  kind: 'held'
  key: string
}

export type Limit = WindowLimit | ConcurrentLimit | BudgetLimit | HeldCount

/** The limits of one hold, and the time at which they were counted (epoch ms). */
export interface LimitClaims {
  at: number
  limits: readonly Limit[]
}

/** The state that a decision about limits depends on. Times in epoch ms. */
export interface LimitContext {
  counters: Counters
  calendar: Calendar
  now: number
  /** The database's time, by which budgets renew in all processes at once. */
  databaseNow: number
}

/** The requested amount, and the quota that the token's open calls hold already, in quota units. */
interface RequestedAmount {
  amount: number
  free: boolean
  held: number
}

/** Retry delay for a concurrency limit, in ms. It is a guess: nothing shows when another call will end. */
const CONCURRENT_WAIT_MS = 1000
const NEVER = Number.MAX_SAFE_INTEGER
/** A budget's row outlives its period by this long, in ms, so that the next period's first call finds it. */
const KEEP_BUDGET_MS = 40 * 24 * 3_600_000

/**
 * Returns the error if these limits refuse a call, else null. Of several refusals it reports the one that lasts
 * longest.
 */
export function findLimitRefusal(
  { limits, at }: LimitClaims,
  requested: RequestedAmount,
  counting: LimitContext,
): GatewayError | null {
  let longest: GatewayError | null = null
  for (const limit of limits) {
    const refused = findRefusal(limit, at, requested, counting)
    if (refused && (refused.retry_after_ms ?? 0) > (longest?.retry_after_ms ?? 0)) longest = refused
  }
  return longest
}

function findRefusal(
  limit: Limit,
  at: number,
  requested: RequestedAmount,
  counting: LimitContext,
): GatewayError | null {
  const counter = counting.counters.get(limit.key)
  if (limit.kind === 'held') return null
  const { max } = limit
  if (limit.kind === 'concurrent')
    return counter && sumCounts(counter.counts) >= max ? buildLimitError(limit, CONCURRENT_WAIT_MS) : null
  if (limit.kind === 'budget') {
    if (requested.free) return null
    const { databaseNow } = counting
    const span = counting.calendar.span(limit.period, limit.zone, Math.floor(databaseNow / 1000))
    const used = counter ? getSpentSince(counter, span.start) : 0
    const held = limit.member ? sumCounts(counting.counters.get(limit.member.held_key)?.counts ?? []) : requested.held
    if (used + held + Math.max(1, requested.amount) <= max) return null
    const code = limit.member ? 'budget.member' : (`budget.${limit.period}` as const)
    const left = Math.max(0, max - used - held)
    const renews = new Date(span.end * 1000).toISOString().replace(':00.000Z', 'Z')
    return limited(
      code,
      { max, left, needed: requested.amount, fits: EMPTY_WORDS, renews },
      span.end * 1000 - databaseNow,
    )
  }
  if (counter) pruneCounts(counter.counts, at, limit.length)
  const wait = getWaitMs(counter?.counts ?? [], at, limit.length, max, limit.amount)
  return wait === 0 ? null : buildLimitError(limit, wait, sumCounts(counter?.counts ?? []))
}

/** Builds the error of a limit that is full for another `wait` ms. `used`: the amount counted; the whole limit if unknown. */
export const buildLimitError = (
  limit: WindowLimit | ConcurrentLimit,
  wait: number,
  used: number = limit.max,
): GatewayError =>
  limit.kind === 'concurrent'
    ? limited('limit.concurrent', { max: limit.max }, wait)
    : limited(
        `limit.${limit.kind}`,
        {
          max: limit.max,
          left: Math.max(0, limit.max - used),
          needed: limit.amount,
          minutes: limit.length / 60_000,
          seconds: Math.ceil(wait / 1000),
        },
        wait,
        // A prompt that is longer than the whole limit never fits.
        limit.amount > limit.max,
      )

type LimitCode = `limit.${'concurrent' | WindowLimit['kind']}` | `budget.${Period | 'member'}`

const limited = (code: LimitCode, parameters: Parameters, retry_after_ms: number, is_final = false) =>
  new GatewayError(code, parameters, { retry_after_ms, is_final })

/**
 * Counts a granted call with its reserved amount. Budgets are not counted here: the quota that the token's calls hold
 * is known already.
 */
export function claimLimits({ limits, at }: LimitClaims, amount: number, { counters }: LimitContext): void {
  for (const limit of limits) {
    if (limit.kind === 'budget') continue
    const counter = getOrCreateCounter(counters, limit.key)
    if (limit.kind === 'concurrent') step(counter, 1, at)
    else if (limit.kind === 'held') step(counter, amount, at)
    else count(counter, limit, at, limit.amount)
  }
}

/** The result of a call, as far as limits need it. */
export interface LimitedOutcome {
  failed: boolean
  /** The tokens used; undefined leaves the estimate in place. */
  tokens?: number
}

/**
 * Returns the amount by which each window counted a call too low or (negative) too high. A failed call used no tokens
 * and was no success.
 */
export function getCorrections(limits: readonly Limit[], { failed, tokens }: LimitedOutcome) {
  const wrong: { limit: WindowLimit; by: number }[] = []
  for (const limit of limits) {
    if (limit.kind !== 'tokens' && limit.kind !== 'model_successes') continue
    const actual = failed ? 0 : limit.kind === 'tokens' ? (tokens ?? limit.amount) : limit.amount
    if (actual !== limit.amount) wrong.push({ limit, by: actual - limit.amount })
  }
  return wrong
}

/** Corrects windows once the result of the call is known. */
export function correctLimitCounts(
  { limits, at }: LimitClaims,
  outcome: LimitedOutcome,
  { counters, now }: LimitContext,
): void {
  for (const { limit, by } of getCorrections(limits, outcome)) {
    const counter = getOrCreateCounter(counters, limit.key)
    pruneCounts(counter.counts, now, limit.length)
    // Use above the estimate counts from now. Unused estimate is taken from the time at which it was counted.
    if (by > 0) count(counter, limit, now, by)
    else {
      takeBack(counter.counts, at, -by)
      counter.changed = true
    }
  }
}

/** Removes a finished call and its reservation from the counters. Only for a hold that was still open. */
export function releaseLimits({ limits }: LimitClaims, amount: number, { counters, now }: LimitContext): void {
  for (const { kind, key } of limits) {
    const counter = kind === 'concurrent' || kind === 'held' ? counters.get(key) : undefined
    if (counter) step(counter, kind === 'held' ? -amount : -1, now)
  }
}

/**
 * Adds a charge to the budgets of its hold, in the current period. A budget without a counter is later counted from the
 * ledger's entries, which include this charge.
 */
export function addToBudgets({ limits }: LimitClaims, quota: number, context: LimitContext): void {
  const { counters, calendar, databaseNow } = context
  for (const limit of limits) {
    const counter = limit.kind === 'budget' ? counters.get(limit.key) : undefined
    if (limit.kind !== 'budget' || !counter) continue
    const span = calendar.span(limit.period, limit.zone, Math.floor(databaseNow / 1000))
    setSpent(counter, span, getSpentSince(counter, span.start) + quota)
  }
}

/** Returns the amount that a budget's counter shows for the period that began at `start` (epoch seconds). */
export function getSpentSince({ counts }: Counter, start: number): number {
  const [first] = counts
  // The clock of another process may already be in the next period. Its count is used as it is.
  return first && first[0] >= start * 1000 ? first[1] : 0
}

export function setSpent(counter: Counter, { start, end }: Span, spent: number): void {
  const startedAt = Math.max(start * 1000, counter.counts[0]?.[0] ?? 0)
  counter.counts = [[startedAt, spent]]
  counter.expires = end * 1000 + KEEP_BUDGET_MS
  counter.changed = true
}

function step(counter: Counter, by: number, now: number): void {
  const running = Math.max(0, sumCounts(counter.counts) + by)
  counter.counts = running === 0 ? [] : [[0, running]]
  counter.expires = running === 0 ? now : NEVER
  counter.changed = true
}

function count(counter: Counter, { length }: WindowLimit, now: number, amount: number): void {
  addCount(counter.counts, now, length, amount)
  counter.expires = (counter.counts.at(-1)?.[0] ?? now) + length
  counter.changed = true
}

// The spent part of budgets, for display only. No decision depends on it.

/** Returns the quota units charged under each budget's key since its period began. */
export async function getBudgetUse(store: LedgerStore, questions: SpentQuestion[]): Promise<Map<string, number>> {
  const rows = await store.counters(questions.map(({ key }) => key))
  const counters = new Map(rows.filter(({ state }) => state !== '').map((row) => [row.key, parseCounter(row)]))
  const uncounted = questions.filter(({ key }) => !counters.has(key))
  const spent = uncounted.length > 0 ? await store.spent(uncounted) : []
  const used = new Map(spent.map((each) => [each.key, each.spent]))
  for (const { key, since } of questions) {
    const counter = counters.get(key)
    if (counter) used.set(key, getSpentSince(counter, since))
  }
  return used
}

// The counters behind limits: amounts by time. A sliding window has many, a budget has one (the start of its period and
// the amount spent since), and a concurrency limit has one.

export interface Counter {
  key: string
  counts: CountedAt[]
  /** Time in epoch ms after which the counter is meaningless and may be dropped. */
  expires: number
  /** True if it differs from the stored row. */
  changed: boolean
}

export type Counters = Map<string, Counter>

export const createEmptyCounter = (key: string): Counter => ({ key, counts: [], expires: 0, changed: false })

/** Returns the counter of a key, and creates it if needed. */
export function getOrCreateCounter(counters: Counters, key: string): Counter {
  const known = counters.get(key)
  if (known) return known
  const made = createEmptyCounter(key)
  counters.set(key, made)
  return made
}

export const parseCounter = ({ key, state, expires }: CounterRow): Counter => ({
  key,
  counts: state === '' ? [] : (JSON.parse(state) as CountedAt[]),
  expires,
  changed: false,
})

export const toCounterRow = ({ key, counts, expires }: Counter): CounterRow => ({
  key,
  state: JSON.stringify(counts),
  expires,
})

// A sliding window: the amount counted in the last given number of milliseconds. Pure, and in bounded memory.

/** An amount counted at a time (epoch ms). A list of them is in order of time. */
export type CountedAt = [time: number, amount: number]

/** Up to this many counts each keep their own time. Beyond it, neighbours share one. */
const EXACT_COUNTS = 60
/** Neighbours share a time when they fall into the same 60th of the window. */
const PARTS = 60

/**
 * Drops counts that have left the window of `length` ms that ends `now`. Each count stays in it for exactly `length`
 * ms.
 */
export function pruneCounts(counts: CountedAt[], now: number, length: number): void {
  let gone = 0
  while (gone < counts.length && (counts[gone] as CountedAt)[0] <= now - length) gone += 1
  if (gone > 0) counts.splice(0, gone)
}

export function sumCounts(counts: readonly CountedAt[]): number {
  let sum = 0
  for (const [, amount] of counts) sum += amount
  return sum
}

/**
 * Returns the ms until `amount` more fits under `max` in a pruned window, or 0 if it fits now. An amount above `max`
 * waits for an empty window.
 */
export function getWaitMs(
  counts: readonly CountedAt[],
  now: number,
  length: number,
  max: number,
  amount: number,
): number {
  let over = sumCounts(counts) + amount - max
  if (over <= 0) return 0
  for (const [time, counted] of counts) {
    over -= counted
    if (over <= 0) return Math.max(1, time + length - now)
  }
  return length
}

/**
 * Counts `amount` at `now`. If there are many counts, neighbours are merged at the later of their times: they leave the
 * window late, never early, so no window of this length ever exceeds its limit.
 */
export function addCount(counts: CountedAt[], now: number, length: number, amount: number): void {
  const last = counts.at(-1)
  if (!last) return void counts.push([now, amount])
  // The clock of another process may be slightly ahead.
  const time = Math.max(now, last[0])
  const part = Math.max(1, length / PARTS)
  const joins = counts.length >= EXACT_COUNTS && Math.floor(last[0] / part) === Math.floor(time / part)
  if (!joins && time !== last[0]) return void counts.push([time, amount])
  last[0] = time
  last[1] += amount
}

/**
 * Takes back up to `amount` of the amount counted at `time` or, if merged, slightly later. Counts that were dropped
 * stay dropped.
 */
export function takeBack(counts: CountedAt[], time: number, amount: number): void {
  let left = amount
  for (let index = 0; index < counts.length && left > 0; index += 1) {
    const each = counts[index] as CountedAt
    if (each[0] < time) continue
    const taken = Math.min(left, each[1])
    each[1] -= taken
    left -= taken
  }
  for (let index = counts.length - 1; index >= 0; index -= 1) if (counts[index]?.[1] === 0) counts.splice(index, 1)
}
