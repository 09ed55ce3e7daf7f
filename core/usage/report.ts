// The usage report: sums by name, and percentiles of durations.
import { z } from 'zod'
import { quantile } from '../calls/histogram.ts'
import { CALL_ERRORS, type CallError } from './counted-call.ts'
import { COUNTED, FIRST, LATENCY } from './sums.ts'

/** In ms; null if nothing was measured. */
const Quantiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() })
type Quantiles = z.infer<typeof Quantiles>

/** The measures that users may see of their usage. */
export const OwnMeasures = z.object({
  calls: z.number(),
  /** Calls that gave nothing. */
  failed: z.number(),
  errors: z.object(
    Object.fromEntries(CALL_ERRORS.map((error) => [error, z.number()])) as Record<CallError, z.ZodNumber>,
  ),
  prompt_tokens: z.number(),
  cached_tokens: z.number(),
  output_tokens: z.number(),
  /** Quota units. */
  quota: z.number(),
  latency_ms: Quantiles.optional(),
  first_content_ms: Quantiles.optional(),
})
export const Measures = OwnMeasures.extend({
  /** The providers' price for it, as far as it is known; quota units. */
  cost: z.number(),
})
type Measures = z.infer<typeof Measures>

/** Converts counts in the order of `SUMMED`, or of `COUNTED` without times. */
export function toMeasures(counts: readonly number[]): Measures {
  const of = (name: (typeof COUNTED)[number]) => counts[COUNTED.indexOf(name)] ?? 0
  const errors = Object.fromEntries(CALL_ERRORS.map((error) => [error, of(`error_${error}`)])) as Measures['errors']
  const failed = CALL_ERRORS.reduce((sum, error) => sum + errors[error], 0) - errors.cut_short
  const timed = counts.length > COUNTED.length
  return {
    calls: of('calls'),
    failed,
    errors,
    prompt_tokens: of('prompt_tokens'),
    cached_tokens: of('cached_tokens'),
    output_tokens: of('output_tokens'),
    quota: of('quota'),
    cost: of('cost'),
    ...(timed
      ? {
          latency_ms: toQuantiles(counts.slice(COUNTED.length, COUNTED.length + LATENCY.length)),
          first_content_ms: toQuantiles(counts.slice(-FIRST.length)),
        }
      : {}),
  }
}

const toQuantiles = (counts: number[]): Quantiles => ({
  p50: quantile(counts, 0.5),
  p95: quantile(counts, 0.95),
  p99: quantile(counts, 0.99),
})
