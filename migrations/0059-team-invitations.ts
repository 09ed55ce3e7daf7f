// Who is asked to belong to a team, or to own it, and has not answered yet. A name that nobody has is kept, too: an answer that
// differed would tell which names there are.
import type { Migration } from './migration.ts'

export const teamInvitations: Migration = {
  name: '0059-team-invitations',
  async up(knex) {
    await knex.schema.createTable('team_invitations', (table) => {
      table.bigIncrements('id')
      table.bigInteger('team_id').notNullable().references('account_id').inTable('teams')
      // Null where nobody is called so.
      table.bigInteger('user_id').nullable().references('id').inTable('users').index()
      // As it was written.
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
}
