// Tasks that are asked for here: drawings, music and films in one table, with who pays, where they are asked, and when next.
import type { Knex } from 'knex'
import type { Migration } from './migration.ts'

/** What a drawing had under the same name. */
const KEPT = [
  'user_id',
  'channel_id',
  'action',
  'code',
  'status',
  'progress',
  'prompt',
  'prompt_en',
  'image_url',
].concat([...['fail_reason', 'quota', 'created_at', 'submit_time', 'finish_time']])

export const openTasks: Migration = {
  name: '0047-open-tasks',
  async up(knex) {
    await knex.schema.alterTable('tasks', (table) => {
      for (const name of ['upstream_id', 'format', 'model', 'group', 'username', 'token_name', 'key', 'prompt'])
        table.text(name).notNullable().defaultTo('')
      for (const name of ['prompt_en', 'image_url', 'files', 'details', 'asked', 'request_id', 'terms', 'look', 'hook'])
        table.text(name).notNullable().defaultTo('')
      for (const name of ['account_id', 'by_user_id', 'token_id', 'refunded', 'start_time', 'updated_at'])
        table.bigInteger(name).notNullable().defaultTo(0)
      for (const name of ['code', 'polls', 'failures']) table.integer(name).notNullable().defaultTo(0)
      // Null for none: each is found by it, once.
      table.text('notify_key').unique()
      // Milliseconds. When it is asked about next; null for never again.
      table.bigInteger('due_at').index()
      table.bigInteger('lease_until').notNullable().defaultTo(0)
    })
    // Other tasks had seconds.
    await knex('tasks').update({
      submit_time: thousand(knex, 'submit_time'),
      finish_time: thousand(knex, 'finish_time'),
    })
    const columns = ['platform', 'task_id', 'upstream_id', ...KEPT]
    const into = knex.raw(`?? (${columns.map(() => '??').join(', ')})`, ['tasks', ...columns])
    await knex.into(into).insert(
      knex('drawings')
        .orderBy('id')
        .select(knex.raw("'mj'"), 'mj_id', 'mj_id', ...KEPT),
    )
    await knex.schema.dropTable('drawings')
  },
}

const thousand = (knex: Knex, column: string) => knex.raw('?? * 1000', [column])
