// A database as the release before accounts left it: its schema, and users, tokens, charges and log rows by plain SQL.
import type { Database } from '../../core/adapters/knex/database.ts'
import type { Digest } from '../../core/quota/chain.ts'
import { migrations } from '../../migrations/index.ts'

/** The last step of that release. */
const LAST = '0029-amount-checks'
const ROWS_AT_ONCE = 500
const GIFT = 1_000_000_000

/** Brings an empty database to the schema behind this step. */
export async function migrateUpTo({ write }: Database, last: string): Promise<void> {
  const steps = migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1)
  const migrationSource = {
    getMigrations: async () => steps,
    getMigrationName: ({ name }: (typeof steps)[number]) => name,
    getMigration: async ({ up }: (typeof steps)[number]) => ({ up, down: async () => undefined }),
  }
  await write.migrate.latest({ migrationSource, tableName: 'schema_migrations' })
}

/** An hour that was summed up for the third user, one call of it. */
export const SUMMED_HOUR = 1_690_002_000

/** Entries are spread over ten users, each a charge with its log row behind a first gift; hashed as that release did. */
export async function fillFormerRelease(database: Database, charges: number, digest: Digest): Promise<void> {
  await migrateUpTo(database, LAST)
  const { write } = database
  const users = Array.from({ length: 10 }, (_, at) => ({ id: at + 1, quota: 0, entries_hash: '', used_quota: 0 }))
  const named = users.map(({ id }) => ({ id, username: `user ${id}`, created_time: 1, looks: `user ${id}` }))
  await write('users').insert(named)
  await write('tokens').insert(
    users.map(({ id }) => ({ user_id: id, key_hash: `h${id}`, key_sealed: '', key_prefix: '', created_time: 1 })),
  )
  const entries: Record<string, unknown>[] = []
  const logs: Record<string, unknown>[] = []
  const book = (user: (typeof users)[number], entry: { kind: string; amount: number; hold_id: string | null }) => {
    const token_id = entry.hold_id === null ? null : user.id
    const request_id = entry.hold_id && `r-${entry.hold_id}`
    const balance_after = (user.quota += entry.amount)
    const fields = [user.id, token_id, entry.kind, entry.amount, balance_after, entry.hold_id, null, request_id, null]
    const hash = digest(JSON.stringify([1, user.entries_hash, ...fields, 1_700_000_000]))
    const more = { token_id, balance_after, request_id, created_at: 1_700_000_000, hash }
    entries.push({ user_id: user.id, ...entry, ...more })
    user.entries_hash = hash
  }
  for (const user of users) book(user, { kind: 'gift', amount: GIFT, hold_id: null })
  for (let at = 0; at < charges; at += 1) {
    const user = users[at % users.length]!
    book(user, { kind: 'charge', amount: -30, hold_id: `h${at}` })
    user.used_quota += 30
    const lines = [{ what: 'input', count: 10, price: '3', quota: '30' }]
    const call = { user_id: user.id, token_id: user.id, type: 2, quota: 30, model_name: 'gpt-4o', prompt_tokens: 10 }
    logs.push({ ...call, created_at: 1_700_000_000, request_id: `r-h${at}`, other: JSON.stringify({ lines }) })
  }
  await write.batchInsert('ledger_entries', entries, ROWS_AT_ONCE)
  await write.batchInsert('logs', logs, ROWS_AT_ONCE)
  // Half of the log was summed up by hour, and an hour of which no log is left.
  await write('usage_mark').update({ log_id: charges / 2 })
  const hour = { user_id: 3, username: 'user 3', model_name: 'gpt-4o', token_used: 10, count: 1, charged: 30 }
  await write('usage_hours').insert([{ ...hour, created_at: SUMMED_HOUR }])
  for (const { id, ...figures } of users) await write('users').where({ id }).update(figures)
}
