// Bodies of calls, encrypted so that only their owners can read them.
import { StoredCallBody } from '../../bodies/stored-body.ts'
import type { BodyStore } from '../../bodies/store.ts'
import type {
  StoredResponseLimits,
  StoredResponseRow,
  KeptResponseStore,
} from '../../channels/stored-response-store.ts'
import type { Database } from './connection/database.ts'
import { defineTable, toStorableId, toStorableText } from './sql/table.ts'

const BODIES_TABLE = 'kept_bodies'
const table = defineTable(BODIES_TABLE, StoredCallBody, { readonly: [] })

export function createBodyStore({ write, read }: Database): BodyStore {
  const ofUser = (userId: number) => write(BODIES_TABLE).where({ user_id: toStorableId(userId) })
  const since = (userId: number, at: number) =>
    read(BODIES_TABLE)
      .where({ user_id: toStorableId(userId) })
      .where('created_at', '>=', at)

  return {
    async key(userId) {
      const row: { recipient: string; every_token: boolean; token_ids: string } | undefined = await read('body_keys')
        .where({ user_id: toStorableId(userId) })
        .first('recipient', 'every_token', 'token_ids')
      if (!row) return null
      return { ...row, every_token: Boolean(row.every_token), token_ids: JSON.parse(row.token_ids) as number[] }
    },
    async setKey(userId, { token_ids, ...key }) {
      const row = { user_id: toStorableId(userId), ...key, token_ids: JSON.stringify(token_ids) }
      await write('body_keys').insert(row).onConflict('user_id').merge()
    },
    async removeOfUser(userId) {
      await write('body_keys')
        .where({ user_id: toStorableId(userId) })
        .delete()
      await ofUser(userId).delete()
    },
    async add({ request_id, user_id, token_id, created_at, sealed }, recipient, limits) {
      await write.raw(
        `insert into ${BODIES_TABLE} (request_id, user_id, token_id, created_at, bytes, sealed)
         select cast(? as text), cast(? as bigint), cast(? as bigint), cast(? as bigint), cast(? as bigint), cast(? as text)
         where exists (select 1 from body_keys where user_id = ? and recipient = ?)`,
        [toStorableText(request_id), user_id, token_id, created_at, sealed.length, sealed, user_id, recipient],
      )
      // Counted from the newest. The sums are read from the index alone.
      await write.raw(
        `delete from ${BODIES_TABLE} where id in (
          select id from (
            select id, row_number() over newest as place, sum(bytes) over newest as total
            from ${BODIES_TABLE} where user_id = ?
            window newest as (order by created_at desc, id desc rows unbounded preceding)
          ) as counted where place > ? or total > ?
        )`,
        [user_id, limits.calls, limits.bytes],
      )
    },
    list: async (userId, at) =>
      (await since(userId, at).select(table.columns).orderBy('created_at', 'desc').orderBy('id', 'desc')).map(
        table.entity,
      ),
    async find(userId, requestId, at) {
      const row: Record<string, unknown> | undefined = await since(userId, at)
        .where({ request_id: toStorableText(requestId) })
        .orderBy('id', 'desc')
        .first([...table.columns, 'sealed'])
      return row ? { ...table.entity(row), sealed: String(row.sealed) } : null
    },
    remove: (userId, requestId) => {
      const rows = ofUser(userId)
      return requestId === undefined ? rows.delete() : rows.where({ request_id: toStorableText(requestId) }).delete()
    },
    async size() {
      const row = await read(BODIES_TABLE).sum({ total: 'bytes' }).first()
      return Number(row?.total ?? 0)
    },
    async prune(before, bytes) {
      await write(BODIES_TABLE).where('created_at', '<', before).delete()
      await write.raw(
        `delete from ${BODIES_TABLE} where id in (
          select id from (
            select id, sum(bytes) over (order by id desc rows unbounded preceding) as total from ${BODIES_TABLE}
          ) as counted where total > ?
        )`,
        [bytes],
      )
    },
  }
}

// Stored responses: the channel and key whose provider stores one, or its encrypted content.

const RESPONSES_TABLE = 'kept_responses'
const FIELDS = ['id_hash', 'user_id', 'account_id', 'token_id', 'model', 'channel_id', 'key', 'created_at', 'sealed']

export function createStoredResponseStore({ write, read }: Database): KeptResponseStore {
  const query = () => write<StoredResponseRow & { bytes: number }>(RESPONSES_TABLE)

  /** Counted from the newest for each user. The sums are read from the index alone. */
  async function prune(users: number[], { answers, bytes }: StoredResponseLimits): Promise<void> {
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
      const row = (await read<StoredResponseRow>(RESPONSES_TABLE).where({ id_hash: idHash }).first(FIELDS)) as
        StoredResponseRow | undefined
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
