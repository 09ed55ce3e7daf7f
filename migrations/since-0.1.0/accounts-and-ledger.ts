// Accounts that pay, of users and of teams, and the ledger: exact amounts, keys of the chain, dead letters, pending sums.
import type { Knex } from 'knex'
import type { Migration } from '../migration.ts'

/** Amounts of quota stay in the range in which JavaScript's numbers are exact. */
const LARGEST_AMOUNT = 9_007_199_254_740_991

/** Tables whose amounts change with calls. */
const CALL_AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  users: ['quota', 'held', 'used_quota', 'aff_quota', 'aff_history'],
  tokens: ['remain_quota', 'held', 'used_quota', 'budget_day', 'budget_week', 'budget_month'],
  channels: ['used_quota'],
  ledger_entries: ['amount', 'balance_after'],
}
const PAYMENT_AMOUNTS: Readonly<Record<string, readonly string[]>> = { redemptions: ['quota'], topups: ['quota'] }

/** Columns that an account takes over from its user. */
const FIGURES = ['quota', 'held', 'used_quota', 'request_count', 'aff_quota', 'aff_history', 'aff_count']

export const accountAndLedgerSteps: readonly Migration[] = [
  {
    // Existing rows are not checked, so that a wrong amount can still be corrected.
    name: '0024-exact-amounts',
    async up(knex) {
      if (isPostgres(knex)) {
        for (const [table, columns] of Object.entries({ ...CALL_AMOUNTS, ...PAYMENT_AMOUNTS }))
          await knex.raw(`alter table ${table} add ${buildAmountsCheck(table, columns)} not valid`)
        return
      }
      // SQLite adds no check to an existing table. A trigger on tables that calls write would take a fifth of the time of a call,
      // so those wait for 0029.
      for (const [table, columns] of Object.entries(PAYMENT_AMOUNTS)) {
        const refuse = `when not (${buildRange(columns.map((column) => `new.${column}`))})
        begin select raise(abort, 'CHECK constraint failed: ${table}_amounts_check'); end`
        await knex.raw(`create trigger ${table}_amounts_insert before insert on ${table} ${refuse}`)
        await knex.raw(
          `create trigger ${table}_amounts_update before update of ${columns.join(', ')} on ${table} ${refuse}`,
        )
      }
    },
  },
  {
    // The keys that chain the ledger's entries, encrypted, each with the entry from which on it counts.
    name: '0026-chain-keys',
    async up(knex) {
      await knex.schema.alterTable('installation', (table) => {
        table.text('chain_keys_sealed').nullable()
      })
    },
  },
  {
    // The checks that 0024 left out on SQLite. They cost a call less than 0.3 µs for five columns, triggers 40 µs.
    name: '0029-amount-checks',
    async up(knex) {
      if (isPostgres(knex)) return
      await rewriteSqliteTables(
        knex,
        Object.fromEntries(
          Object.entries(CALL_AMOUNTS).map(([table, columns]) => [
            table,
            (definition) => appendConstraint(definition, buildAmountsCheck(table, columns)),
          ]),
        ),
      )
    },
  },
  {
    // Accounts that pay: balance, held quota and the end of the chain of entries. A user's account has the user's id, and ids of
    // teams come from the same sequence: an id names one payer. All figures that a call changes are in this one small row, so that
    // a charge writes no second one. Entries record what was charged and what it cost the operator.
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
      await moveEntriesToAccounts(knex)
      for (const column of moved) await knex.raw(`alter table users drop column ${column}`)
      await knex.raw('alter table holds rename column user_id to account_id')
      for (const column of ['detail text', 'cost bigint'])
        await knex.raw(`alter table ledger_entries add column ${column}`)
      await knex.raw(`alter table logs add column hold_id text not null default ''`)
      await createTeams(knex)
    },
  },
  {
    // Charges that the database rejected for their content, until an operator retries them.
    name: '0051-dead-letters',
    async up(knex) {
      await knex.schema.createTable('dead_letters', (table) => {
        table.text('hold_id').primary()
        table.bigInteger('account_id').notNullable()
        table.bigInteger('token_id')
        table.bigInteger('by_user_id')
        table.text('request_id').notNullable()
        table.bigInteger('quota').notNullable()
        table.text('reason').notNullable()
        table.text('charge').notNullable()
        table.bigInteger('created_at').notNullable()
      })
    },
  },
  {
    // The position up to which each journal is booked, written in the transaction of the charges.
    name: '0054-journal-places',
    async up(knex) {
      await knex.schema.createTable('journal_places', (table) => {
        table.text('journal').primary()
        table.bigInteger('place').notNullable()
      })
    },
  },
  {
    // Charges of channels that are not added to them yet: a commit that updated one row for each channel wrote one page for each,
    // and made processes wait for one another.
    name: '0057-channel-charges',
    async up(knex) {
      await knex.schema.createTable('channel_charges', (table) => {
        table.bigIncrements('id')
        table.bigInteger('channel_id').notNullable()
        table.bigInteger('quota').notNullable()
      })
    },
  },
  {
    // Accounts below zero are found without reading all accounts. A team's tokens end with the membership of the user who created
    // them, including those of former members. Names of teams need not be unique: "already taken" disclosed other teams.
    name: '0058-team-debts',
    async up(knex) {
      await knex.raw('create index accounts_below_zero_index on accounts (id) where quota < 0')
      await knex.raw('drop index teams_name_unique')
      await knex.raw(
        `update tokens set deleted_at = created_time
         where deleted_at is null and team_id <> 0 and not exists (
           select 1 from team_members join teams on teams.account_id = team_members.team_id and teams.deleted_at is null
           where team_members.team_id = tokens.team_id and team_members.user_id = tokens.user_id)`,
      )
    },
  },
  {
    // Open invitations to belong to a team, or to own it. A name that no user has is stored too: a different reply would disclose
    // which names exist.
    name: '0059-team-invitations',
    async up(knex) {
      await knex.schema.createTable('team_invitations', (table) => {
        table.bigIncrements('id')
        table.bigInteger('team_id').notNullable().references('account_id').inTable('teams')
        // Null if no user has the name.
        table.bigInteger('user_id').nullable().references('id').inTable('users').index()
        // As it was entered.
        table.text('username').notNullable()
        table.text('role').notNullable()
        table.bigInteger('budget_day').notNullable()
        table.bigInteger('budget_month').notNullable()
        // Null for the terminal on the host.
        table.bigInteger('invited_by').nullable().references('id').inTable('users')
        table.bigInteger('created_time').notNullable()
        table.bigInteger('expires_time').notNullable()
        table.check(`role in ('owner', 'member')`, {}, 'team_invitations_role_check')
      })
      await knex.raw('create unique index team_invitations_name_unique on team_invitations (team_id, lower(username))')
    },
  },
  {
    // Views of lists in the console that a team shares with its members.
    name: '0066-team-views',
    async up(knex) {
      await knex.schema.createTable('team_views', (table) => {
        table.bigIncrements('id')
        table.bigInteger('team_id').notNullable().references('account_id').inTable('teams')
        // The name of the list, such as `logs`.
        table.text('list').notNullable()
        table.text('name').notNullable()
        // The query of the list's address.
        table.text('query').notNullable()
        table.bigInteger('created_time').notNullable()
        table.unique(['team_id', 'list', 'name'])
      })
    },
  },
]

/** Entries name the account, and amounts are checked in its table. Existing rows are not checked, as in 0024. */
async function moveEntriesToAccounts(knex: Knex): Promise<void> {
  const check = buildAmountsCheck('accounts', CALL_AMOUNTS.users ?? [])
  await knex.raw('alter table ledger_entries rename column user_id to account_id')
  if (isPostgres(knex)) {
    await knex.raw(
      `select setval(pg_get_serial_sequence('accounts', 'id'), (select coalesce(max(id), 0) + 1 from users), false)`,
    )
    await knex.raw('alter table users alter column id drop default')
    await knex.raw('alter table users drop constraint users_amounts_check')
    await knex.raw(`alter table accounts add ${check} not valid`)
    await knex.raw(
      `alter table ledger_entries drop constraint ledger_entries_user_id_foreign,
       add constraint ledger_entries_account_id_foreign foreign key (account_id) references accounts (id)`,
    )
    return
  }
  await rewriteSqliteTables(knex, {
    users: (definition) => definition.replace(/, constraint users_amounts_check check \([^)]*\)/, ''),
    accounts: (definition) => appendConstraint(definition, check),
    ledger_entries: (definition) => definition.replace(/references [`"]users[`"]/, 'references `accounts`'),
  })
}

async function createTeams(knex: Knex): Promise<void> {
  await knex.schema.createTable('teams', (table) => {
    table.bigInteger('account_id').primary().references('id').inTable('accounts')
    table.text('name').notNullable()
    table.bigInteger('created_time').notNullable()
    table.bigInteger('deleted_at').nullable()
  })
  await knex.raw('create unique index teams_name_unique on teams (lower(name)) where deleted_at is null')
  await knex.schema.createTable('team_members', (table) => {
    table.bigInteger('team_id').notNullable().references('account_id').inTable('teams')
    table.bigInteger('user_id').notNullable().references('id').inTable('users').index()
    table.text('role').notNullable()
    table.bigInteger('created_time').notNullable()
    // Limits of the member's calls in quota units; 0 for no limit.
    table.bigInteger('budget_day').notNullable().defaultTo(0)
    table.bigInteger('budget_month').notNullable().defaultTo(0)
    table.primary(['team_id', 'user_id'])
    table.check(`role in ('owner', 'member')`, {}, 'team_members_role_check')
  })
  // 0: the user's own account pays.
  await knex.raw('alter table tokens add column team_id bigint not null default 0')
  await knex.raw('create index tokens_team_id_index on tokens (team_id) where team_id <> 0')
}

/**
 * SQLite cannot change checks and references of an existing table, but reads them from the text that created it, and they do not
 * change how rows are stored: the text is replaced, which takes no time whatever the table's size, and rows and indexes stay
 * (https://www.sqlite.org/lang_altertable.html#otheralter).
 * @throws Error if a text does not change
 */
async function rewriteSqliteTables(
  knex: Knex,
  changes: Readonly<Record<string, (definition: string) => string>>,
): Promise<void> {
  const [{ schema_version: version }] = (await knex.raw('pragma schema_version')) as [{ schema_version: number }]
  await knex.raw('pragma writable_schema = on')
  for (const [name, change] of Object.entries(changes)) {
    const table = () =>
      knex<{ type: string; name: string; sql: string }>('sqlite_master').where({ type: 'table', name })
    const definition = (await table().first('sql'))?.sql ?? ''
    const changed = change(definition)
    if (changed === definition) throw new Error(`The table ${name} is not as an earlier step of the schema left it.`)
    await table().update({ sql: changed })
  }
  // Every connection reads the schema again.
  await knex.raw(`pragma schema_version = ${version + 1}`)
  await knex.raw('pragma writable_schema = reset')
}

const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg'

const buildRange = (columns: readonly string[]): string =>
  columns.map((column) => `${column} between -${LARGEST_AMOUNT} and ${LARGEST_AMOUNT}`).join(' and ')

const buildAmountsCheck = (table: string, columns: readonly string[]): string =>
  `constraint ${table}_amounts_check check (${buildRange(columns)})`

function appendConstraint(definition: string, constraint: string): string {
  const end = definition.lastIndexOf(')')
  return `${definition.slice(0, end)}, ${constraint}${definition.slice(end)}`
}
