// Accounts below zero are found without a look at all of them. Tokens of a team end with the membership of whoever made them,
// those of former members among them. Names of teams need not be unique: that one was taken told of teams of others.
import type { Migration } from './migration.ts'

export const teamDebts: Migration = {
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
}
