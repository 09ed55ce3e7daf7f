// The lines that explain a charge, as the log's detail stores them. Unknown members are kept.
import { Decimal } from 'decimal.js'
import { z } from 'zod'
import { buildOnce } from '../memoize.ts'

/** count x price (x multiplier) = quota; decimal texts in quota units. A line may have further members. */
export const getExplainedLine = buildOnce(() =>
  z.looseObject({
    what: z.string(),
    count: z.union([z.number(), z.string()]),
    price: z.string(),
    quota: z.string(),
  }),
)
export type ExplainedLine = z.infer<ReturnType<typeof getExplainedLine>>

/** Enough for any sum of products of prices and counts. */
const Exact = Decimal.clone({ precision: 1000, toExpNeg: -1000, toExpPos: 1000 })

/**
 * Returns the sum of the lines before the single rounding, and the amount that the rounding added; decimal texts in
 * quota units.
 */
export function sumChargeLines(lines: readonly ExplainedLine[], charged: number): { exact: string; rounding: string } {
  const exact = lines.reduce((sum, line) => sum.plus(line.quota), new Exact(0))
  return { exact: exact.toFixed(), rounding: new Exact(charged).minus(exact).toFixed() }
}
