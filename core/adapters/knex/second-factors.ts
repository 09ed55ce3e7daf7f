// Authenticator apps and backup codes in the database: secrets encrypted, codes as keyed hashes.
import type { SecondFactorStore } from '../../auth/second-factor-store.ts'
import type { SealedPlace, Secrets } from '../../ports/secrets.ts'
import type { Database } from './database.ts'
import { toStorableId } from './table.ts'

const getSealedPlace = (userId: number): SealedPlace => ['second_factors.secret_sealed', toStorableId(userId)]

export function createSecondFactorStore({ write, read }: Database, secrets: Secrets): SecondFactorStore {
  const of = (userId: number) => ({ user_id: toStorableId(userId) })
  const renewBackups = (userId: number, hashes: string[]) =>
    write.transaction(async (transaction) => {
      await transaction('backup_codes').where(of(userId)).delete()
      const rows = hashes.map((code_hash) => ({ ...of(userId), code_hash }))
      if (rows.length > 0) await transaction('backup_codes').insert(rows)
    })

  return {
    async find(userId) {
      const row = await read('second_factors').where(of(userId)).first('secret_sealed', 'confirmed_time')
      if (!row) return null
      const secret = secrets.decrypt(row.secret_sealed, getSealedPlace(userId))
      return { user_id: userId, secret, confirmed_time: row.confirmed_time }
    },
    async begin(userId, secret) {
      await write('second_factors').where(of(userId)).whereNull('confirmed_time').delete()
      await write('second_factors').insert({
        ...of(userId),
        secret_sealed: secrets.encrypt(secret, getSealedPlace(userId)),
      })
    },
    async confirm(userId, now, backupHashes) {
      await write('second_factors').where(of(userId)).update({ confirmed_time: now })
      await renewBackups(userId, backupHashes)
    },
    renewBackups,
    useStep: async (userId, step) =>
      (await write('second_factors').where(of(userId)).where('last_step', '<', step).update({ last_step: step })) > 0,
    useBackup: async (userId, code_hash) =>
      (await write('backup_codes')
        .where({ ...of(userId), code_hash })
        .delete()) > 0,
    async countBackups(userId) {
      const row = await read('backup_codes').where(of(userId)).count({ total: '*' }).first()
      return Number(row?.total)
    },
    async remove(userId) {
      await write('backup_codes').where(of(userId)).delete()
      await write('second_factors').where(of(userId)).delete()
    },
  }
}
