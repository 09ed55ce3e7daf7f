// A database of LiteLLM as its published schema makes it, with the rows that a test asks for.
import { createHash, randomBytes } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import pg from 'pg'
import { dropDatabase, freshDatabase } from '../support/postgres.ts'

const SCHEMA = `
create table "LiteLLM_UserTable" (
  user_id text primary key, user_alias text, team_id text, organization_id text, password text,
  teams text[] default array[]::text[], user_role text, max_budget double precision,
  spend double precision not null default 0, user_email text, models text[] default array[]::text[],
  metadata jsonb not null default '{}', max_parallel_requests integer, tpm_limit bigint, rpm_limit bigint,
  budget_duration text, budget_reset_at timestamp(3), created_at timestamp(3) default current_timestamp);
create table "LiteLLM_TeamTable" (
  team_id text primary key, team_alias text, organization_id text, admins text[], members text[],
  members_with_roles jsonb not null default '{}', metadata jsonb not null default '{}', max_budget double precision,
  spend double precision not null default 0, models text[] default array[]::text[], tpm_limit bigint, rpm_limit bigint,
  budget_duration text, blocked boolean not null default false);
create table "LiteLLM_VerificationToken" (
  token text primary key, key_name text, key_alias text, spend double precision not null default 0,
  expires timestamp(3), models text[] default array[]::text[], aliases jsonb not null default '{}',
  config jsonb not null default '{}', user_id text, team_id text, permissions jsonb not null default '{}',
  max_parallel_requests integer, metadata jsonb not null default '{}', blocked boolean, tpm_limit bigint,
  rpm_limit bigint, max_budget double precision, budget_duration text, budget_reset_at timestamp(3),
  allowed_routes text[] default array[]::text[], created_at timestamp(3) default current_timestamp);
create table "LiteLLM_ProxyModelTable" (
  model_id text primary key, model_name text not null, litellm_params jsonb not null, model_info jsonb);
create table "LiteLLM_CredentialsTable" (
  credential_id text primary key, credential_name text unique, credential_values jsonb not null, credential_info jsonb);
create table "LiteLLM_SpendLogs" (
  request_id text primary key, call_type text not null default '', api_key text not null default '',
  spend double precision not null default 0, total_tokens integer not null default 0,
  prompt_tokens integer not null default 0, completion_tokens integer not null default 0,
  "startTime" timestamp(3) not null, "endTime" timestamp(3) not null, model text not null default '',
  model_id text default '', model_group text default '', "user" text default '', metadata jsonb default '{}',
  team_id text, status text);
create table "LiteLLM_Config" (param_name text primary key, param_value jsonb);`

export type LiteLlmRows = Partial<
  Record<
    'UserTable' | 'TeamTable' | 'VerificationToken' | 'ProxyModelTable' | 'CredentialsTable' | 'SpendLogs' | 'Config',
    object[]
  >
>

export async function liteLlmSource(rows: LiteLlmRows): Promise<{ url: string; gone(): Promise<unknown> }> {
  const url = await freshDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(SCHEMA)
  for (const [table, list] of Object.entries(rows))
    for (const row of list) {
      const names = Object.keys(row).map((name) => `"${name}"`)
      const places = names.map((_, place) => `$${place + 1}`)
      await client.query(`insert into "LiteLLM_${table}" (${names}) values (${places})`, Object.values(row))
    }
  await client.end()
  return { url, gone: () => dropDatabase(url) }
}

/** As LiteLLM keeps a key: the SHA-256 of all of it. */
export const digestOf = (key: string) => createHash('sha256').update(key).digest('hex')

/** As LiteLLM keeps what a model needs. */
export function lockedWith(salt: string, text: string): string {
  const nonce = randomBytes(24)
  const key = createHash('sha256').update(salt).digest()
  const bytes = Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(Buffer.from(text))])
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}
