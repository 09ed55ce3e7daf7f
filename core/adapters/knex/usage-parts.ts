// Which rows of usage know a span of time: whole days where they say enough, quarters of an hour before and behind them.
import type { SlotSpan } from '../../usage/store.ts'
import { COUNTED, DAY } from '../../usage/sums.ts'

/** Calls that gave something. */
export const GIVEN = [
  'calls',
  ...COUNTED.filter((name) => name.startsWith('error_') && name !== 'error_cut_short'),
].join(' - ')

const TABLES = {
  payers: { quarters: 'usage_sums', days: 'usage_days' },
  everybody: { quarters: 'usage_totals', days: 'usage_total_days' },
} as const

export interface UsagePart extends SlotSpan {
  table: (typeof TABLES)[keyof typeof TABLES]['quarters' | 'days']
  /** Where a row begins. */
  column: 'slot' | 'day'
}

/**
 * @param of sums of each payer, or of all of them together
 * @param starts where steps begin: days are whole only where none begins inside one
 * @param byDay do their days know all that is asked?
 */
export function planUsageRanges(
  of: keyof typeof TABLES,
  { from, to }: SlotSpan,
  starts: readonly number[],
  byDay: boolean,
): UsagePart[] {
  const [first, last] = [Math.ceil(from / DAY) * DAY, Math.floor(to / DAY) * DAY]
  const quarters = (since: number, until: number): UsagePart => ({
    ...{ table: TABLES[of].quarters, column: 'slot', from: since, to: until },
  })
  if (!byDay || first >= last || starts.some((at) => at > from && at % DAY !== 0)) return [quarters(from, to)]
  return [
    ...(from < first ? [quarters(from, first)] : []),
    { table: TABLES[of].days, column: 'day', from: first, to: last },
    ...(last < to ? [quarters(last, to)] : []),
  ]
}

/** The rows of the parts as one table; each binds its beginning, its end, and what its conditions bind. */
export const partsSql = (
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
