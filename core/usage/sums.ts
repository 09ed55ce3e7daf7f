// Calls summed up by a quarter of an hour, user, token, channel, group and model. Quarters, because there are time zones
// that are half an hour or three quarters off: a day of any zone is a whole number of them.
import { getLatencyBucket, LATENCY_BOUNDS_MS } from '../calls/histogram.ts'
import type { CallError, CallChargeCorrection, CallForUsage, CountedRefusalRow } from './counted-call.ts'
import { CALL_ERROR_KINDS } from './counted-call.ts'

/** Unit: seconds. */
export const SLOT_SECONDS = 900
/** The sums of each payer are also stored per day of UTC. Unit: seconds. */
export const DAY_SECONDS = 86_400
export const getSlotStart = (at: number): number => at - (at % SLOT_SECONDS)

const PLACES = [...LATENCY_BOUNDS_MS.keys(), LATENCY_BOUNDS_MS.length]
export const LATENCY_COLUMNS = PLACES.map((place) => `latency_${place}`)
export const FIRST_CONTENT_COLUMNS = PLACES.map((place) => `first_${place}`)
/** The counted measures, except times. */
export const COUNTED_MEASURES = [
  'calls',
  ...CALL_ERROR_KINDS.map((error) => `error_${error}` as const),
  ...(['prompt_tokens', 'cached_tokens', 'output_tokens', 'quota', 'cost'] as const),
  ...(['written_tokens', 'beside_tokens'] as const),
] as const
/** All summed measures, in the order of `counts`. */
export const SUMMED_MEASURES: readonly string[] = [...COUNTED_MEASURES, ...LATENCY_COLUMNS, ...FIRST_CONTENT_COLUMNS]

export interface UsageSum {
  /** Start of the slot, in epoch seconds. */
  slot: number
  user_id: number
  token_id: number
  channel_id: number
  group: string
  model_name: string
  /** In the order of `SUMMED`. */
  counts: number[]
}

const ERROR_PLACES = Object.fromEntries(CALL_ERROR_KINDS.map((error, place) => [error, 1 + place])) as Record<
  CallError,
  number
>
const PROMPT = 1 + CALL_ERROR_KINDS.length
const LATENCY_PLACE = COUNTED_MEASURES.length
const FIRST_PLACE = LATENCY_PLACE + LATENCY_COLUMNS.length

const NOTHING = SUMMED_MEASURES.map(() => 0)

/** Sums in memory. */
export class UsageSums {
  private readonly sums = new Map<string, UsageSum>()

  get size(): number {
    return this.sums.size
  }

  rows(): UsageSum[] {
    return [...this.sums.values()]
  }

  /** Times are counted of calls that gave something. */
  add(call: CallForUsage): void {
    const counts = this.countsOf(call)
    counts[0]! += 1
    if (call.error !== undefined) counts[ERROR_PLACES[call.error]]! += 1
    counts[PROMPT]! += call.prompt_tokens
    counts[PROMPT + 1]! += call.cached_tokens
    counts[PROMPT + 2]! += call.output_tokens
    counts[PROMPT + 3]! += call.quota
    counts[PROMPT + 4]! += call.cost
    counts[PROMPT + 5]! += call.written_tokens
    counts[PROMPT + 6]! += call.beside_tokens
    if (call.error !== undefined && call.error !== 'cut_short') return
    counts[LATENCY_PLACE + getLatencyBucket(call.ms)]! += 1
    if (call.first_ms > 0) counts[FIRST_PLACE + getLatencyBucket(call.first_ms)]! += 1
  }

  /** No call: money alone. */
  correct(correction: CallChargeCorrection): void {
    this.countsOf(correction)[PROMPT + 3]! += correction.quota
  }

  /** Counts calls that Weir refused. */
  refuse(refusals: CountedRefusalRow): void {
    const counts = this.countsOf(refusals)
    counts[0]! += refusals.calls
    counts[ERROR_PLACES[refusals.error]]! += refusals.calls
  }

  /** Adds the sums of another source. */
  merge(others: UsageSums): void {
    for (const [key, sum] of others.sums) {
      const existing = this.sums.get(key)
      if (!existing) this.sums.set(key, sum)
      else for (const [place, count] of sum.counts.entries()) existing.counts[place]! += count
    }
  }

  private countsOf({
    at,
    user_id,
    token_id,
    channel_id,
    group,
    model_name,
  }: Omit<CallChargeCorrection, 'quota'>): number[] {
    const slot = getSlotStart(at)
    // The length of the group marks the start of the model, so that two keys never collide.
    const key = `${slot} ${user_id} ${token_id} ${channel_id} ${group.length} ${group}${model_name}`
    const known = this.sums.get(key)
    if (known) return known.counts
    const counts = [...NOTHING]
    this.sums.set(key, { slot, user_id, token_id, channel_id, group, model_name, counts })
    return counts
  }
}
