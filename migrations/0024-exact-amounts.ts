// Amounts of quota stay where numbers are exact. What was stored before is left alone, so that it can be put right.
import type { Migration } from './migration.ts'

const LARGEST = 9_007_199_254_740_991

const AMOUNTS = {
  users: ['quota', 'held', 'used_quota', 'aff_quota', 'aff_history'],
  tokens: ['remain_quota', 'held', 'used_quota', 'budget_day', 'budget_week', 'budget_month'],
  channels: ['used_quota'],
  ledger_entries: ['amount', 'balance_after'],
  redemptions: ['quota'],
  topups: ['quota'],
}

/** Tables that no call writes. */
const BESIDE_CALLS = new Set(['redemptions', 'topups'])

const isExact = (columns: string[]) =>
  columns.map((column) => `${column} between -${LARGEST} and ${LARGEST}`).join(' and ')

export const exactAmounts: Migration = {
  name: '0024-exact-amounts',
  async up(knex) {
    for (const [table, columns] of Object.entries(AMOUNTS)) {
      if (knex.client.config.client === 'pg') {
        await knex.raw(
          `alter table ${table} add constraint ${table}_amounts_check check (${isExact(columns)}) not valid`,
        )
        continue
      }
      // sqlite adds no check to a table that exists, and a trigger on what calls write costs a call a fifth of its time: there
      // the ledger alone refuses (until 0029).
      if (!BESIDE_CALLS.has(table)) continue
      const refuse = `when not (${isExact(columns.map((column) => `new.${column}`))})
        begin select raise(abort, 'CHECK constraint failed: ${table}_amounts_check'); end`
      await knex.raw(`create trigger ${table}_amounts_insert before insert on ${table} ${refuse}`)
      await knex.raw(
        `create trigger ${table}_amounts_update before update of ${columns.join(', ')} on ${table} ${refuse}`,
      )
    }
  },
}
