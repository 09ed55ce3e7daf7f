// Channels in the database: keys encrypted and found by keyed hash, settings encrypted. The ledger writes their charged
// totals.
import type { Knex } from 'knex'
import { BY_PRIORITY, Channel, parseJsonObjectText, type ChannelWithKey } from '../../channels/channel.ts'
import { hasSettingSecrets } from '../../channels/setting-secrets.ts'
import type {
  ChannelBalance,
  ChannelChange,
  ChannelSelection,
  ChannelFilter,
  ChannelStore,
  NewChannel,
} from '../../channels/store.ts'
import { findFreeSlug, toSlug } from '../../contract/slug.ts'
import type { EncryptedPlace, Secrets } from '../../ports/secrets.ts'
import type { Database } from './connection/database.ts'
import { createAddCharges } from './ledger/ledger.ts'
import { applyPageOrder, readQueryPage } from './sql/paging.ts'
import {
  columnContainsText,
  defineTable,
  getIdColumn,
  listColumnContains,
  insertWithSecrets,
  toStorableId,
  toStorableText,
  updateTableRow,
} from './sql/table.ts'

// A channel's stored setting: encrypted as a whole if it has headers or a proxy, which may contain keys.

/** Formats the stored text of a setting. Its member `sealed` is one of `encryptedColumns`. */
export const encodeSetting = (setting: string, id: number, secrets: Secrets): string =>
  hasSettingSecrets(setting) ? JSON.stringify({ sealed: secrets.encrypt(setting, ['channels.setting', id]) }) : setting

export function decodeSetting(stored: string, id: number, secrets: Secrets): string {
  const { sealed, ...rest } = parseJsonObjectText(stored)
  return typeof sealed === 'string' && Object.keys(rest).length === 0
    ? secrets.decrypt(sealed, ['channels.setting', id])
    : stored
}

/** Encrypts settings that an earlier version stored in plain text. A row that changes after it was read is skipped. */
export async function encryptChannelSettings({ read, write }: Database, secrets: Secrets): Promise<void> {
  const rows: { id: number; setting: string }[] = await read('channels')
    .select('id', 'setting')
    .where((any) => any.where('setting', 'like', '%"headers"%').orWhere('setting', 'like', '%"proxy"%'))
  for (const { id, setting } of rows) {
    await write('channels')
      .where({ id, setting })
      .update({ setting: encodeSetting(setting, id, secrets) })
  }
}

const getSealedPlace = (id: number): EncryptedPlace => ['channels.key_sealed', id]

const table = defineTable('channels', Channel, { readonly: ['id', 'slug', 'used_quota', 'version'] })

export function createChannelStore(database: Database, secrets: Secrets): ChannelStore {
  const { write, read } = database
  const addCharges = createAddCharges(database)
  const channels = () => read('channels').select(table.columns)
  const entity = (row: Record<string, unknown>): Channel =>
    table.entity({ ...row, setting: decodeSetting(String(row.setting), Number(row.id), secrets) })
  const toKeyedChannel = (row: Record<string, unknown>): ChannelWithKey => ({
    ...entity(row),
    key: secrets.decrypt(row.key_sealed as string, getSealedPlace(Number(row.id))),
  })
  const sealChange = ({ key, setting }: ChannelChange, id: number): Record<string, unknown> => ({
    ...(setting === undefined ? {} : { setting: toStorableText(encodeSetting(setting, id, secrets)) }),
    ...(key === undefined ? {} : { key_sealed: secrets.encrypt(key, getSealedPlace(id)), key_hash: secrets.hash(key) }),
  })

  const matching =
    ({ keyword, status, type, tag, group, model }: ChannelFilter) =>
    (query: Knex.QueryBuilder) => {
      if (keyword) {
        query.where((any) => {
          any
            .where(columnContainsText(read, 'name', keyword))
            .orWhere(columnContainsText(read, 'remark', keyword))
            .orWhere({ key_hash: secrets.hash(keyword) })
            .orWhere({ slug: toStorableText(keyword) })
          if (/^\d{1,15}$/.test(keyword)) any.orWhere({ id: Number(keyword) })
        })
      }
      if (status) query.where({ status })
      if (type) query.where({ type })
      if (tag) query.where({ tag: toStorableText(tag) })
      if (group) query.whereRaw(listColumnContains(read, 'group', group))
      if (model) query.where(columnContainsText(read, 'models', model))
    }

  return {
    insert: (added) =>
      write.transaction(async (transaction) => {
        const inserted: Channel[] = []
        const taken = new Set<string>(await transaction('channels').pluck('slug'))
        const fresh = ({ slug = '', name }: NewChannel) =>
          slug || findFreeSlug(toSlug(name, 'channel'), (one) => taken.has(one))
        // Inserted one by one, so that the ids follow the given order.
        for (const channel of added) {
          const slug = fresh(channel)
          taken.add(slug)
          const own = { ...getIdColumn(channel), slug }
          const values = { ...table.values(channel), ...own, setting: '', key_sealed: '', key_hash: '' }
          const seal = (id: number) => sealChange(channel, id)
          inserted.push(
            entity(await insertWithSecrets(transaction, { table: 'channels', values, seal, columns: table.columns })),
          )
        }
        return inserted
      }),
    addCharges,
    async find(id) {
      await addCharges()
      const row = await channels()
        .select('key_sealed')
        .where({ id: toStorableId(id) })
        .first()
      return row ? toKeyedChannel(row) : null
    },
    async lock(id) {
      await write('channels')
        .where({ id: toStorableId(id) })
        .forNoKeyUpdate()
        .first('id')
    },
    async all() {
      await addCharges()
      return (await channels().select('key_sealed').orderBy('id')).map(toKeyedChannel)
    },
    balances: async () =>
      (await read('channels').select('id', 'status', 'balance', 'balance_updated_time')).map(
        (row: Record<keyof ChannelBalance, unknown>) => ({
          id: Number(row.id),
          status: Number(row.status),
          balance: Number(row.balance),
          balance_updated_time: Number(row.balance_updated_time),
        }),
      ),
    async list(slice, filter = {}) {
      await addCharges()
      const rows = () => read('channels').where(matching(filter))
      const { items, ...count } = await readQueryPage(rows, slice, { table, first: BY_PRIORITY })
      return { items: items.map(entity), ...count }
    },
    async search(filter, order) {
      await addCharges()
      return (await applyPageOrder(channels().where(matching(filter)), table, order)).map(entity)
    },
    async update(id, patch, edit) {
      const changed = { ...table.values(patch), ...sealChange(patch, toStorableId(id)) }
      delete changed.created_time
      await updateTableRow(write, { table: 'channels', id: toStorableId(id), noun: 'channel' }, changed, edit)
    },
    async tags(filter = {}) {
      const query = read('channels').where(matching(filter)).distinct('tag').orderBy('tag')
      const tags = ((await query) as { tag: string | null }[]).map(({ tag }) => tag ?? '')
      return [...tags.filter((tag) => tag !== ''), ...(tags.includes('') ? [''] : [])]
    },
    async ofTags(tags, order, filter = {}) {
      if (tags.length === 0) return []
      await addCharges()
      const query = channels()
        .where(matching(filter))
        .where((any) => {
          any.whereIn('tag', tags)
          if (tags.includes('')) any.orWhereNull('tag')
        })
      return (await applyPageOrder(query, table, order)).map(entity)
    },
    async updateMany(which, patch, { raises }) {
      const changed = { ...table.values(patch), ...(raises ? { version: write.raw('version + 1') } : {}) }
      if (Object.keys(changed).length === 0) return 0
      return chosen(write('channels'), which).update(changed)
    },
    deleteMany: (which) => chosen(write('channels'), which).delete(),
  }
}

function chosen(query: Knex.QueryBuilder, which: ChannelSelection): Knex.QueryBuilder {
  if ('ids' in which) return query.whereIn('id', which.ids.map(toStorableId))
  return 'tag' in which ? query.where({ tag: toStorableText(which.tag) }) : query.whereIn('status', which.statuses)
}
