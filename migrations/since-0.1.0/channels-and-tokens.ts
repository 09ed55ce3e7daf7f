// Channels and API tokens: health and tests of channels, price changes, slugs, digests of imported keys.
import type { Migration } from '../migration.ts'

/**
 * `span_…` count answers by their duration, in spans that end at 10, 50, 100, 250, 500, 1000, 2000, 4000, 8000, 15000, 30000 and
 * 60000 ms; the last span is open.
 */
const CHANNEL_COUNTS = [
  ...['answered', 'abandoned', 'ms', 'firsts', 'first_ms', 'error_at', 'error_status'],
  ...['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request'].map((kind) => `failed_${kind}`),
  ...Array.from({ length: 13 }, (_, span) => `span_${span}`),
]

export const channelAndTokenSteps: readonly Migration[] = [
  {
    // The health of each channel and key by the hour. Counts of several processes are added up here.
    name: '0032-channel-hours',
    async up(knex) {
      await knex.schema.createTable('channel_hours', (table) => {
        table.bigInteger('channel_id').notNullable()
        table.bigInteger('hour').notNullable()
        table.text('key').notNullable()
        for (const count of CHANNEL_COUNTS) table.bigInteger(count).notNullable().defaultTo(0)
        table.text('error').notNullable().defaultTo('')
        table.primary(['channel_id', 'hour', 'key'])
        table.index(['hour'])
      })
    },
  },
  {
    // Results of the last tests of each channel.
    name: '0033-channel-tests',
    async up(knex) {
      await knex.schema.createTable('channel_tests', (table) => {
        table.bigIncrements('id')
        table.bigInteger('channel_id').notNullable()
        table.bigInteger('tested_at').notNullable()
        // 0: the gateway itself, on its schedule.
        table.bigInteger('user_id').notNullable()
        table.text('username').notNullable()
        table.text('model').notNullable()
        table.boolean('passed').notNullable()
        table.bigInteger('ms').notNullable()
        table.bigInteger('status').notNullable()
        table.text('error').notNullable()
        table.index(['channel_id', 'id'])
      })
    },
  },
  {
    // Former and new prices, found by model, newest first.
    name: '0036-price-changes',
    async up(knex) {
      await knex.schema.createTable('price_changes', (table) => {
        table.bigIncrements('id')
        table.bigInteger('created_at').notNullable()
        table.bigInteger('user_id').notNullable()
        table.text('username').notNullable()
        table.text('model').notNullable()
        table.text('channel').notNullable()
        table.text('before').notNullable()
        table.text('after').notNullable()
        table.text('source').notNullable()
        table.index(['model', 'id'])
      })
    },
  },
  {
    // Stable names of channels and tokens for files and scripts. Existing channels get a slug from their name.
    name: '0048-slugs',
    async up(knex) {
      for (const name of ['channels', 'tokens'])
        await knex.schema.alterTable(name, (table) => table.text('slug').notNullable().defaultTo(''))
      const channels: { id: number; name: string }[] = await knex('channels').select('id', 'name').orderBy('id')
      const taken = new Set<string>()
      for (const { id, name } of channels) {
        const slug = findFreeSlug(toSlug(name), taken)
        taken.add(slug)
        await knex('channels').where({ id }).update({ slug })
      }
      await knex('tokens').update({ slug: knex.raw("'token-' || cast(id as text)") })
      for (const name of ['channels', 'tokens'])
        await knex.schema.alterTable(name, (table) => table.unique(['slug'], { indexName: `${name}_slug_unique` }))
    },
  },
  {
    // The role that last set a channel's address: `root`, or `admin`, whose channels reach no private network that root has not
    // listed. Existing channels count as set by root.
    name: '0060-channel-address',
    async up(knex) {
      await knex.schema.alterTable('channels', (table) => {
        table.text('address_by').notNullable().defaultTo('root')
      })
    },
  },
  {
    // SHA-256 of keys that were imported without the key itself: encrypted, and found by its keyed hash. The columns are separate,
    // so that a digest never counts as a key. Rows of earlier releases are moved when Weir starts, since a migration has no master
    // secret.
    name: '0062-key-digests',
    async up(knex) {
      await knex.schema.alterTable('tokens', (table) => {
        // Null as soon as the key itself is known.
        table.text('digest_sealed').nullable()
        table.text('digest_hash').nullable()
      })
      await knex.schema.alterTable('tokens', (table) =>
        table.unique(['digest_hash'], { indexName: 'tokens_digest_hash_unique' }),
      )
    },
  },
]

function toSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  return words.slice(0, 48).replace(/^-+|-+$/g, '') || 'channel'
}

function findFreeSlug(slug: string, taken: ReadonlySet<string>): string {
  let free = slug
  for (let count = 2; taken.has(free); count++) free = `${slug}-${count}`
  return free
}
