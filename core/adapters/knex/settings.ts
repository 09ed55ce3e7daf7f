// Operator settings in the database, as texts by key; those of secret settings encrypted.
import type { Secrets } from '../../ports/secrets.ts'
import type { SettingsStore } from '../../settings/store.ts'
import { insertAudit } from './audit.ts'
import type { Database } from './database.ts'
import { storable } from './table.ts'

interface OptionRow {
  key: string
  value: string
  sealed: boolean | number
}

export function createSettingsStore({ write, read }: Database, secrets: Secrets): SettingsStore {
  return {
    async all() {
      const rows = await read<OptionRow>('options').select('key', 'value', 'sealed').orderBy('key')
      return rows.map(({ key, value, sealed }) => ({
        key,
        value: sealed ? secrets.decrypt(value, ['options.value', key]) : value,
      }))
    },
    async save(entries, audit = []) {
      await write.transaction(async (transaction) => {
        for (const { key, value, secret } of entries) {
          if (value === null) {
            await transaction<OptionRow>('options').where({ key }).delete()
            continue
          }
          const row = {
            key,
            value: secret ? secrets.encrypt(value, ['options.value', key]) : storable(value),
            sealed: secret,
          }
          await transaction<OptionRow>('options').insert(row).onConflict('key').merge()
        }
        await insertAudit(transaction, audit)
      })
    },
  }
}
