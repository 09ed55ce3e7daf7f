// Versions of edited rows, configuration by files, imports from other products, and alerts.
import type { Migration } from '../migration.ts'

export const administrationSteps: readonly Migration[] = [
  addVersion('0037-versions', ['channels', 'tokens', 'users', 'redemptions', 'teams']),
  addVersion('0040-member-versions', ['team_members']),
  addVersion('0041-login-service-versions', ['login_providers']),
  {
    // Rows that a configuration file manages.
    name: '0049-managed',
    async up(knex) {
      await knex.schema.createTable('managed', (table) => {
        table.text('section').notNullable()
        table.text('key').notNullable()
        table.text('source').notNullable()
        table.bigInteger('applied_at').notNullable()
        table.text('fields').notNullable()
        table.primary(['section', 'key'])
      })
    },
  },
  {
    // Rows imported from other products, so that no row is imported twice.
    name: '0050-imports',
    async up(knex) {
      await knex.schema.createTable('import_sources', (table) => {
        table.bigIncrements('id')
        table.text('product').notNullable()
        table.bigInteger('created_time').notNullable()
      })
      // Marks that identify an installation: any one that it still has.
      await knex.schema.createTable('import_marks', (table) => {
        table.text('product').notNullable()
        table.text('mark').notNullable()
        table.bigInteger('source_id').notNullable()
        table.primary(['product', 'mark'])
      })
      await knex.schema.createTable('imported', (table) => {
        table.bigInteger('source_id').notNullable()
        table.text('kind').notNullable()
        table.text('foreign_id').notNullable()
        table.bigInteger('our_id').notNullable()
        table.primary(['source_id', 'kind', 'foreign_id'])
      })
    },
  },
  {
    // Rules with their recipients, samples of their metrics over time, and the alerts that they raised.
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
        // The beginning of its quarter of an hour.
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
        // The last notification, and until when a process has claimed the next one.
        table.text('told').notNullable().defaultTo('')
        table.bigInteger('told_at').notNullable().defaultTo(0)
        table.text('told_to').notNullable().defaultTo('')
        table.bigInteger('claimed_until').notNullable().defaultTo(0)
        table.integer('tries').notNullable().defaultTo(0)
        table.text('failure').notNullable().defaultTo('')
        table.index(['rule_id', 'began_at'])
      })
      // One open alert for each subject of a rule, whichever process begins it.
      await knex.raw('create unique index alerts_open on alerts (rule_id, subject) where ended_at = 0')
    },
  },
  {
    // Decisions of administrators on orders, reports of payments that were not credited, the end of redemption codes, and remarks of
    // administrators. A cancelled order stays `expired` in its status, which is the value that earlier releases know.
    name: '0064-orders-and-remarks',
    async up(knex) {
      await knex.schema.alterTable('topups', (table) => {
        // Epoch seconds; 0 if it is not cancelled.
        table.bigInteger('cancelled_time').notNullable().defaultTo(0)
        table.text('note').notNullable().defaultTo('')
        // Id of the user who wrote the note; 0 for the terminal on the host.
        table.bigInteger('noted_by').notNullable().defaultTo(0)
        table.bigInteger('noted_time').notNullable().defaultTo(0)
        // JSON of the reports that were not credited.
        table.text('reports').notNullable().defaultTo('')
        table.boolean('needs_review').notNullable().defaultTo(false)
      })
      await knex.raw('create index topups_needs_review_index on topups (id) where needs_review')
      await knex.schema.alterTable('redemptions', (table) => {
        // Epoch seconds; 0: never.
        table.bigInteger('expired_time').notNullable().defaultTo(0)
      })
      for (const name of ['channels', 'users', 'redemptions'])
        await knex.schema.alterTable(name, (table) => {
          table.text('remark').notNullable().defaultTo('')
        })
    },
  },
  {
    name: '0065-alert-webhook-format',
    async up(knex) {
      await knex.schema.alterTable('alert_rules', (table) => {
        table.text('webhook_format').notNullable().defaultTo('weir')
      })
    },
  },
]

/** How often people have edited a row: a form is saved with the version that it showed. Measurements do not count as edits. */
function addVersion(name: string, tables: readonly string[]): Migration {
  return {
    name,
    async up(knex) {
      for (const each of tables)
        await knex.schema.alterTable(each, (table) => {
          table.integer('version').notNullable().defaultTo(1)
        })
    },
  }
}
