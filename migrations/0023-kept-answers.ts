// Answers that Weir keeps itself, beside the note of those that providers keep: whose they are, by which token and of
// which model, and what was said, encrypted. Times become milliseconds: of two answers in one second one came first.
import type { Migration } from './migration.ts'

export const keptAnswers: Migration = {
  name: '0023-kept-answers',
  async up(knex) {
    await knex.schema.alterTable('kept_responses', (table) => {
      table.bigInteger('token_id').notNullable().defaultTo(0)
      table.text('model').notNullable().defaultTo('')
      // The size of `sealed`, so that sums read no text.
      table.bigInteger('bytes').notNullable().defaultTo(0)
      table.text('sealed')
      table.index(['user_id', 'created_at', 'bytes'])
    })
    await knex('kept_responses').update({ created_at: knex.raw('created_at * 1000') })
  },
}
