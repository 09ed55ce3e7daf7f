// Redemption codes in the database, encrypted and found by keyed hash.
import type { Knex } from 'knex'
import { REDEMPTION_STATUS, Redemption } from '../../redemptions/redemption.ts'
import type { RedemptionStore } from '../../redemptions/store.ts'
import type { SealedPlace, Secrets } from '../../ports/secrets.ts'
import type { Database } from './database.ts'
import { updateRow } from './edits.ts'
import { insertSealed } from './insert-sealed.ts'
import { readPage } from './paging.ts'
import { toStorableId, escapeLikePattern, defineTable } from './table.ts'

const getSealedPlace = (id: number): SealedPlace => ['redemptions.key_sealed', id]

const table = defineTable('redemptions', Redemption, { without: ['key'], readonly: ['id', 'version'] })

export function createRedemptionStore({ write, read }: Database, secrets: Secrets): RedemptionStore {
  const queryExisting = () => read('redemptions').where({ deleted: false })
  const codes = () => queryExisting().select(table.columns).select('key_sealed')
  const entity = (row: Record<string, unknown>): Redemption => ({
    ...table.entity(row),
    key: secrets.decrypt(row.key_sealed as string, getSealedPlace(Number(row.id))),
  })
  const orNull = (row: Record<string, unknown> | undefined) => (row ? entity(row) : null)

  return {
    insert: (added) =>
      write.transaction(async (transaction) => {
        const made: Redemption[] = []
        for (const { key, ...code } of added) {
          const values = { ...table.values(code), key_hash: secrets.hash(key), key_sealed: '' }
          const seal = (id: number) => ({ key_sealed: secrets.encrypt(key, getSealedPlace(id)) })
          const columns = [...table.columns, 'key_sealed']
          made.push(entity(await insertSealed(transaction, { table: 'redemptions', values, seal, columns })))
        }
        return made
      }),
    find: async (id) =>
      orNull(
        await codes()
          .where({ id: toStorableId(id) })
          .first(),
      ),
    findByKey: async (key) =>
      orNull(
        await codes()
          .where({ key_hash: secrets.hash(key) })
          .first(),
      ),
    async list(keyword, slice) {
      const matching = () => {
        const query = queryExisting()
        if (keyword === '') return query
        return query.where((any) => {
          any.whereRaw(`name like ? escape '!'`, [`${escapeLikePattern(keyword)}%`])
          if (/^\d{1,15}$/.test(keyword)) any.orWhere({ id: Number(keyword) })
        })
      }
      const columns = [...table.columns, 'key_sealed']
      const { items, ...count } = await readPage(matching, slice, { table, columns })
      return { items: items.map(entity), ...count }
    },
    async updateUnused(id, patch, { from, ...edit }) {
      const row = { table: 'redemptions', id: toStorableId(id), noun: 'redemption' }
      const unused = (query: Knex.QueryBuilder) => query.where({ deleted: false }).whereIn('status', from)
      return (await updateRow(write, row, table.values(patch), edit, unused)) > 0
    },
    use: async (id, { quota, user_id, time }) =>
      (await write('redemptions')
        .where({ id: toStorableId(id), deleted: false, status: REDEMPTION_STATUS.unused, quota })
        .update({ status: REDEMPTION_STATUS.used, used_user_id: user_id, redeemed_time: time })) > 0,
    async markUsed(id, { user_id, time }) {
      await write('redemptions')
        .where({ id: toStorableId(id) })
        .update({ status: REDEMPTION_STATUS.used, used_user_id: user_id, redeemed_time: time })
    },
    delete: async (id) =>
      (await write('redemptions')
        .where({ id: toStorableId(id), deleted: false })
        .update({ deleted: true })) > 0,
  }
}
