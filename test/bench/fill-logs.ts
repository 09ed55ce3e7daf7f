// Fills the usage log with rows as a month of many callers leaves them: a few names on most rows, some on very few.
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connect.ts'
import type { Installation } from './weir.ts'

/** What the rows speak of. Of the rare ones there are about `rows / RARE`. */
export const NAMES = {
  model: 'model-3',
  rareModel: 'model-rare',
  token: 'work',
  rareToken: 'once',
  group: 'default',
  rareGroup: 'trial',
  channel: 3,
  rareChannel: 99,
}
const RARE = 20_000
const DAYS = 30
const BLOCK = 100_000

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** `heavy` has a third of all rows, `light` a thousandth, many others the rest. */
export interface Owners {
  heavy: { id: number; username: string }
  light: { id: number; username: string }
}

/** Rows up to the present second. Gives the number of seconds it took. */
export async function fillLogs({ data, database }: Installation, rows: number, owners: Owners): Promise<number> {
  const began = Date.now()
  const opened = database ? await connectPostgres(database, silent) : await connectSqlite(data, silent)
  const { kind, write, close } = opened
  try {
    if (kind === 'sqlite') await write.raw('pragma synchronous = off')
    for (let from = 0; from < rows; from += BLOCK) {
      await write.raw(sql(kind, { from, to: Math.min(from + BLOCK, rows) - 1, rows, owners }))
    }
    // As calls have left them as they ended.
    for (const text of usageSql) await write.raw(text)
    // PostgreSQL does it by itself after a while; sqlite never does.
    if (kind === 'postgres')
      for (const table of ['logs', 'usage_sums', 'usage_totals']) await write.raw(`vacuum (analyze) ${table}`)
    else await write.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await close()
  }
  return Math.round((Date.now() - began) / 1000)
}

interface Block {
  from: number
  to: number
  rows: number
  owners: Owners
}

function sql(kind: 'sqlite' | 'postgres', { from, to, rows, owners: { heavy, light } }: Block): string {
  const now = Math.floor(Date.now() / 1000)
  const numbers =
    kind === 'sqlite'
      ? `with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to})`
      : `with numbers(n) as (select generate_series(${from}::bigint, ${to}::bigint))`
  const owner = (heavyOne: string, lightOne: string, other: string) =>
    `case when n % 3 = 0 then ${heavyOne} when n % 1000 = 1 then ${lightOne} else ${other} end`
  const mostly = (name: string | number, rare: string | number, at: number, other: string) =>
    `case when n % ${RARE} = ${at} then ${quoted(rare)} when n % 7 < 2 then ${quoted(name)} else ${other} end`
  return `${numbers} insert into logs (user_id, username, created_at, type, content, token_name, token_id, model_name,
      quota, prompt_tokens, completion_tokens, use_time, channel_id, "group", other, request_id)
    select ${owner(String(heavy.id), String(light.id), `1000 + n * 7919 % 1000`)},
      ${owner(quoted(heavy.username), quoted(light.username), `'user' || (n * 7919 % 1000)`)},
      ${now} - (${rows - 1} - n) * ${DAYS * 86_400} / ${rows},
      case when n % ${RARE} = 3 then 3 when n % 50 = 0 then 5 else 2 end,
      'model ratio 2.50, completion ratio 4.00, group ratio 1.00',
      ${mostly(NAMES.token, NAMES.rareToken, 5, `'token ' || (n % 40)`)}, n % 1000,
      ${mostly(NAMES.model, NAMES.rareModel, 7, `'model-' || (n % 25)`)},
      n % 5000, n % 3000, n % 900, n % 20,
      ${mostly(NAMES.channel, NAMES.rareChannel, 9, 'n % 30')},
      ${mostly(NAMES.group, NAMES.rareGroup, 11, `case when n % 5 = 0 then 'vip' else 'default' end`)},
      '{"model_ratio":2.5,"completion_ratio":4,"group_ratio":1,"cache_tokens":0,"frt":412,"admin_info":{"use_channel":["3"]},"lines":[{"what":"prompt","count":1200,"each":"2.5","quota":"3000"},{"what":"completion","count":300,"each":"10","quota":"3000"}]}',
      '20261101' || (1000000000 + n)
    from numbers`
}

const QUARTER = 900
const counted = `count(*), sum(case when type = 5 then 1 else 0 end), sum(prompt_tokens), sum(completion_tokens), sum(quota),
  sum(case when type = 2 then 1 else 0 end)`
const COUNTS = 'calls, error_server, prompt_tokens, output_tokens, quota, latency_3'
const usageSql = [
  `insert into usage_sums (slot, user_id, token_id, team_id, channel_id, "group", model_name, ${COUNTS})
   select created_at - created_at % ${QUARTER}, user_id, token_id, 0, channel_id, "group", model_name, ${counted}
   from logs where type in (2, 5) group by created_at - created_at % ${QUARTER}, user_id, token_id, channel_id, "group", model_name`,
  `insert into usage_totals (slot, channel_id, "group", model_name, ${COUNTS})
   select created_at - created_at % ${QUARTER}, channel_id, "group", model_name, ${counted}
   from logs where type in (2, 5) group by created_at - created_at % ${QUARTER}, channel_id, "group", model_name`,
]

const quoted = (value: string | number) => (typeof value === 'number' ? String(value) : `'${value}'`)
