// Configured upstreams. The key is kept encrypted; its keyed hash lets an operator find the channel that has a key.
import type { Migration } from './migration.ts'

export const channels: Migration = {
  name: '0003-channels',
  async up(knex) {
    await knex.schema.createTable('channels', (table) => {
      table.bigIncrements('id')
      table.bigInteger('type').notNullable()
      table.text('key_sealed').notNullable()
      table.text('key_hash').notNullable()
      table.text('openai_organization').notNullable().defaultTo('')
      table.text('test_model').notNullable().defaultTo('')
      table.integer('status').notNullable().defaultTo(1)
      table.text('name').notNullable().defaultTo('')
      table.bigInteger('weight').notNullable().defaultTo(0)
      table.bigInteger('created_time').notNullable()
      table.bigInteger('test_time').notNullable().defaultTo(0)
      table.bigInteger('response_time').notNullable().defaultTo(0)
      table.text('base_url').notNullable().defaultTo('')
      table.text('other').notNullable().defaultTo('')
      table.double('balance').notNullable().defaultTo(0)
      table.bigInteger('balance_updated_time').notNullable().defaultTo(0)
      table.text('models').notNullable().defaultTo('')
      table.text('group').notNullable().defaultTo('default')
      table.bigInteger('used_quota').notNullable().defaultTo(0)
      table.text('model_mapping').notNullable().defaultTo('')
      table.text('status_code_mapping').notNullable().defaultTo('')
      table.bigInteger('priority').notNullable().defaultTo(0)
      table.integer('auto_ban').notNullable().defaultTo(1)
      table.text('other_info').notNullable().defaultTo('')
      table.text('tag').nullable().index()
      table.text('setting').notNullable().defaultTo('')
      table.text('param_override').notNullable().defaultTo('')
      table.bigInteger('max_input_tokens').notNullable().defaultTo(0)
      table.check('status in (0, 1, 2, 3)', {}, 'channels_status_check')
      table.check('auto_ban in (0, 1)', {}, 'channels_auto_ban_check')
      table.index(['key_hash'])
    })
  },
}
