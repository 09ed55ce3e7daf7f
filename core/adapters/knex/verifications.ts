// One-time secrets in the database: the owner stored only as a keyed hash, the content encrypted.
import type { VerificationStore } from '../../auth/verification.ts'
import type { SealedPlace, Secrets } from '../../ports/secrets.ts'
import type { Database } from './database.ts'

interface Row {
  payload_sealed: string
  attempts: number
}

/** On SQLite the query builder does not return deleted rows. */
const TAKE = `delete from verifications where purpose = ? and key_hash = ? and expires_time > ? returning payload_sealed`

export function createVerificationStore({ write }: Database, secrets: Secrets): VerificationStore {
  const hashKey = (purpose: string, key: string) => secrets.hash(`${purpose}:${key}`)
  const getSealedPlace = (purpose: string, key: string): SealedPlace => [
    'verifications.payload_sealed',
    hashKey(purpose, key),
  ]
  const at = (purpose: string, key: string) =>
    write('verifications').where({ purpose, key_hash: hashKey(purpose, key) })
  return {
    async put(purpose, key, payload, expires_time) {
      const row = { purpose, key_hash: hashKey(purpose, key), attempts: 0, expires_time }
      await write('verifications')
        .insert({ ...row, payload_sealed: secrets.encrypt(payload, getSealedPlace(purpose, key)) })
        .onConflict(['purpose', 'key_hash'])
        .merge()
    },
    async attempt(purpose, key, now) {
      const [row] = (await at(purpose, key)
        .where('expires_time', '>', now)
        .update({ attempts: write.raw('attempts + 1') })
        .returning(['payload_sealed', 'attempts'])) as Row[]
      return row
        ? { payload: secrets.decrypt(row.payload_sealed, getSealedPlace(purpose, key)), attempts: row.attempts }
        : null
    },
    async take(purpose, key, now) {
      const result = (await write.raw(TAKE, [purpose, hashKey(purpose, key), now])) as Row[] | { rows: Row[] }
      const [row] = Array.isArray(result) ? result : result.rows
      return row ? secrets.decrypt(row.payload_sealed, getSealedPlace(purpose, key)) : null
    },
    async holds(purpose, key, now) {
      return (await at(purpose, key).where('expires_time', '>', now).first('purpose')) !== undefined
    },
    async deleteExpired(now) {
      await write('verifications').where('expires_time', '<', now).delete()
    },
  }
}
