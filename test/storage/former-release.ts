// Databases as release 0.1.0 and the release before this one left them: their schema, and rows by plain SQL.
import { nodeSignatures } from '../../core/adapters/signatures.ts'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { migrations } from '../../migrations/index.ts'
import { testSecrets } from '../support/databases.ts'
import { unboundSecrets } from '../support/unbound.ts'

/** The last steps of the two releases. */
export const LAST_OF_0_1_0 = '0022-usage-index'
export const LAST_BEFORE = '0054-journal-places'
/** Later steps are recorded in a second table. */
const LAST_OF_FIRST_TABLE = '0051-dead-letters'

const ROWS_AT_ONCE = 500
const GIFT = 1_000_000_000
const CALLED_AT = 1_700_000_000
/** An hour that release 0.1.0 summed up for the third user, one call of it. */
export const SUMMED_HOUR = 1_690_002_000

/** Brings an empty database to the schema of this step. */
export async function migrateUpTo({ write }: Database, last: string): Promise<void> {
  const find = (name: string) => migrations.findIndex((step) => step.name === name) + 1
  const [end, inFirst] = [find(last), find(LAST_OF_FIRST_TABLE)]
  await record(migrations.slice(0, Math.min(end, inFirst)), 'schema_migrations')
  if (end > inFirst) await record(migrations.slice(inFirst, end), 'schema_steps')

  async function record(steps: typeof migrations, tableName: string) {
    const migrationSource = {
      getMigrations: async () => [...steps],
      getMigrationName: ({ name }: (typeof steps)[number]) => name,
      getMigration: async ({ up }: (typeof steps)[number]) => ({ up, down: async () => undefined }),
    }
    await write.migrate.latest({ migrationSource, tableName })
  }
}

/** Its entries are chained without a key, balances are columns of users, and nothing encrypted is bound to its place. */
export async function fillRelease010(
  database: Database,
  charges: number,
  master = 'a secret for tests',
): Promise<void> {
  await migrateUpTo(database, LAST_OF_0_1_0)
  const { write } = database
  const unbound = unboundSecrets(master)
  const secret_check = unbound.encrypt('weir', ['installation.secret_check', 1])
  await write('installation').insert({ id: 1, secret_check })
  const { accounts, entries, logs } = buildBooks(charges, nodeSignatures.digest, 1)
  for (const account of accounts)
    await write('users').insert({ ...account, username: `user ${account.id}`, created_time: 1 })
  await write('users').where({ id: 1 }).update({ access_token_hash: 'former' })
  await write('tokens').insert(
    accounts.map(({ id }) => ({
      ...{ user_id: id, key_hash: `h${id}`, key_prefix: '', created_time: 1 },
      key_sealed: unbound.encrypt(`k${id}`, ['tokens.key_sealed', id]),
    })),
  )
  const entriesOfUsers = entries.map(({ account_id, ...entry }) => ({ user_id: account_id, ...entry }))
  await write.batchInsert('ledger_entries', entriesOfUsers, ROWS_AT_ONCE)
  await write.batchInsert('logs', logs, ROWS_AT_ONCE)
  // Half of the log was summed up by hour, and an hour whose log is gone.
  await write('usage_mark').update({ log_id: charges / 2 })
  const hour = { user_id: 3, username: 'user 3', model_name: 'gpt-4o', token_used: 10, count: 1, charged: 30 }
  await write('usage_hours').insert([{ ...hour, created_at: SUMMED_HOUR }])
  const task = {
    user_id: 1,
    channel_id: 1,
    action: 'A',
    status: 'SUCCESS',
    progress: '100%',
    fail_reason: '',
    quota: 4,
  }
  await write('tasks').insert({
    ...{ ...task, platform: 'suno', task_id: 'song', created_at: 5, submit_time: 6, finish_time: 7 },
  })
  await write('drawings').insert({
    ...{ ...task, mj_id: 'drawing', code: 1, prompt: 'a cat', prompt_en: '', image_url: '', created_at: 5 },
    ...{ submit_time: 6000, finish_time: 7000 },
  })
  await write('kept_responses').insert({ id_hash: 'former', user_id: 1, channel_id: 1, key: '', created_at: 5 })
}

/** Users and a team are accounts, channels list fine-tuned models, and a member has left the team. */
export async function fillReleaseBefore(database: Database, charges: number): Promise<void> {
  await migrateUpTo(database, LAST_BEFORE)
  const { write } = database
  const { accounts, entries, logs } = buildBooks(charges, testSecrets.chainDigest(testSecrets.chainKey), 2)
  await write('accounts').insert(accounts.map((account) => ({ kind: 'user', ...account })))
  await write('users').insert(accounts.map(({ id }) => ({ id, username: `user ${id}`, created_time: 1 })))
  await write('accounts').insert({ id: 11, kind: 'team' })
  await write('teams').insert({ account_id: 11, name: 'a team', created_time: 1 })
  await write('team_members').insert({ team_id: 11, user_id: 1, role: 'owner', created_time: 1 })
  const tokens = [...accounts.map(({ id }) => [id, 0]), [1, 11], [2, 11]]
  await write('tokens').insert(
    tokens.map(([user_id, team_id], at) => ({
      ...{ user_id, team_id, slug: `token-${at + 1}`, key_hash: `h${at + 1}`, key_prefix: '', created_time: 1 },
      key_sealed: testSecrets.encrypt(`k${at + 1}`, ['tokens.key_sealed', at + 1]),
    })),
  )
  const channel = (name: string) => ({ name, slug: name, type: 1, key_sealed: '', key_hash: name, created_time: 1 })
  await write('channels').insert([
    { ...channel('one'), models: 'gpt-4o,ft:gpt-4o:acme::1', group: 'default,vip' },
    { ...channel('two'), models: 'gpt-4o', group: 'other' },
    { ...channel('three'), models: 'ft:gpt-4o:acme::2', group: 'vip' },
  ])
  const response = { user_id: 1, channel_id: 1, key: '', created_at: 1 }
  await write('kept_responses').insert([
    { ...response, id_hash: 'team', token_id: 11 },
    { ...response, id_hash: 'own', token_id: 1 },
  ])
  await write.batchInsert('ledger_entries', entries, ROWS_AT_ONCE)
  await write.batchInsert('logs', logs, ROWS_AT_ONCE)
}

/** Ten accounts with a gift each, and charges in turn with their rows of the log, in the form in which the release hashed entries. */
function buildBooks(charges: number, digest: (text: string) => string, form: 1 | 2) {
  const accounts = Array.from({ length: 10 }, (_, at) => ({ id: at + 1, quota: 0, entries_hash: '', used_quota: 0 }))
  const entries: { account_id: number; [column: string]: unknown }[] = []
  const logs: Record<string, unknown>[] = []
  const book = (
    account: (typeof accounts)[number],
    entry: { kind: string; amount: number; hold_id: string | null },
  ) => {
    const token_id = entry.hold_id === null ? null : account.id
    const request_id = entry.hold_id && `r-${entry.hold_id}`
    const balance_after = (account.quota += entry.amount)
    const { kind, amount, hold_id } = entry
    const fields = [account.id, token_id, kind, amount, balance_after, hold_id, null, request_id, null, CALLED_AT]
    const hash = digest(JSON.stringify([form, account.entries_hash, ...fields, ...(form === 2 ? [null, null] : [])]))
    const more = { token_id, balance_after, request_id, created_at: CALLED_AT, hash }
    entries.push({ account_id: account.id, ...entry, ...more })
    account.entries_hash = hash
  }
  for (const account of accounts) book(account, { kind: 'gift', amount: GIFT, hold_id: null })
  for (let at = 0; at < charges; at += 1) {
    const account = accounts[at % accounts.length]!
    book(account, { kind: 'charge', amount: -30, hold_id: `h${at}` })
    account.used_quota += 30
    const lines = [{ what: 'input', count: 10, price: '3', quota: '30' }]
    const call = { user_id: account.id, token_id: account.id, type: 2, quota: 30, model_name: 'gpt-4o' }
    const other = JSON.stringify({ lines })
    logs.push({ ...call, prompt_tokens: 10, created_at: CALLED_AT, request_id: `r-h${at}`, other })
  }
  return { accounts, entries, logs }
}
