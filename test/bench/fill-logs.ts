// Fills the usage log with rows as a month of many callers leaves them: a few names on most rows, some on very few.
import { join } from 'node:path'
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { withLongTimeouts } from '../../core/adapters/knex/connection/database.ts'
import { LOG_COLUMN_LIST } from '../../core/calls/log-columns.ts'
import { openLogHome } from '../../core/adapters/log-homes/open.ts'
import { openInstallation, type Installation } from './weir.ts'

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

export const OWNERS_PASSWORD = 'a password'

/** Makes them, while nobody else uses the database. */
export async function addOwners(installation: Installation): Promise<Owners> {
  const gateway = await openInstallation(installation)
  const add = async (username: string) => {
    await gateway.client.users.create({ username, password: OWNERS_PASSWORD })
    const [user] = (await gateway.client.users.search({ keyword: username })).items
    if (!user) throw new Error('the user was not made')
    return { id: user.id, username }
  }
  const owners = { heavy: await add('heavy'), light: await add('light') }
  await gateway.close()
  return owners
}

/**
 * Rows up to the present second, and what calls have added to the sums of usage as they ended, unless `sums` is false. Gives the
 * number of seconds it took.
 */
export async function fillLogs(
  { data, database }: Installation,
  rows: number,
  owners: Owners,
  { sums = true }: { sums?: boolean } = {},
): Promise<number> {
  const began = Date.now()
  const opened = database ? await connectPostgres(database, silent) : await connectSqlite(data, silent)
  const { kind, close } = opened
  const { write } = withLongTimeouts(opened)
  try {
    if (kind === 'sqlite') await write.raw('pragma synchronous = off')
    for (let from = 0; from < rows; from += BLOCK) {
      await write.raw(sql(kind, { from, to: Math.min(from + BLOCK, rows) - 1, rows, owners }))
    }
    if (sums) for (const text of usageSql) await write.raw(text)
    // PostgreSQL does it by itself after a while; sqlite never does.
    if (kind === 'postgres')
      for (const table of ['logs', 'usage_sums', 'usage_days', 'usage_totals', 'usage_total_days'])
        await write.raw(`vacuum (analyze) ${table}`)
    else await write.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await close()
  }
  return Math.round((Date.now() - began) / 1000)
}

/** What an installation on SQLite has done by the next day: rows are in the file beside the database. */
export async function fillOwnFile({ data }: Installation): Promise<void> {
  const home = await openLogHome('sqlite:logs.db', { folder: data, logger: silent })
  await home.prepare()
  await home.close()
  const { write, close } = await connectSqlite(data, silent)
  const columns = LOG_COLUMN_LIST.map(({ name }) => `"${name}"`).join(', ')
  try {
    await write.raw('pragma synchronous = off')
    await write.raw('attach ? as filed', [join(data, 'logs.db')])
    await write.raw(
      `insert into filed.logs (${columns}) select ${columns.replace('"channel"', 'channel_id')} from main.logs`,
    )
    await write.raw(
      `insert or replace into log_places (home, state, place, pending) select 'sqlite:logs.db', 'whole', max(id), max(id) from logs`,
    )
    await write.raw('delete from main.logs')
    await write.raw('detach filed')
    await write.raw('vacuum')
  } finally {
    await close()
  }
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

const counted = (type: number) => `sum(case when type = ${type} then 1 else 0 end)`
const COUNTS = {
  ...{ calls: 'count(*)', error_server: counted(5), prompt_tokens: 'sum(prompt_tokens)' },
  ...{ output_tokens: 'sum(completion_tokens)', quota: 'sum(quota)' },
}
const OF_PAYERS = { ...COUNTS, team_id: '0' }
const summed = (table: string, column: string, length: number, keys: string, counts: Record<string, string>) =>
  `insert into ${table} (${column}, ${keys}, ${Object.keys(counts).join(', ')})
   select created_at - created_at % ${length}, ${keys}, ${Object.values(counts).join(', ')}
   from logs where type in (2, 5) group by created_at - created_at % ${length}, ${keys}`
const TOTALS = 'channel_id, "group", model_name'
const TIMES = { latency_3: counted(2) }
const usageSql = [
  summed('usage_sums', 'slot', 900, `user_id, token_id, ${TOTALS}`, { ...OF_PAYERS, ...TIMES }),
  summed('usage_days', 'day', 86_400, 'user_id, token_id, model_name', { ...OF_PAYERS, ...TIMES }),
  summed('usage_totals', 'slot', 900, TOTALS, { ...COUNTS, ...TIMES }),
  summed('usage_total_days', 'day', 86_400, TOTALS, { ...COUNTS, ...TIMES }),
]

const quoted = (value: string | number) => (typeof value === 'number' ? String(value) : `'${value}'`)
