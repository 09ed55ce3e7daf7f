// Accounts that pay, of users and of teams: balance, what is held, the end of the chain of entries. An account of a user has
// the user's id, and a team's id comes from the same row of numbers: an id names one payer. All figures that a call moves
// stand in this one small row, so that a charge writes no second one. Entries say what was charged and what it cost us.
import type { Knex } from 'knex'
import type { Migration } from './migration.ts'

const FIGURES = ['quota', 'held', 'used_quota', 'request_count', 'aff_quota', 'aff_history', 'aff_count']
const LARGEST = 9_007_199_254_740_991
const EXACT = ['quota', 'held', 'used_quota', 'aff_quota', 'aff_history']
  .map((column) => `${column} between -${LARGEST} and ${LARGEST}`)
  .join(' and ')
const CHECK = `constraint accounts_amounts_check check (${EXACT})`

export const payers: Migration = {
  name: '0030-payers',
  async up(knex) {
    await knex.schema.createTable('accounts', (table) => {
      table.bigIncrements('id')
      table.text('kind').notNullable()
      for (const figure of FIGURES) table.bigInteger(figure).notNullable().defaultTo(0)
      table.text('entries_hash').notNullable().defaultTo('')
      table.check(`kind in ('user', 'team')`, {}, 'accounts_kind_check')
    })
    const moved = [...FIGURES, 'entries_hash']
    await knex.raw(
      `insert into accounts (id, kind, ${moved.join(', ')}) select id, 'user', ${moved.join(', ')} from users order by id`,
    )
    await payByAccount(knex)
    for (const column of moved) await knex.raw(`alter table users drop column ${column}`)
    await knex.raw('alter table holds rename column user_id to account_id')
    for (const column of ['detail text', 'cost bigint'])
      await knex.raw(`alter table ledger_entries add column ${column}`)
    await knex.raw(`alter table logs add column hold_id text not null default ''`)
    await makeTeams(knex)
  },
}

/** Entries name the account. Amounts are checked where they stand now; what was stored before is left alone, as in 0024. */
async function payByAccount(knex: Knex): Promise<void> {
  await knex.raw('alter table ledger_entries rename column user_id to account_id')
  if (knex.client.config.client === 'pg') {
    await knex.raw(
      `select setval(pg_get_serial_sequence('accounts', 'id'), (select coalesce(max(id), 0) + 1 from users), false)`,
    )
    await knex.raw('alter table users alter column id drop default')
    await knex.raw('alter table users drop constraint users_amounts_check')
    await knex.raw(`alter table accounts add ${CHECK} not valid`)
    await knex.raw(
      `alter table ledger_entries drop constraint ledger_entries_user_id_foreign,
       add constraint ledger_entries_account_id_foreign foreign key (account_id) references accounts (id)`,
    )
    return
  }
  // As in 0029: sqlite changes neither checks nor references of a table that exists, but knows of them by its text alone.
  const [{ schema_version: version }] = (await knex.raw('pragma schema_version')) as [{ schema_version: number }]
  await knex.raw('pragma writable_schema = on')
  await rewrite(knex, 'users', (made) => made.replace(/, constraint users_amounts_check check \([^)]*\)/, ''))
  await rewrite(knex, 'accounts', (made) => `${made.slice(0, made.lastIndexOf(')'))}, ${CHECK})`)
  await rewrite(knex, 'ledger_entries', (made) => made.replace(/references [`"]users[`"]/, 'references `accounts`'))
  await knex.raw(`pragma schema_version = ${version + 1}`)
  await knex.raw('pragma writable_schema = reset')
}

async function rewrite(knex: Knex, name: string, change: (made: string) => string): Promise<void> {
  const table = () => knex<{ type: string; name: string; sql: string }>('sqlite_master').where({ type: 'table', name })
  const made = (await table().first('sql'))?.sql ?? ''
  const changed = change(made)
  if (changed === made) throw new Error(`the table ${name} is not as 0029 left it`)
  await table().update({ sql: changed })
}

async function makeTeams(knex: Knex): Promise<void> {
  await knex.schema.createTable('teams', (table) => {
    table.bigInteger('account_id').primary().references('id').inTable('accounts')
    table.text('name').notNullable()
    table.bigInteger('created_time').notNullable()
    table.bigInteger('deleted_at').nullable()
  })
  // Names that differ only in case would be mistaken for one another, so they count as taken.
  await knex.raw('create unique index teams_name_unique on teams (lower(name)) where deleted_at is null')
  await knex.schema.createTable('team_members', (table) => {
    table.bigInteger('team_id').notNullable().references('account_id').inTable('teams')
    table.bigInteger('user_id').notNullable().references('id').inTable('users').index()
    table.text('role').notNullable()
    table.bigInteger('created_time').notNullable()
    // What the member's calls may cost the team, in quota units; 0 for no limit.
    table.bigInteger('budget_day').notNullable().defaultTo(0)
    table.bigInteger('budget_month').notNullable().defaultTo(0)
    table.primary(['team_id', 'user_id'])
    table.check(`role in ('owner', 'member')`, {}, 'team_members_role_check')
  })
  // 0: the user's own account pays.
  await knex.raw('alter table tokens add column team_id bigint not null default 0')
  await knex.raw('create index tokens_team_id_index on tokens (team_id) where team_id <> 0')
}
