// Passkeys in the database. Public keys need no encryption.
import type { BrowserStore, StoredPasskeyRow, PasskeyStore, SecondFactorStore } from '../../../auth/stores.ts'
import type { VerificationStore } from '../../../auth/verification.ts'
import type { EncryptedPlace, Secrets } from '../../../ports/secrets.ts'
import type { Database } from '../connection/database.ts'
import { toStorableId, toStorableText } from '../sql/table.ts'

export function createPasskeyStore({ write, read }: Database): PasskeyStore {
  return {
    find: async (id) =>
      (await read<StoredPasskeyRow>('passkeys')
        .where({ id: toStorableText(id) })
        .first()) ?? null,
    listOfUser: (userId) =>
      read<StoredPasskeyRow>('passkeys')
        .where({ user_id: toStorableId(userId) })
        .orderBy('created_time'),
    async insert(passkey) {
      await write('passkeys').insert({ ...passkey, name: toStorableText(passkey.name) })
    },
    use: async (id, counter, used_time) =>
      // Many authenticators always report a signature counter of 0. The others must increase it with each use.
      (await write('passkeys')
        .where({ id })
        .where((fresh) => fresh.where('counter', '<', counter).orWhere({ counter: 0 }))
        .update({ counter, used_time })) > 0,
    delete: async (userId, id) =>
      (await write('passkeys')
        .where({ user_id: toStorableId(userId), id: toStorableText(id) })
        .delete()) > 0,
  }
}

// Authenticator apps and backup codes in the database: secrets encrypted, codes as keyed hashes.

const getSealedPlace = (userId: number): EncryptedPlace => ['second_factors.secret_sealed', toStorableId(userId)]

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

// One-time secrets in the database: the owner stored only as a keyed hash, the content encrypted.

interface VerificationRow {
  payload_sealed: string
  attempts: number
}

/** On SQLite the query builder does not return deleted rows. */
const TAKE = `delete from verifications where purpose = ? and key_hash = ? and expires_time > ? returning payload_sealed`

export function createVerificationStore({ write }: Database, secrets: Secrets): VerificationStore {
  const hashKey = (purpose: string, key: string) => secrets.hash(`${purpose}:${key}`)
  const getSealedPlace = (purpose: string, key: string): EncryptedPlace => [
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
        .returning(['payload_sealed', 'attempts'])) as VerificationRow[]
      return row
        ? { payload: secrets.decrypt(row.payload_sealed, getSealedPlace(purpose, key)), attempts: row.attempts }
        : null
    },
    async take(purpose, key, now) {
      const result = (await write.raw(TAKE, [purpose, hashKey(purpose, key), now])) as
        VerificationRow[] | { rows: VerificationRow[] }
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

// The known browsers of accounts, in the database.

const KNOWN_BY_ONE = 50

export function createBrowserStore({ write, read }: Database): BrowserStore {
  return {
    async knows(userId, browser_hash) {
      const row = await read('known_browsers')
        .where({ user_id: toStorableId(userId), browser_hash })
        .first('user_id')
      return row !== undefined
    },
    async knownByEmail(email, browser_hash) {
      const row = await read('known_browsers')
        .join('users', 'users.id', 'known_browsers.user_id')
        .where({ browser_hash })
        .whereRaw('lower(users.email) = lower(?)', [toStorableText(email)])
        .first('users.id')
      return row !== undefined
    },
    remember: (userId, { before, hash }, now) =>
      write.transaction(async (transaction) => {
        const browsers = () => transaction('known_browsers')
        const own = { user_id: toStorableId(userId) }
        await browsers().where({ browser_hash: before }).update({ browser_hash: hash })
        await browsers()
          .insert({ ...own, browser_hash: hash, used_time: now })
          .onConflict(['user_id', 'browser_hash'])
          .merge(['used_time'])
        const latest = browsers().where(own).orderBy('used_time', 'desc').limit(KNOWN_BY_ONE).select('browser_hash')
        await browsers().where(own).whereNotIn('browser_hash', latest).delete()
      }),
    async deleteOld(time) {
      await write('known_browsers').where('used_time', '<', time).delete()
    },
  }
}
