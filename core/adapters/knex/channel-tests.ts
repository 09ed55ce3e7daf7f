// The results of channel tests, in the database.
import { KEPT_TESTS, TestOutcome, type ChannelTestStore } from '../../channels/test-outcome.ts'
import type { Database } from './database.ts'
import { toStorableId, defineTable } from './table.ts'

const table = defineTable('channel_tests', TestOutcome, { readonly: [] })

export function createChannelTestStore({ read, write }: Database): ChannelTestStore {
  const rows = () => read('channel_tests').select(table.columns)
  return {
    insert: (outcome) =>
      write.transaction(async (transaction) => {
        await transaction('channel_tests').insert(table.values(outcome))
        const { channel_id } = outcome
        const tests = transaction('channel_tests').where({ channel_id }).select('id').orderBy('id', 'desc')
        const oldest = await tests.offset(KEPT_TESTS).first()
        if (oldest) await transaction('channel_tests').where({ channel_id }).where('id', '<=', oldest.id).delete()
      }),
    ofChannel: async (id) =>
      (
        await rows()
          .where({ channel_id: toStorableId(id) })
          .orderBy('id', 'desc')
      ).map(table.entity),
    last: async () =>
      (await rows().whereIn('id', read('channel_tests').max('id').groupBy('channel_id'))).map(table.entity),
    async deleteOrphans() {
      await write('channel_tests').whereNotIn('channel_id', write('channels').select('id')).delete()
    },
  }
}
