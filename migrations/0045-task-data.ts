// What a provider says of a task: where its songs and films are, and its words.
import type { Migration } from './migration.ts'

export const taskData: Migration = {
  name: '0045-task-data',
  async up(knex) {
    await knex.schema.alterTable('tasks', (table) => {
      table.text('data').notNullable().defaultTo('')
    })
  },
}
