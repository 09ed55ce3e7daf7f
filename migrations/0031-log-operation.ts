// What a call asked for (chat, embeddings, images …), so that the log can be searched by it; rows of before do not say. The
// index holds what is not chat: a row of a chat is not written twice, and is found in order of time without it.
import type { Migration } from './migration.ts'

export const logOperation: Migration = {
  name: '0031-log-operation',
  async up(knex) {
    await knex.raw(`alter table logs add column operation text not null default ''`)
    await knex.raw(
      `create index logs_operation_index on logs (operation, created_at, id) where operation <> '' and operation <> 'chat'`,
    )
  },
}
