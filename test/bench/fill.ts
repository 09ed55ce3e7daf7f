// Fills an installation's database with channels, users, tokens and log rows: in bulk, past the API, but with books
// that agree.
import { connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { fillOwnFile } from './fill-logs.ts'
import { openInstallation, withLedger, type Installation } from './weir.ts'
import { MODEL } from './world.ts'

export interface Size {
  channels: number
  /** Each with a token. */
  users: number
  logs: number
}

const FIRST_USER = 1_000
const BLOCK = 100_000
const QUOTA = 1_000_000_000_000
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Gives the keys of `busy` callers, spread evenly over all users, with quota that no run can spend. */
export async function fill(
  installation: Installation,
  size: Size,
  { busy, providerUrl }: { busy: number; providerUrl: string },
): Promise<string[]> {
  await fillTables(installation.data, size)
  if (size.logs > 0) await fillOwnFile(installation)
  const step = Math.max(1, Math.floor(size.users / busy))
  const ids = Array.from({ length: Math.min(busy, size.users) }, (_, index) => FIRST_USER + index * step)
  const keys = await keysOf(installation, ids)
  const gateway = await openInstallation(installation)
  const { storage } = gateway.ports
  const [sample] = await storage.channels.all()
  if (!sample) throw new Error('the installation has no channel')
  const { id: _, used_quota: __, slug: ___, ...fields } = sample
  const more = Array.from({ length: Math.max(0, size.channels - 1) }, (_each, index) => ({
    ...fields,
    name: `channel ${index + 2}`,
    key: `mock-key-${index + 2}`,
    base_url: providerUrl,
    models: MODEL,
  }))
  await storage.channels.insert(more)
  await gateway.close()
  return keys
}

/** A few new accounts; gives a key of each. */
export async function fewCallers(installation: Installation, count: number): Promise<string[]> {
  const gateway = await openInstallation(installation)
  const ids: number[] = []
  try {
    for (let number = 1; number <= count; number += 1) {
      const username = `caller${number}`
      await gateway.client.users.create({ username, password: 'callers password' })
      const found = await gateway.ports.storage.users.findByLogin(username)
      if (found) ids.push(found.user.id)
    }
  } finally {
    await gateway.close()
  }
  return keysOf(installation, ids)
}

/** A key of each of these users, who have more than any run can spend. */
async function keysOf(installation: Installation, ids: number[]): Promise<string[]> {
  const gateway = await openInstallation(installation)
  const { storage, random } = gateway.ports
  const keys: string[] = []
  const tokens: number[] = []
  for (const user_id of ids) {
    const token = await storage.tokens.insert({ ...(await sampleToken(gateway)), user_id, key: random.text(48) })
    keys.push(`sk-${token.key}`)
    tokens.push(token.id)
  }
  await gateway.close()
  const again = await openInstallation(installation)
  await withLedger(again, (ledger) =>
    Promise.all([
      ...ids.map((user_id) => ledger.credit({ account_id: user_id, kind: 'adjustment', amount: QUOTA })),
      ...tokens.map((id) => ledger.setBudget({ id, remain_quota: 0, unlimited_quota: true })),
    ]),
  )
  await again.close()
  return keys
}

/** What a plain token has. */
export async function sampleToken({ ports }: Awaited<ReturnType<typeof openInstallation>>) {
  const root = await ports.storage.users.findRoot()
  const [token] = (await ports.storage.tokens.listOfUser(root?.id ?? 0, {}, { offset: 0, limit: 1 })).items
  if (!token) throw new Error('the administrator has no token')
  const { id: _, slug: _____, remain_quota: __, used_quota: ___, accessed_time: ____, ...fields } = token
  return fields
}

/** Plain rows made by the database itself; indexes are dropped meanwhile, which is many times faster. */
async function fillTables(folder: string, { users, logs }: Size): Promise<void> {
  const database = await connectSqlite(folder, silent)
  const run = (sql: string, values: (number | string)[] = []) => database.write.raw(sql, values)
  try {
    await run('pragma synchronous = off')
    await run('pragma cache_size = -200000')
    await blocks(users, (from, count) => run(accountsSql, [from, count, FIRST_USER]))
    await withoutIndexes('users', () => blocks(users, (from, count) => run(usersSql, [from, count, FIRST_USER])))
    await withoutIndexes('tokens', () => blocks(users, (from, count) => run(tokensSql, [from, count, FIRST_USER])))
    await withoutIndexes('logs', () => blocks(logs, (from, count) => run(logsSql, [from, count, logs, users])))
    await run('pragma wal_checkpoint(truncate)')
  } finally {
    await database.close()
  }

  async function withoutIndexes(table: string, work: () => Promise<void>): Promise<void> {
    const rows = (await run(
      "select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null",
      [table],
    )) as { name: string; sql: string }[]
    for (const { name } of rows) await run(`drop index "${name}"`)
    await work()
    for (const { sql } of rows) await run(sql)
  }
}

async function blocks(total: number, work: (from: number, count: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < total; from += BLOCK) await work(from, Math.min(BLOCK, total - from))
}

/** Bound: first number, how many, then what each statement says. */
const numbers = `with recursive given(start, many, third, fourth) as (select ?, ?, ?, %),
  numbers(n) as (select start from given union all select n + 1 from numbers, given where n + 1 < start + many)`

const three = numbers.replace('%', '0')
const four = numbers.replace('%', '?')

const accountsSql = `${three} insert into accounts (id, kind) select third + n, 'user' from numbers, given`

const usersSql = `${three} insert into users (id, username, display_name, aff_code, created_time)
  select third + n, 'filled' || n, 'Filled ' || n, 'f' || n, 1750000000 from numbers, given`

/** Keys that nobody knows: hashes as random as real ones. */
const tokensSql = `${three} insert into tokens (user_id, key_hash, key_sealed, key_prefix, name, slug, unlimited_quota, created_time)
  select third + n, lower(hex(randomblob(32))), 'v1.' || hex(randomblob(60)), 'filled', 'filled', 'filled-' || (third + n), 1, 1750000000 from numbers, given`

const logsSql = `${four} insert into logs (user_id, created_at, type, content, username, token_name, model_name, quota,
    prompt_tokens, completion_tokens, channel_id, token_id, "group", other, request_id)
  select 1000 + n % fourth, 1760000000 - (third - n) / 4, 2, 'model ratio 0.075', 'filled' || (n % fourth), 'filled',
    '${MODEL}', 30, 200, 50, 1, n % fourth, 'default',
    '{"model_ratio":0.075,"completion_ratio":4,"group_ratio":1,"frt":120,"admin_info":{"use_channel":["1"]}}',
    printf('20260101%024d', n) from numbers, given`
