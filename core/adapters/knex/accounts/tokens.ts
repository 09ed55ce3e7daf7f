// API tokens in the database: keys encrypted and found by keyed hash. The ledger writes their budgets.
import type { Knex } from 'knex'
import { findFreeSlug, toSlug } from '../../../contract/slug.ts'
import { seconds, type Clock } from '../../../ports/clock.ts'
import type { EncryptedPlace, Secrets } from '../../../ports/secrets.ts'
import type { TokenStore } from '../../../tokens/store.ts'
import { toFullKey, NEVER_EXPIRES, splitPin, Token, TOKEN_STATUS, type StoredToken } from '../../../tokens/token.ts'
import type { Database } from '../connection/database.ts'
import {
  columnContainsText,
  defineTable,
  getIdColumn,
  insertWithSecrets,
  toStorableId,
  toStorableText,
  updateTableRow,
} from '../sql/table.ts'
import { toDigestPlace, buildUnknownKey } from '../secrets/key-digests.ts'
import { readQueryPage } from '../sql/paging.ts'

/** Length of the plain-text prefix of a key, for search: too short to guess the rest. */
const PREFIX_LENGTH = 6

const getSealedPlace = (id: number): EncryptedPlace => ['tokens.key_sealed', id]

const table = defineTable('tokens', Token, {
  without: ['key'],
  readonly: ['id', 'slug', 'remain_quota', 'unlimited_quota', 'used_quota', 'accessed_time', 'version'],
})

/** Selects tokens whose `getTokenStatus` is this one. */
function inState(status: number, now: number) {
  const isOver = (query: Knex.QueryBuilder) =>
    query.whereNot({ expired_time: NEVER_EXPIRES }).where('expired_time', '<', now)
  const isSpent = (query: Knex.QueryBuilder) => query.where({ unlimited_quota: false }).where('remain_quota', '<=', 0)
  return (query: Knex.QueryBuilder): void => {
    if (status === TOKEN_STATUS.disabled) return void query.where({ status })
    query.whereNot({ status: TOKEN_STATUS.disabled })
    if (status === TOKEN_STATUS.expired) return void query.where(isOver)
    query.whereNot(isOver)
    if (status === TOKEN_STATUS.exhausted) return void query.where(isSpent)
    if (status === TOKEN_STATUS.enabled) return void query.whereNot(isSpent)
    query.whereRaw('1 = 0')
  }
}

/** Built from its name and id. A file may have given that slug to another token. */
async function ownSlug(transaction: Knex.Transaction, name: string, id: number): Promise<string> {
  const slug = `${toSlug(name, 'token')}-${id}`
  const taken = await transaction('tokens').whereLike('slug', `${slug}%`).pluck('slug')
  return findFreeSlug(slug, (one) => taken.includes(one))
}

export function createTokenStore({ write, read }: Database, secrets: Secrets, clock: Clock): TokenStore {
  const columns = [...table.columns, 'tokens.key_sealed', 'tokens.digest_sealed']
  const tokens = () => read('tokens').select(columns).whereNull('deleted_at')
  const entity = (row: Record<string, unknown>): StoredToken => {
    const id = Number(row.id)
    const digest = row.digest_sealed as string | null
    return {
      ...table.entity(row),
      key: secrets.decrypt(row.key_sealed as string, getSealedPlace(id)),
      ...(digest === null ? {} : { key_digest: secrets.decrypt(digest, toDigestPlace(id)) }),
    }
  }
  /** Builds the stored columns of a known key. */
  const keptKey = (key: string, id: number) => ({
    key_hash: secrets.hash(key),
    key_prefix: key.slice(0, PREFIX_LENGTH),
    key_sealed: secrets.encrypt(key, getSealedPlace(id)),
  })
  const entityOrNull = (row: Record<string, unknown> | undefined) => (row ? entity(row) : null)

  return {
    async insert(token) {
      const { key_digest: digest } = token
      // A unique placeholder until its id is known.
      const unique = secrets.hash(digest ?? token.key)
      const blank = { key_hash: unique, key_prefix: '', key_sealed: '', slug: token.slug ?? unique }
      const row = await write.transaction((transaction) =>
        insertWithSecrets(transaction, {
          table: 'tokens',
          values: { ...table.values(token), ...getIdColumn(token), ...blank },
          seal: async (id) => ({
            ...(digest === undefined ? keptKey(token.key, id) : buildUnknownKey(id, digest, secrets)),
            ...(token.slug === undefined ? { slug: await ownSlug(transaction, token.name, id) } : {}),
          }),
          columns,
        }),
      )
      return entity(row)
    },
    find: async (id) =>
      entityOrNull(
        await tokens()
          .where({ id: toStorableId(id) })
          .first(),
      ),
    findByKey: async (key) =>
      entityOrNull(
        await tokens()
          .where({ key_hash: secrets.hash(key) })
          .first(),
      ),
    async findPresented(text) {
      if (text === '') return null
      const digest = secrets.digest(toFullKey(text))
      const own = splitPin(text)?.key ?? text
      const rows = await tokens().where((any) =>
        any
          .whereIn('key_hash', [...new Set([text, own])].map(secrets.hash))
          .orWhere({ digest_hash: secrets.hash(digest) }),
      )
      const found = rows.map(entity)
      const known = found.find(({ key }) => key === text)
      const imported = known ? undefined : found.find(({ key_digest }) => key_digest === digest)
      if (!imported) return known ?? found.find(({ key }) => key === own) ?? null
      const { key_digest: _digest, ...token } = imported
      await write('tokens')
        .where({ id: token.id, digest_hash: secrets.hash(digest) })
        .update({ ...keptKey(text, token.id), digest_sealed: null, digest_hash: null })
      return { ...token, key: text }
    },
    async listOfUser(userId, { keyword = '', key = '', group = '', status = 0 }, slice) {
      const start = toStorableText(key.trim().replace(/^sk-/, ''))
      const prefix = start.slice(0, PREFIX_LENGTH)
      const matching = () => {
        const query = read('tokens')
          .whereNull('deleted_at')
          .where({ user_id: toStorableId(userId) })
        if (keyword !== '') query.where(columnContainsText(read, 'name', keyword))
        if (group !== '') query.where({ group: toStorableText(group) })
        if (status !== 0) query.where(inState(status, seconds(clock)))
        if (prefix !== '') query.whereRaw('substr(key_prefix, 1, ?) = ?', [prefix.length, prefix])
        return query
      }
      // A search text longer than the stored prefix is compared with the few keys that have this prefix.
      const alike: Token[] = start === prefix ? [] : (await matching().select(columns)).map(entity)
      const ids = alike.filter((token) => token.key.startsWith(start)).map(({ id }) => id)
      const found = () => (start === prefix ? matching() : matching().whereIn('id', ids))
      const { items, ...count } = await readQueryPage(found, slice, { table, columns })
      return { items: items.map(entity), ...count }
    },
    async listOfTeam(teamId, slice) {
      const found = () =>
        read('tokens')
          .whereNull('deleted_at')
          .where({ team_id: toStorableId(teamId) })
      const { items, ...count } = await readQueryPage(found, slice, { table, columns })
      return { items: items.map(entity), ...count }
    },
    async update(id, patch, edit) {
      await updateTableRow(write, { table: 'tokens', id: toStorableId(id), noun: 'token' }, table.values(patch), edit)
    },
    delete: async (id) =>
      (await write('tokens')
        .where({ id: toStorableId(id) })
        .whereNull('deleted_at')
        .update({ deleted_at: seconds(clock) })) > 0,
  }
}
