// What providers do in their own time: drawings, and tasks such as music.
import type { Migration } from './migration.ts'

export const tasks: Migration = {
  name: '0018-tasks',
  async up(knex) {
    await knex.schema.createTable('drawings', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable().index()
      table.bigInteger('channel_id').notNullable()
      table.text('mj_id').notNullable().index()
      table.text('action').notNullable()
      table.integer('code').notNullable()
      table.text('status').notNullable()
      table.text('progress').notNullable()
      table.text('prompt').notNullable()
      table.text('prompt_en').notNullable()
      table.text('image_url').notNullable()
      table.text('fail_reason').notNullable()
      table.bigInteger('quota').notNullable()
      table.bigInteger('created_at').notNullable()
      // Milliseconds.
      table.bigInteger('submit_time').notNullable()
      table.bigInteger('finish_time').notNullable()
    })
    await knex.schema.createTable('tasks', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable().index()
      table.bigInteger('channel_id').notNullable()
      table.text('platform').notNullable()
      table.text('action').notNullable()
      table.text('task_id').notNullable().index()
      table.text('status').notNullable()
      table.text('progress').notNullable()
      table.text('fail_reason').notNullable()
      table.bigInteger('quota').notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('submit_time').notNullable()
      table.bigInteger('finish_time').notNullable()
    })
  },
}
