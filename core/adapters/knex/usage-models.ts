// The usage of each model.
import type { Knex } from 'knex'
import type { ModelUse, SlotSpan } from '../../usage/store.ts'
import { selectRows } from './asked-rows.ts'
import { ANSWERED_CALLS, planUsageRanges, buildPartsSql } from './usage-parts.ts'

const SUMS = {
  calls: ANSWERED_CALLS,
  refused: 'error_no_price',
  charged: 'quota',
  input: 'prompt_tokens + beside_tokens - cached_tokens - written_tokens',
  cached: 'cached_tokens',
  written: 'written_tokens',
  output: 'output_tokens',
} as const
const COLUMNS = ['model_name', 'user_id', ...new Set(Object.values(SUMS).flatMap((sum) => sum.split(/ [+-] /)))]
const buildSums = (what: (name: string, sum: string) => string) =>
  Object.entries(SUMS).map(([name, sum]) => `cast(sum(${what(name, sum)}) as bigint) as ${name}`)

/** Grouped by user first: on both databases this is faster than counting distinct users. */
export async function loadModelUse(read: Knex, span: SlotSpan): Promise<ModelUse[]> {
  const parts = planUsageRanges('payers', span, [], true)
  const rows = await selectRows(
    read,
    `select model_name, count(*) as users, ${buildSums((name) => name).join(', ')}
     from (
       select model_name, user_id, ${buildSums((_, sum) => sum).join(', ')} from ${buildPartsSql(parts, COLUMNS, [])}
       group by model_name, user_id having sum(${ANSWERED_CALLS}) > 0 or sum(error_no_price) > 0
     ) as people group by model_name`,
    parts.flatMap(({ from, to }) => [from, to]),
  )
  return rows.map((row) => {
    const of = (name: keyof typeof SUMS) => Number(row[name])
    return {
      model: String(row.model_name),
      users: Number(row.users),
      calls: of('calls'),
      ...(of('refused') > 0 ? { refused: of('refused') } : {}),
      charged: of('charged'),
      // Negative if the tokens outside the prompt had not been reported yet.
      input: Math.max(0, of('input')),
      cached: of('cached'),
      written: of('written'),
      output: of('output'),
    }
  })
}
