// API tokens in the database: keys encrypted, found by keyed hash. Their budgets are the ledger's to write.
import type { Knex } from 'knex'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { SealedPlace, Secrets } from '../../ports/secrets.ts'
import type { TokenStore } from '../../tokens/store.ts'
import { NEVER, Token, TOKEN_STATUS } from '../../tokens/token.ts'
import type { Database } from './database.ts'
import { updateRow } from './edits.ts'
import { insertSealed } from './insert-sealed.ts'
import { readPage } from './paging.ts'
import { asId, contains, storable, tableOf } from './table.ts'

/** How much of a key is kept in clear, to search by: too little to guess the rest. */
const PREFIX_LENGTH = 6

const placeOf = (id: number): SealedPlace => ['tokens.key_sealed', id]

const table = tableOf('tokens', Token, {
  without: ['key'],
  readonly: ['id', 'remain_quota', 'unlimited_quota', 'used_quota', 'accessed_time', 'version'],
})

/** Those whose `tokenStatus` is this one. */
function inState(status: number, now: number) {
  const isOver = (query: Knex.QueryBuilder) => query.whereNot({ expired_time: NEVER }).where('expired_time', '<', now)
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

export function createTokenStore({ write, read }: Database, secrets: Secrets, clock: Clock): TokenStore {
  const columns = [...table.columns, 'tokens.key_sealed']
  const tokens = () => read('tokens').select(columns).whereNull('deleted_at')
  const entity = (row: Record<string, unknown>): Token => ({
    ...table.entity(row),
    key: secrets.decrypt(row.key_sealed as string, placeOf(Number(row.id))),
  })
  const entityOrNull = (row: Record<string, unknown> | undefined) => (row ? entity(row) : null)

  return {
    async insert(token) {
      const values = {
        ...table.values(token),
        key_hash: secrets.hash(token.key),
        key_prefix: token.key.slice(0, PREFIX_LENGTH),
      }
      const seal = (id: number) => ({ key_sealed: secrets.encrypt(token.key, placeOf(id)) })
      const row = await write.transaction((transaction) =>
        insertSealed(transaction, { table: 'tokens', values: { ...values, key_sealed: '' }, seal, columns }),
      )
      return entity(row)
    },
    find: async (id) =>
      entityOrNull(
        await tokens()
          .where({ id: asId(id) })
          .first(),
      ),
    findByKey: async (key) =>
      entityOrNull(
        await tokens()
          .where({ key_hash: secrets.hash(key) })
          .first(),
      ),
    async listOfUser(userId, { keyword = '', key = '', group = '', status = 0 }, slice) {
      const start = storable(key.trim().replace(/^sk-/, ''))
      const prefix = start.slice(0, PREFIX_LENGTH)
      const matching = () => {
        const query = read('tokens')
          .whereNull('deleted_at')
          .where({ user_id: asId(userId) })
        if (keyword !== '') query.where(contains(read, 'name', keyword))
        if (group !== '') query.where({ group: storable(group) })
        if (status !== 0) query.where(inState(status, seconds(clock)))
        if (prefix !== '') query.whereRaw('substr(key_prefix, 1, ?) = ?', [prefix.length, prefix])
        return query
      }
      // What is longer than the part in clear is looked for in the few keys that begin so.
      const alike: Token[] = start === prefix ? [] : (await matching().select(columns)).map(entity)
      const ids = alike.filter((token) => token.key.startsWith(start)).map(({ id }) => id)
      const found = () => (start === prefix ? matching() : matching().whereIn('id', ids))
      const { items, ...count } = await readPage(found, slice, { table, columns })
      return { items: items.map(entity), ...count }
    },
    async listOfTeam(teamId, slice) {
      const found = () =>
        read('tokens')
          .whereNull('deleted_at')
          .where({ team_id: asId(teamId) })
      const { items, ...count } = await readPage(found, slice, { table, columns })
      return { items: items.map(entity), ...count }
    },
    async update(id, patch, edit) {
      await updateRow(write, { table: 'tokens', id: asId(id), noun: 'token' }, table.values(patch), edit)
    },
    async delete(id) {
      await write('tokens')
        .where({ id: asId(id) })
        .whereNull('deleted_at')
        .update({ deleted_at: seconds(clock) })
    },
  }
}
