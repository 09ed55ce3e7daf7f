// Selects the usage rows that cover a span of time: whole days if they have the requested details, and quarters of an
// hour before and after them.
import type { SlotSpan } from '../../usage/store.ts'
import { COUNTED, DAY } from '../../usage/sums.ts'

/** SQL for the number of calls that returned output. */
export const ANSWERED_CALLS = [
  'calls',
  ...COUNTED.filter((name) => name.startsWith('error_') && name !== 'error_cut_short'),
].join(' - ')

const TABLES = {
  payers: { quarters: 'usage_sums', days: 'usage_days' },
  everybody: { quarters: 'usage_totals', days: 'usage_total_days' },
} as const

export interface UsagePart extends SlotSpan {
  table: (typeof TABLES)[keyof typeof TABLES]['quarters' | 'days']
  /** The column with the start of a row. */
  column: 'slot' | 'day'
}

/**
 * @param of the sums by payer, or of all payers together
 * @param starts the starts of steps: a day is used whole only if none falls inside it
 * @param byDay whether the sums by day have all requested details
 */
export function planUsageRanges(
  of: keyof typeof TABLES,
  { from, to }: SlotSpan,
  starts: readonly number[],
  byDay: boolean,
): UsagePart[] {
  const [first, last] = [Math.ceil(from / DAY) * DAY, Math.floor(to / DAY) * DAY]
  const quarters = (since: number, until: number): UsagePart => ({
    table: TABLES[of].quarters,
    column: 'slot',
    from: since,
    to: until,
  })
  if (!byDay || first >= last || starts.some((at) => at > from && at % DAY !== 0)) return [quarters(from, to)]
  return [
    ...(from < first ? [quarters(from, first)] : []),
    { table: TABLES[of].days, column: 'day', from: first, to: last },
    ...(last < to ? [quarters(last, to)] : []),
  ]
}

/** Selects the rows of the parts as one table. Each part binds its start, its end, and the values of its conditions. */
export const buildPartsSql = (
  parts: readonly UsagePart[],
  columns: readonly string[],
  conditions: readonly string[],
): string =>
  `(${parts
    .map(
      ({ table, column }) =>
        `select ${[`${column} as slot`, ...columns].join(', ')} from ${table}
         where ${[`${column} >= ?`, `${column} < ?`, ...conditions].join(' and ')}`,
    )
    .join(' union all ')}) as parts`
