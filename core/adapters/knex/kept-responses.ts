// Stored responses: the channel and key whose provider stores one, or its encrypted content.
import type { KeptLimits, KeptResponse, KeptResponseStore } from '../../channels/kept-response-store.ts'
import type { Database } from './database.ts'

const RESPONSES_TABLE = 'kept_responses'
const FIELDS = ['id_hash', 'user_id', 'account_id', 'token_id', 'model', 'channel_id', 'key', 'created_at', 'sealed']

export function createKeptResponseStore({ write, read }: Database): KeptResponseStore {
  const query = () => write<KeptResponse & { bytes: number }>(RESPONSES_TABLE)

  /** Counted from the newest for each user. The sums are read from the index alone. */
  async function prune(users: number[], { answers, bytes }: KeptLimits): Promise<void> {
    await write.raw(
      `delete from ${RESPONSES_TABLE} where id_hash in (
        select id_hash from (
          select id_hash, row_number() over newest as place, sum(bytes) over newest as total
          from ${RESPONSES_TABLE} where bytes > 0 and user_id in (${users.map(() => '?').join(', ')})
          window newest as (partition by user_id order by created_at desc, id_hash rows unbounded preceding)
        ) as counted where place > ? or total > ?
      )`,
      [...users, answers, bytes],
    )
  }

  return {
    async keep(responses, limits) {
      const rows = responses.map((response) => ({ ...response, bytes: response.sealed?.length ?? 0 }))
      await query().insert(rows).onConflict('id_hash').ignore()
      if (limits) await prune([...new Set(responses.map(({ user_id }) => user_id))], limits)
    },
    async find(idHash) {
      const row = (await read<KeptResponse>(RESPONSES_TABLE).where({ id_hash: idHash }).first(FIELDS)) as KeptResponse | undefined
      if (!row) return null
      const { account_id, ...own } = row
      return account_id ? { ...own, account_id } : own
    },
    async remove(idHash) {
      await query().where({ id_hash: idHash }).delete()
    },
    async removeOfUser(userId) {
      await query().where({ user_id: userId }).delete()
    },
    async forget(before) {
      await query().where('created_at', '<', before.provider).whereNull('sealed').delete()
      await query().where('created_at', '<', before.own).whereNotNull('sealed').delete()
    },
  }
}
