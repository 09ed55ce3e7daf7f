// Made-up databases of new-api, with what its own would have only after years: each test says which rows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sqlite3 from 'sqlite3'

type Cell = string | number | bigint | null
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>

export const NEW_API_TABLES: Readonly<Record<string, string>> = {
  users:
    'id integer primary key, username text, password text, display_name text, role integer, status integer, email text, github_id text, oidc_id text, wechat_id text, telegram_id text, linux_do_id text, access_token char(32), quota integer, used_quota integer, request_count integer, "group" text, aff_code text, aff_count integer, aff_quota integer, aff_history integer, inviter_id integer, deleted_at datetime, setting text, remark varchar(255)',
  channels:
    'id integer primary key, type integer, "key" text, open_ai_organization text, test_model text, status integer, name text, weight integer, created_time integer, test_time integer, response_time integer, base_url text, other text, balance real, balance_updated_time integer, models text, "group" text, used_quota integer, model_mapping text, status_code_mapping text, priority integer, auto_ban integer, other_info text, tag text, setting text, param_override text, remark varchar(255)',
  tokens:
    'id integer primary key, user_id integer, "key" char(48), status integer, name text, created_time integer, accessed_time integer, expired_time integer, remain_quota integer, unlimited_quota numeric, model_limits_enabled numeric, model_limits text, allow_ips text, used_quota integer, "group" text, deleted_at datetime',
  options: '"key" varchar(191) primary key, value text',
  redemptions:
    'id integer primary key, user_id integer, "key" char(32), status integer, name text, quota integer, created_time integer, redeemed_time integer, used_user_id integer, deleted_at datetime, expired_time integer',
  top_ups:
    'id integer primary key, user_id integer, amount integer, money real, trade_no text, create_time integer, status text',
  logs: 'id integer primary key, user_id integer, created_at integer, type integer, content text, username text, token_name text, model_name text, quota integer, prompt_tokens integer, completion_tokens integer, use_time integer, is_stream numeric, channel_id integer, token_id integer, "group" text, other text',
  abilities: '"group" text, model text, channel_id integer, enabled numeric',
}

/** What an ordinary row says; the rest is null, as in columns that came later. */
const USUAL: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  users: { password: '', role: 1, status: 1, quota: 0, group: 'default' },
  channels: {
    type: 1,
    key: 'sk-upstream',
    status: 1,
    models: 'gpt-4o-mini',
    group: 'default',
    created_time: 1_700_000_000,
  },
  tokens: {
    status: 1,
    name: 'key',
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: 1,
    created_time: 1_700_000_000,
  },
  redemptions: { status: 1, name: 'code', quota: 1000, user_id: 1, created_time: 1_700_000_000 },
  top_ups: { status: 'success', amount: 1, money: 7.3, create_time: 1_700_000_000 },
  logs: {
    type: 2,
    created_at: 1_700_000_000,
    quota: 10,
    prompt_tokens: 5,
    completion_tokens: 5,
    model_name: 'gpt-4o-mini',
  },
}

const hasColumn = (definition: string, name: string): boolean =>
  definition.split(', ').some((column) => column.replaceAll('"', '').startsWith(`${name} `))

/** Writes it all into a file of a folder of its own; `gone` removes it. Other products have other tables. */
export async function newApiSource(
  rows: Rows,
  tables: Readonly<Record<string, string>> = NEW_API_TABLES,
): Promise<{ file: string; gone(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-source-'))
  const file = path.join(folder, 'one-api.db')
  const database = new sqlite3.Database(file)
  const run = (sql: string, bound: unknown[] = []) =>
    new Promise<void>((resolve, reject) => {
      database.run(sql, bound, (error: Error | null) => (error ? reject(error) : resolve()))
    })
  await run('begin')
  const columns: Record<string, string> = { ...tables }
  for (const [table, given] of Object.entries(rows)) {
    // Columns and tables of later versions have no type.
    const known = columns[table] ?? ''
    const later = new Set(given.flatMap((row) => Object.keys(row)).filter((name) => !hasColumn(known, name)))
    columns[table] = [known, ...[...later].map((name) => `"${name}"`)].filter(Boolean).join(', ')
  }
  for (const [table, definition] of Object.entries(columns)) await run(`create table "${table}" (${definition})`)
  for (const [table, given] of Object.entries(rows)) {
    for (const row of given) {
      const cells = Object.entries({ ...USUAL[table], ...row })
      const names = cells.map(([name]) => `"${name}"`).join(', ')
      // A number beyond what is exact goes as its digits.
      const values = cells.map(([, value]) => (typeof value === 'bigint' ? String(value) : '?')).join(', ')
      const bound = cells.map(([, value]) => value).filter((value) => typeof value !== 'bigint')
      await run(`insert into "${table}" (${names}) values (${values})`, bound)
    }
  }
  await run('commit')
  await new Promise<void>((resolve) => database.close(() => resolve()))
  return { file, gone: () => rm(folder, { recursive: true, force: true }) }
}
