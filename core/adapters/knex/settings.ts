// Operator settings in the database, as texts by key. Secret settings are encrypted.
import type { Knex } from 'knex'
import type { LoginService } from '../../auth/methods/oidc.ts'
import type { LoginServiceStore } from '../../auth/stores.ts'
import { fail } from '../../errors.ts'
import type { EncryptedPlace, Secrets } from '../../ports/secrets.ts'
import { PriceChange } from '../../settings/price-change.ts'
import type { SettingsStore } from '../../settings/store.ts'
import { createAuditWriter } from './audit.ts'
import type { Database } from './connection/database.ts'
import { readQueryPage } from './sql/paging.ts'
import { defineTable, toStorableId, toStorableText, updateTableRow, violatesUniqueIndex } from './sql/table.ts'

interface OptionRow {
  key: string
  value: string
  sealed: boolean | number
}

const changes = defineTable('price_changes', PriceChange, { readonly: ['id'] })

/** Rows of one statement: a price list may change thousands at once. */
const ROWS_AT_ONCE = 100

export function createSettingsStore({ kind, write, read }: Database, secrets: Secrets): SettingsStore {
  const decryptRow = ({ key, value, sealed }: OptionRow) => ({
    key,
    value: sealed ? secrets.decrypt(value, ['options.value', key]) : value,
  })
  async function isAsItWas(transaction: Knex.Transaction, was: ReadonlyMap<string, string | null>): Promise<boolean> {
    // Blocks all other writes of settings, including new ones, until this transaction ends. SQLite has only one writer
    // anyway.
    if (kind === 'postgres') await transaction.raw('lock table options in share row exclusive mode')
    const rows = await transaction<OptionRow>('options').whereIn('key', [...was.keys()])
    const now = new Map(rows.map(decryptRow).map(({ key, value }) => [key, value]))
    return [...was].every(([key, value]) => (now.get(key) ?? null) === value)
  }

  return {
    async all() {
      const rows = await read<OptionRow>('options').select('key', 'value', 'sealed').orderBy('key')
      return rows.map(decryptRow)
    },
    save: (entries, { audit = [], prices = [], was = new Map() } = {}) =>
      write.transaction(async (transaction) => {
        if (was.size > 0 && !(await isAsItWas(transaction, was))) return false
        for (const { key, value, secret } of entries) {
          if (value === null) {
            await transaction<OptionRow>('options').where({ key }).delete()
            continue
          }
          const row = {
            key,
            value: secret ? secrets.encrypt(value, ['options.value', key]) : toStorableText(value),
            sealed: secret,
          }
          await transaction<OptionRow>('options').insert(row).onConflict('key').merge()
        }
        await createAuditWriter(transaction).insert(audit)
        if (prices.length > 0) await transaction.batchInsert('price_changes', prices.map(changes.values), ROWS_AT_ONCE)
        return true
      }),
    async priceChanges({ model, channel }, slice) {
      const matching = () => {
        const query = read('price_changes')
        if (model !== '') query.where({ model: toStorableText(model) })
        if (channel !== '') query.where({ channel: toStorableText(channel) })
        return query
      }
      const { items, ...count } = await readQueryPage(matching, slice, { table: changes })
      return { items: items.map(changes.entity), ...count }
    },
    async priceChange(id) {
      const row = await read('price_changes')
        .where({ id: toStorableId(id) })
        .first()
      return row && changes.entity(row)
    },
    async lastPriceChange({ model, channel }) {
      const of = { model: toStorableText(model), channel: toStorableText(channel) }
      const row = await read('price_changes').where(of).orderBy('id', 'desc').first()
      return row && changes.entity(row)
    },
  }
}

// Sign-in services added by the operator, with encrypted secrets.

/** Bound to the id as it is stored. */
const getSealedPlace = (id: string): EncryptedPlace => ['login_providers.client_secret_sealed', toStorableText(id)]

type LoginServiceRow = Omit<LoginService, 'client_secret'> & { client_secret_sealed: string }

export function createLoginServiceStore({ write, read }: Database, secrets: Secrets): LoginServiceStore {
  const entity = ({ client_secret_sealed, enabled, ...rest }: LoginServiceRow): LoginService => ({
    ...rest,
    enabled: Boolean(enabled),
    client_secret: secrets.decrypt(client_secret_sealed, getSealedPlace(rest.id)),
  })
  const row = ({ client_secret, ...rest }: Partial<LoginService>, id: string) => ({
    ...rest,
    id: toStorableText(id),
    ...(client_secret === undefined
      ? {}
      : { client_secret_sealed: secrets.encrypt(client_secret, getSealedPlace(id)) }),
  })
  return {
    async find(id) {
      const found = await read<LoginServiceRow>('login_providers')
        .where({ id: toStorableText(id) })
        .first()
      return found ? entity(found) : null
    },
    list: async () => (await read<LoginServiceRow>('login_providers').orderBy('id')).map(entity),
    async insert(provider) {
      try {
        await write('login_providers').insert(row(provider, provider.id))
      } catch (error) {
        const taken =
          violatesUniqueIndex(error, 'login_providers_pkey') || violatesUniqueIndex(error, 'login_providers.id')
        if (taken) fail('provider.taken', {}, { cause: error })
        throw error
      }
    },
    async update(id, patch, edit) {
      const { id: key, ...values } = row(patch, id)
      return (await updateTableRow(write, { table: 'login_providers', id: key, noun: 'provider' }, values, edit)) > 0
    },
    delete: async (id) =>
      (await write('login_providers')
        .where({ id: toStorableText(id) })
        .delete()) > 0,
  }
}
