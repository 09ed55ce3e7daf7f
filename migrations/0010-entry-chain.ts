// Entries chained by hash per account, and the request that a charge was for. Entries made before are chained here.
import type { Knex } from 'knex'
import type { Migration } from './migration.ts'

export const entryChain: Migration = {
  name: '0010-entry-chain',
  async up(knex) {
    await knex.schema.alterTable('users', (table) => {
      table.text('entries_hash').notNullable().defaultTo('')
    })
    await knex.schema.alterTable('ledger_entries', (table) => {
      table.text('hash').notNullable().defaultTo('')
      table.text('request_id').nullable()
    })
    // Request ids begin with the time, so this index grows at its end only.
    await knex.raw(
      'create index ledger_entries_request_id_index on ledger_entries (request_id) where request_id is not null',
    )
    await chainEntries(knex)
  },
}

const PAGE = 1000

interface Entry {
  id: number
  user_id: number
  token_id: number | null
  kind: string
  amount: number
  balance_after: number
  hold_id: string | null
  reference: string | null
  by_user_id: number | null
  created_at: number
}

async function chainEntries(knex: Knex): Promise<void> {
  let previous = { user_id: 0, id: 0, hash: '' }
  const remember = () => knex('users').where({ id: previous.user_id }).update({ entries_hash: previous.hash })
  for (;;) {
    const page = await knex<Entry>('ledger_entries')
      .whereRaw('(user_id, id) > (?, ?)', [previous.user_id, previous.id])
      .orderBy(['user_id', 'id'])
      .limit(PAGE)
    for (const entry of page) {
      if (entry.user_id !== previous.user_id) {
        await remember()
        previous = { user_id: entry.user_id, id: 0, hash: '' }
      }
      const hash = await hashOf(previous.hash, entry)
      await knex('ledger_entries').where({ id: entry.id }).update({ hash })
      previous = { user_id: entry.user_id, id: entry.id, hash }
    }
    if (page.length < PAGE) return void (await remember())
  }
}

/** The form of that time, kept here so that it stays as it was. */
async function hashOf(previous: string, entry: Entry): Promise<string> {
  const { user_id, token_id, kind, amount, balance_after, hold_id, reference, by_user_id, created_at } = entry
  const fields = [user_id, token_id, kind, amount, balance_after, hold_id, reference, null, by_user_id, created_at]
  const bytes = new TextEncoder().encode(JSON.stringify([1, previous, ...fields]))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
