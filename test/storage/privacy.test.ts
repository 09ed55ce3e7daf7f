// The personal data in the tables, derived from the schema: each column is declared, each is exported or withheld, and
// an erasure leaves only the declared values.
import { afterEach, describe, expect, it } from 'vitest'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { migrateDatabase } from '../../core/adapters/knex/schema/migrate.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { createPrivacyStore } from '../../core/adapters/knex/accounts/privacy.ts'
import { readTableShapes } from '../../core/adapters/knex/schema/table-shapes.ts'
import { createUserStore } from '../../core/adapters/knex/accounts/users.ts'
import { HOLDINGS, isHolding, LOG_TABLE } from '../../core/privacy/holdings.data.ts'
import { silent } from '../support/databases.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const [ADA, BOB, TEAM] = [1, 2, 9]
const NOW = 1_800_000_000

/** Columns that only some values fit. */
const VALUES: Record<string, unknown> = {
  'team_members.team_id': TEAM,
  'team_members.role': 'owner',
  'team_invitations.team_id': TEAM,
  'team_invitations.role': 'owner',
  'users.role': 1,
  'users.status': 1,
  'access_tokens.scope': 'read',
  'ledger_entries.kind': 'charge',
}

const databases: Database[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.close()
})

async function opened(kind: Database['kind']): Promise<Database> {
  const place = kind === 'sqlite' ? { memory: true } : { database: await migratedDatabase() }
  const database = await openDatabase({ ...place, logger: silent })
  databases.push(database)
  await migrateDatabase(database)
  return database
}

/** A row of each of them in every table that holds something of people, with their mark in every text. */
async function filled(kind: Database['kind']): Promise<Database> {
  const database = await opened(kind)
  const { read, write } = database
  const shapes = await readTableShapes(database, read)
  for (const id of [ADA, BOB]) await write('accounts').insert({ id, kind: 'user' })
  await write('accounts').insert({ id: TEAM, kind: 'team' })
  await write('teams').insert({ account_id: TEAM, name: 'crew', created_time: 1 })
  for (const { name, columns } of shapes) {
    const holding = HOLDINGS[name]
    if (!isHolding(holding) || name === 'accounts') continue
    for (const id of [ADA, BOB]) {
      const values = columns.map(({ name: column, kind: of }) => [
        column,
        VALUES[`${name}.${column}`] ?? { whole: id, real: 0.5, flag: true, text: mark(id, name, column) }[of],
      ])
      await write(name).insert({ ...(Object.fromEntries(values) as object), ...living(name) })
    }
  }
  return database
}

const living = (table: string) => (table === 'users' ? { deleted_at: null } : {})
const mark = (id: number, table: string, column: string) => `of-${id}-${table}-${column}`

type Dump = Record<string, Record<string, unknown>[]>

async function dumpOf({ kind, read }: Database): Promise<Dump> {
  const dump: Dump = {}
  for (const { name, key } of await readTableShapes({ kind }, read))
    dump[name] = await read(name).orderBy(key.map((column) => column.name))
  return dump
}

const cells = (dump: Dump) =>
  Object.entries(dump).flatMap(([table, rows]) =>
    rows.flatMap((row) => Object.entries(row).map(([column, value]) => ({ at: `${table}.${column}`, value }))),
  )

/** Texts of theirs that stay, each because its holding says so. */
const STAYS = [
  ...['detail', 'hash', 'hold_id', 'reference', 'request_id'].map((column) => `ledger_entries.${column}`),
  ...['trade_no', 'provider', 'method', 'currency', 'status', 'provider_trade_no', 'reports'].map(
    (column) => `topups.${column}`,
  ),
  ...['name', 'key_sealed', 'key_hash'].map((column) => `redemptions.${column}`),
  // Keys that nobody can use any more, and what was asked of them.
  ...[
    'key_hash',
    'key_sealed',
    'key_prefix',
    'digest_hash',
    'digest_sealed',
    'group',
    'model_limits',
    'fallback_models',
    'time_zone',
  ].map((column) => `tokens.${column}`),
  ...['action', 'after', 'before', 'request_id', 'target', 'via'].map((column) => `audit.${column}`),
  ...['after', 'before', 'channel', 'model', 'source'].map((column) => `price_changes.${column}`),
  ...['error', 'model'].map((column) => `channel_tests.${column}`),
  ...['action', 'format', 'group', 'key', 'look', 'model', 'notify_key', 'platform', 'progress', 'request_id'].map(
    (column) => `tasks.${column}`,
  ),
  ...['status', 'task_id', 'terms', 'upstream_id'].map((column) => `tasks.${column}`),
  'users.group',
]

describe.each(listDatabaseKinds())('what is kept of people on %s', (kind) => {
  it('is declared of every table and column', async () => {
    const database = await opened(kind)
    const shapes = await readTableShapes(database, database.read)
    expect(Object.keys(HOLDINGS).sort()).toEqual(shapes.map(({ name }) => name).sort())
    for (const { name, columns } of shapes) {
      const holding = HOLDINGS[name]
      if (!isHolding(holding)) continue
      expect([...holding.given, ...holding.withheld].sort(), name).toEqual(columns.map((column) => column.name).sort())
      if (holding.forgotten !== 'removed') {
        expect(holding.because, name).toBeTruthy()
        expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining(Object.keys(holding.forgotten)))
      }
    }
  })

  it('is given to them: their rows alone, and of those no secret', async () => {
    const store = createPrivacyStore(await filled(kind))
    for (const [table, holding] of Object.entries(HOLDINGS)) {
      if (!isHolding(holding) || table === LOG_TABLE || holding.given.length === 0) continue
      const rows = []
      for await (const page of store.pages(table, ADA)) rows.push(...page)
      expect(rows, table).toHaveLength(1)
      expect(Object.keys(rows[0]!).sort(), table).toEqual([...holding.given].sort())
      expect(JSON.stringify(rows), table).not.toContain(`of-${BOB}`)
      for (const column of holding.withheld) expect(JSON.stringify(rows)).not.toContain(mark(ADA, table, column))
      expect(
        holding.given.filter((column) => /sealed|hash|password|secret/.test(column) && table !== 'kept_bodies'),
      ).toEqual([])
    }
  })

  it('goes when they are forgotten, but what its holding keeps; of others nothing does', async () => {
    const database = await filled(kind)
    const user = (await createUserStore(database).find(ADA))!
    const about = { before: JSON.stringify({ username: 'of old' }), after: JSON.stringify({ username: user.username }) }
    const row = { created_at: 1, user_id: BOB, username: 'bob', via: 'session', ip: '', request_id: '' }
    await database.write('audit').insert([
      { ...row, id: 11, action: 'user.edit', target: String(ADA), ...about },
      {
        ...row,
        id: 12,
        action: 'team.member',
        target: '9',
        before: '',
        after: JSON.stringify({ username: user.username, group: user.display_name }),
      },
      {
        ...row,
        id: 13,
        action: 'user.edit',
        target: String(BOB),
        before: '{"username":"bob"}',
        after: '{ "username": "rob" }',
      },
    ])
    const before = await dumpOf(database)
    const store = createPrivacyStore(database)
    await store.forget(user, NOW)
    const after = await dumpOf(database)

    const isTheirs = ({ at, value }: { at: string; value: unknown }) =>
      String(value).startsWith(`of-${ADA}-`) && !at.startsWith(`${LOG_TABLE}.`)
    expect(
      [
        ...new Set(
          cells(after)
            .filter(isTheirs)
            .map(({ at }) => at),
        ),
      ].sort(),
    ).toEqual([...STAYS].sort())
    // Their own display name may be any word: only where people are named it is theirs.
    const audit = after['audit']!
    expect(audit.find(({ id }) => Number(id) === 11)).toMatchObject({
      before: JSON.stringify({ username: `forgotten@${ADA}` }),
      after: JSON.stringify({ username: `forgotten@${ADA}` }),
    })
    expect(audit.find(({ id }) => Number(id) === 12)).toMatchObject({
      after: JSON.stringify({ username: `forgotten@${ADA}`, group: user.display_name }),
    })
    const ofBob = (dump: Dump) =>
      JSON.stringify(cells(dump).filter(({ value }) => String(value).startsWith(`of-${BOB}-`)))
    expect(ofBob(after)).toEqual(ofBob(before))
    expect(audit.find(({ id }) => Number(id) === 13)).toEqual(before['audit']!.find(({ id }) => Number(id) === 13))
    expect(after['ledger_entries']).toEqual(before['ledger_entries'])
    expect(after[LOG_TABLE]).toEqual(before[LOG_TABLE])
    expect(await store.pending()).toEqual([{ user_id: ADA, asked_at: NOW, done_at: null }])

    await store.forget(user, NOW + 5)
    await store.done(ADA, NOW + 9)
    expect(await store.find(ADA)).toEqual({ user_id: ADA, asked_at: NOW, done_at: NOW + 9 })
    expect(await store.pending()).toEqual([])
  })
})
