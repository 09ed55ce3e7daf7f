// Selects the usage rows that cover a span of time: whole days if they have the requested details, and quarters of an
// hour before and after them.
import type { UsageDimension, SlotSpan, UsageAnswer, UsageOrder, UsageQuestion } from '../../../usage/store.ts'
import { COUNTED_MEASURES, DAY_SECONDS, SUMMED_MEASURES } from '../../../usage/sums.ts'
import type { Database } from '../connection/database.ts'
import { type SelectedRow, selectTableRows, toStorableId, toStorableText } from '../sql/table.ts'

/** SQL for the number of calls that returned output. */
export const ANSWERED_CALLS_SQL = [
  'calls',
  ...COUNTED_MEASURES.filter((name) => name.startsWith('error_') && name !== 'error_cut_short'),
].join(' - ')

const TABLES = {
  payers: { quarters: 'usage_sums', days: 'usage_days' },
  everybody: { quarters: 'usage_totals', days: 'usage_total_days' },
} as const

export interface UsageTablePart extends SlotSpan {
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
): UsageTablePart[] {
  const [first, last] = [Math.ceil(from / DAY_SECONDS) * DAY_SECONDS, Math.floor(to / DAY_SECONDS) * DAY_SECONDS]
  const quarters = (since: number, until: number): UsageTablePart => ({
    table: TABLES[of].quarters,
    column: 'slot',
    from: since,
    to: until,
  })
  if (!byDay || first >= last || starts.some((at) => at > from && at % DAY_SECONDS !== 0)) return [quarters(from, to)]
  return [
    ...(from < first ? [quarters(from, first)] : []),
    { table: TABLES[of].days, column: 'day', from: first, to: last },
    ...(last < to ? [quarters(last, to)] : []),
  ]
}

/** Selects the rows of the parts as one table. Each part binds its start, its end, and the values of its conditions. */
export const buildPartsSql = (
  parts: readonly UsageTablePart[],
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

// Answers a usage query with one statement: the database sums up groups and steps, and sorts them.

const COLUMNS: Record<UsageDimension, string> = {
  user: 'user_id',
  token: 'token_id',
  team: 'team_id',
  group: '"group"',
  model: 'model_name',
  channel: 'channel_id',
}
/** Dimensions that only the sums by payer have. */
const OF_PAYERS = new Set<UsageDimension>(['user', 'token', 'team'])
/** Dimensions that the sums by payer and day lack. */
const NOT_BY_DAY = new Set<UsageDimension>(['group', 'channel'])

/** Find the ids of rows by their name, including deleted ones. */
const NAMED: Partial<Record<UsageDimension, string>> = {
  user: 'select id from users where username = ?',
  token: 'select id from tokens where name = ?',
  team: 'select account_id from teams where lower(name) = lower(?)',
  channel: 'select id from channels where name = ?',
}

const ERRORS = COUNTED_MEASURES.filter((name) => name.startsWith('error_')).join(' + ')
const AMOUNTS: Record<UsageOrder, string> = {
  quota: 'quota',
  calls: 'calls',
  tokens: 'prompt_tokens + output_tokens',
  errors: ERRORS,
  cost: 'cost',
}

export async function queryUsageSums({ read }: Database, question: UsageQuestion): Promise<UsageAnswer> {
  const { starts, by, filters, order, limit, times } = question
  const summed: readonly string[] = times ? SUMMED_MEASURES : COUNTED_MEASURES
  const requested = Object.entries(filters) as [UsageDimension, number | string][]
  const dimensions = [...by, ...requested.map(([dimension]) => dimension)]
  const parts = dimensions.some((dimension) => OF_PAYERS.has(dimension))
    ? planUsageRanges('payers', question, starts, !dimensions.some((dimension) => NOT_BY_DAY.has(dimension)))
    : planUsageRanges('everybody', question, starts, true)
  const columns = [...new Set(by.map((dimension) => COLUMNS[dimension])), ...summed]
  const conditions = requested.map(([dimension, value]) => condition(dimension, value))
  const sqls = conditions.map(({ sql }) => sql)
  const keys = by.map((_, place) => `by_${place}`)
  const named = [...by.map((dimension, place) => `${COLUMNS[dimension]} as by_${place}`)]
  const sums = (of = '') => summed.map((name) => `cast(coalesce(sum(${of}${name}), 0) as bigint) as ${name}`).join(', ')
  const picked = `
    select ${[`${stepSql(starts)} as step`, ...named, sums()].join(', ')}
    from ${buildPartsSql(parts, columns, sqls)}
    group by ${['step', ...keys].join(', ')}`
  const grouped = keys.length > 0 ? `group by ${keys.join(', ')}` : ''
  const ranked = `
    select ${[...keys, `sum(${AMOUNTS[order]}) as amount`].join(', ')} from picked ${grouped}
    order by ${['amount desc', ...keys].join(', ')} limit ?`
  const same = keys.map((key) => `picked.${key} = ranked.${key}`).join(' and ') || '1 = 1'
  const sql = `
    with picked as (${picked}), ranked as (${ranked})
    select 0 as whole, picked.step as step, cast(ranked.amount as bigint) as amount,
      ${[...keys.map((key) => `picked.${key} as ${key}`), ...summed.map((name) => `picked.${name} as ${name}`)].join(', ')}
    from picked join ranked on ${same}
    union all
    select 1, 0, (select count(*) from (select 1 from picked ${grouped || 'limit 1'}) as one), ${[...keys.map(() => 'null'), sums()].join(', ')}
    from picked`
  const values = conditions.flatMap((each) => each.values)
  const bound = [...parts.flatMap(({ from, to }) => [from, to, ...values]), limit]
  const rows = await selectTableRows(read, sql, bound)
  const counts = (row: SelectedRow) => summed.map((name) => Number(row[name]))
  const total = rows.find(({ whole }) => Number(whole) === 1)
  return {
    rows: rows
      .filter((row) => row !== total)
      .sort((a, b) => Number(a.step) - Number(b.step) || Number(b.amount) - Number(a.amount))
      .map((row) => ({
        at: Number(row.step),
        by: Object.fromEntries(by.map((dimension, place) => [dimension, row[`by_${place}`]!])),
        counts: counts(row),
      })),
    total: total ? counts(total) : summed.map(() => 0),
    groups: Number(total?.amount ?? 0),
  }
}

interface UsageCondition {
  sql: string
  values: (number | string)[]
}

function condition(dimension: UsageDimension, value: number | string): UsageCondition {
  const column = COLUMNS[dimension]
  if (typeof value === 'number') return { sql: `${column} = ?`, values: [toStorableId(value)] }
  const ids = NAMED[dimension]
  return { sql: ids ? `${column} in (${ids})` : `${column} = ?`, values: [toStorableText(value)] }
}

/** Returns the start of the step that contains a slot, as a tree of cases: a thousand steps take ten comparisons. */
function stepSql(starts: readonly number[]): string {
  const tree = (first: number, last: number): string => {
    if (first === last) return String(starts[first] ?? 0)
    const middle = Math.ceil((first + last) / 2)
    return `case when slot < ${starts[middle]} then ${tree(first, middle - 1)} else ${tree(middle, last)} end`
  }
  return `cast(${tree(0, starts.length - 1)} as bigint)`
}
