// Who is told of what: rules, what was seen for them over time, and when they held.
import type { Migration } from './migration.ts'

export const alerts: Migration = {
  name: '0052-alerts',
  async up(knex) {
    await knex.schema.createTable('alert_rules', (table) => {
      table.bigIncrements('id')
      table.text('name').notNullable()
      table.text('kind').notNullable()
      table.boolean('enabled').notNullable()
      table.double('threshold').notNullable()
      table.integer('minutes').notNullable()
      table.bigInteger('least').notNullable()
      table.text('model').notNullable()
      table.bigInteger('channel').notNullable()
      table.text('group').notNullable()
      table.boolean('root').notNullable()
      table.text('mails').notNullable()
      table.text('webhook_url').notNullable()
      table.text('webhook_secret_sealed').notNullable().defaultTo('')
      table.text('language').notNullable()
      table.integer('quiet_minutes').notNullable()
      table.bigInteger('created_time').notNullable()
      table.bigInteger('version').notNullable().defaultTo(1)
    })
    await knex.schema.createTable('alert_samples', (table) => {
      table.text('kind').notNullable()
      table.text('subject').notNullable()
      // The quarter of an hour that it is of.
      table.bigInteger('at').notNullable()
      table.double('value').notNullable()
      table.double('worst').notNullable()
      table.primary(['kind', 'subject', 'at'])
    })
    await knex.schema.createTable('alerts', (table) => {
      table.bigIncrements('id')
      table.bigInteger('rule_id').notNullable()
      table.text('subject').notNullable()
      table.bigInteger('began_at').notNullable()
      table.bigInteger('ended_at').notNullable().defaultTo(0)
      table.double('value').notNullable()
      table.double('worst').notNullable()
      // What was told of it, and by when somebody who is about to tell more will have.
      table.text('told').notNullable().defaultTo('')
      table.bigInteger('told_at').notNullable().defaultTo(0)
      table.text('told_to').notNullable().defaultTo('')
      table.bigInteger('claimed_until').notNullable().defaultTo(0)
      table.integer('tries').notNullable().defaultTo(0)
      table.text('failure').notNullable().defaultTo('')
      table.index(['rule_id', 'began_at'])
    })
    // One at a time of each: whoever sees it first begins it.
    await knex.raw('create unique index alerts_open on alerts (rule_id, subject) where ended_at = 0')
  },
}
