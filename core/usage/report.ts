// The usage report: sums by name, and percentiles of durations.
import { z } from 'zod'
import { estimateQuantile } from '../calls/histogram.ts'
import { CALL_ERROR_KINDS, type CallError } from './counted-call.ts'
import { COUNTED_MEASURES, FIRST_CONTENT_COLUMNS, LATENCY_COLUMNS } from './sums.ts'

/** In ms; null if nothing was measured. */
const Quantiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() })
type Quantiles = z.infer<typeof Quantiles>

/** The measures that users may see of their usage. */
export const OwnMeasures = z.object({
  calls: z.number(),
  /** Calls that gave nothing. */
  failed: z.number(),
  errors: z.object(
    Object.fromEntries(CALL_ERROR_KINDS.map((error) => [error, z.number()])) as Record<CallError, z.ZodNumber>,
  ),
  prompt_tokens: z.number(),
  cached_tokens: z.number(),
  output_tokens: z.number(),
  /** Quota units. */
  quota: z.number(),
  latency_ms: Quantiles.optional(),
  first_content_ms: Quantiles.optional(),
})
export const AdminUsageMeasures = OwnMeasures.extend({
  /** The providers' price for it, as far as it is known; quota units. */
  cost: z.number(),
})
type AdminUsageMeasures = z.infer<typeof AdminUsageMeasures>

/** Converts counts in the order of `SUMMED`, or of `COUNTED` without times. */
export function toMeasures(counts: readonly number[]): AdminUsageMeasures {
  const of = (name: (typeof COUNTED_MEASURES)[number]) => counts[COUNTED_MEASURES.indexOf(name)] ?? 0
  const errors = Object.fromEntries(
    CALL_ERROR_KINDS.map((error) => [error, of(`error_${error}`)]),
  ) as AdminUsageMeasures['errors']
  const failed = CALL_ERROR_KINDS.reduce((sum, error) => sum + errors[error], 0) - errors.cut_short
  const timed = counts.length > COUNTED_MEASURES.length
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
          latency_ms: toQuantiles(
            counts.slice(COUNTED_MEASURES.length, COUNTED_MEASURES.length + LATENCY_COLUMNS.length),
          ),
          first_content_ms: toQuantiles(counts.slice(-FIRST_CONTENT_COLUMNS.length)),
        }
      : {}),
  }
}

const toQuantiles = (counts: number[]): Quantiles => ({
  p50: estimateQuantile(counts, 0.5),
  p95: estimateQuantile(counts, 0.95),
  p99: estimateQuantile(counts, 0.99),
})
