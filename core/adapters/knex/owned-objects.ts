// The owners of objects that providers store. Rows are written with their calls: see ledger-sql.ts.
import type { Knex } from 'knex'
import type { OwnedObject, OwnedObjectStore } from '../../calls/owned-object.ts'
import type { Database } from './connection/database.ts'
import { toStorableText } from './sql/table.ts'
import type { SqlColumns } from './sql/statements.ts'

const TABLE = 'owned_objects'

export const ownedObjectColumns = {
  kind: 'text',
  id: 'text',
  channel_id: 'bigint',
  key: 'text',
  account_id: 'bigint',
  user_id: 'bigint',
  token_id: 'bigint',
  model: 'text',
  stem: 'text',
  items: 'text',
  created_at: 'bigint',
  expires_at: 'bigint',
} satisfies SqlColumns

const FIELDS = Object.keys(ownedObjectColumns)
/** Number of an account's newest answers to search for an item whose id does not identify its answer. */
const NEWEST = 1000

export function createOwnedObjectStore({ write, read }: Database): OwnedObjectStore {
  const alive = (now: number) =>
    read<OwnedObject>(TABLE).where((row) => row.whereNull('expires_at').orWhere('expires_at', '>', now))

  return {
    async find(objects, now) {
      if (objects.length === 0) return []
      const pairs = objects.map(({ kind, id }) => [kind, toStorableText(id)])
      return alive(now).whereIn(['kind', 'id'], pairs).select(FIELDS) as Promise<OwnedObject[]>
    },
    async findOfItem(accountId, { id, stem }, now) {
      const own = () => alive(now).where({ account_id: accountId, kind: 'response' })
      const selectNewest = (rows: Knex.QueryBuilder, limit: number) =>
        rows.orderBy('created_at', 'desc').limit(limit).select(FIELDS)
      const first = async (rows: Knex.QueryBuilder) => ((await selectNewest(rows, 1)) as OwnedObject[])[0]
      const answer = stem === '' ? undefined : await first(own().where({ stem }))
      const like = read.raw(`? escape '!'`, [`% ${escapePattern(toStorableText(id))} %`])
      return answer ?? first(read(selectNewest(own(), NEWEST).as('newest')).where('items', 'like', like))
    },
    async remove({ kind, id }) {
      await write(TABLE)
        .where({ kind, id: toStorableText(id) })
        .delete()
    },
    async forget(before) {
      await write(TABLE).where('expires_at', '<', before).delete()
    },
  }
}

const escapePattern = (text: string): string => text.replace(/[!%_]/g, '!$&')
