// Adds sums to those that are there, of each payer and of everybody together: the same rows for both, in one value.
import { SUMMED, type UsageSum } from '../../usage/sums.ts'
import type { Database } from './database.ts'
import { KEPT_CHARACTERS } from './log-rows.ts'
import type { Run } from './statements.ts'
import { boundRows, inOrderOf, unfold, type Columns } from './unfold.ts'

type Kind = Database['kind']

const IDS = ['slot', 'user_id', 'token_id', 'channel_id']
const TEXTS = ['group', 'model_name']
const columns: Columns = Object.fromEntries([
  ...IDS.map((name) => [name, 'bigint'] as const),
  ...TEXTS.map((name) => [name, 'text'] as const),
  ...SUMMED.map((name) => [name, 'bigint'] as const),
])
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/** Names as long as the log keeps them, so that a rebuilt row has the same. */
const given = (kind: Kind) =>
  `(select ${quoted([...IDS, ...SUMMED])}, ${TEXTS.map(
    (name) => `substr("${name}", 1, ${KEPT_CHARACTERS[name]}) as "${name}"`,
  ).join(', ')} from ${unfold[kind](columns)}) as given`

/** A token stays its team's for life. */
const TEAM = 'coalesce((select tokens.team_id from tokens where tokens.id = given.token_id), 0)'

/** Rows are locked in the order of their keys, so that no two processes wait for each other. */
function insert(kind: Kind, table: string, keys: readonly string[], more: Record<string, string>): string {
  return `
    insert into ${table} (${quoted([...keys, ...Object.keys(more), ...SUMMED])})
    select ${[quoted(keys), ...Object.values(more), ...SUMMED.map((name) => `sum(given.${name})`)].join(', ')}
    from ${given(kind)} group by ${quoted(keys)} order by ${quoted(keys)}
    on conflict (${quoted(keys)}) do update set
    ${SUMMED.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`
}

const inserts = (kind: Kind) => [
  insert(kind, 'usage_sums', ['slot', 'user_id', 'token_id', 'channel_id', 'group', 'model_name'], { team_id: TEAM }),
  insert(kind, 'usage_totals', ['slot', 'channel_id', 'group', 'model_name'], {}),
]
const SQL = { sqlite: inserts('sqlite'), postgres: inserts('postgres') }

/** Inside a transaction. */
export async function addSums(kind: Kind, run: Run, sums: readonly UsageSum[]): Promise<void> {
  const rows = sums.map(({ counts, ...keys }) => ({
    ...keys,
    ...Object.fromEntries(SUMMED.map((name, place) => [name, counts[place] ?? 0])),
  }))
  const bound = boundRows(kind, rows, inOrderOf(columns))
  for (const sql of SQL[kind]) await run(sql, [bound])
}
