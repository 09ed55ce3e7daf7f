// Access tokens that tell what their owner has used, and nothing else. SQLite cannot change a check: the table is made anew.
import type { Knex } from 'knex'
import type { Migration } from './migration.ts'

const SCOPES = `scope in ('usage', 'read', 'relay', 'all')`
const CHECK = 'access_tokens_scope_check'
const COLUMNS = 'id, user_id, name, token_hash, scope, created_time, used_time, expired_time'

export const usageScope: Migration = {
  name: '0046-usage-scope',
  async up(knex) {
    if (knex.client.config.client !== 'sqlite3') {
      await knex.raw(`alter table access_tokens drop constraint ${CHECK}`)
      await knex.raw(`alter table access_tokens add constraint ${CHECK} check (${SCOPES})`)
      return
    }
    await knex.schema.createTable('access_tokens_next', columns)
    await knex.raw(`insert into access_tokens_next (${COLUMNS}) select ${COLUMNS} from access_tokens`)
    await knex.schema.dropTable('access_tokens')
    await knex.schema.renameTable('access_tokens_next', 'access_tokens')
    await knex.schema.alterTable('access_tokens', (table) => {
      table.unique(['token_hash'])
      table.unique(['user_id', 'name'])
    })
  },
}

function columns(table: Knex.CreateTableBuilder): void {
  table.bigIncrements('id')
  table.bigInteger('user_id').notNullable().references('id').inTable('users')
  table.text('name').notNullable()
  table.text('token_hash').notNullable()
  table.text('scope').notNullable()
  table.bigInteger('created_time').notNullable()
  table.bigInteger('used_time').notNullable().defaultTo(0)
  table.bigInteger('expired_time').notNullable().defaultTo(-1)
  table.check(SCOPES, {}, CHECK)
}
