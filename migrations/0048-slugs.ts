// Names that files and scripts know channels and tokens by; those that are there are named after what they are called.
import type { Migration } from './migration.ts'

export const slugs: Migration = {
  name: '0048-slugs',
  async up(knex) {
    for (const name of ['channels', 'tokens'])
      await knex.schema.alterTable(name, (table) => table.text('slug').notNullable().defaultTo(''))
    const channels: { id: number; name: string }[] = await knex('channels').select('id', 'name').orderBy('id')
    const taken = new Set<string>()
    for (const { id, name } of channels) {
      const slug = free(plain(name), taken)
      await knex('channels').where({ id }).update({ slug })
    }
    await knex('tokens').update({ slug: knex.raw("'token-' || cast(id as text)") })
    for (const name of ['channels', 'tokens'])
      await knex.schema.alterTable(name, (table) => table.unique(['slug'], { indexName: `${name}_slug_unique` }))
  },
}

function plain(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  return words.slice(0, 48).replace(/^-+|-+$/g, '') || 'channel'
}

function free(slug: string, taken: Set<string>): string {
  let one = slug
  for (let count = 2; taken.has(one); count++) one = `${slug}-${count}`
  taken.add(one)
  return one
}
