// An encrypted value can only be decrypted in its place: copied to another row, column or table, it is useless.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { encryptedColumns } from '../../core/adapters/knex/secrets/secret-rotation.ts'
import { loadChainKeys } from '../../core/adapters/knex/secrets/signing-keys.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { checkMasterSecret } from '../../core/adapters/knex/schema/installation.ts'
import { openDatabase, type DatabaseLocation } from '../../core/adapters/knex/schema/open.ts'
import type { StoredPlace, StoredSecretColumn, Secrets } from '../../core/ports/secrets.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { ports, silent, testSecrets as secrets } from '../support/databases.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { unboundSecrets } from '../support/unbound.ts'
import { openMemoryGateway } from '../core/gateway.ts'
import { plant } from './plant.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const columns = Object.keys(encryptedColumns) as StoredSecretColumn[]
const VALUE = /v\d\.[\w-]{38,}/

interface Held {
  place: StoredPlace
  /** What the column holds, and the encrypted text in it. */
  stored: string
  sealed: string
}

/** How each column is read; every one of them opens what it finds. */
const readers: Record<
  StoredSecretColumn,
  (storage: Storage, secrets: Secrets, database: Database) => Promise<unknown>
> = {
  'tokens.key_sealed': (storage) => storage.tokens.find(1),
  'tokens.digest_sealed': (storage) => storage.tokens.find(2),
  'channels.key_sealed': (storage) => storage.channels.all(),
  'channels.setting': (storage) => storage.channels.list({ offset: 0, limit: 9 }),
  'redemptions.key_sealed': (storage) => storage.redemptions.find(1),
  'options.value': (storage) => storage.settings.all(),
  'users.setting': async (storage, { decrypt }) =>
    decrypt(JSON.parse((await storage.users.find(1))!.setting).webhook_secret, ['users.setting', 1]),
  'second_factors.secret_sealed': (storage) => storage.secondFactors.find(1),
  'login_providers.client_secret_sealed': (storage) => storage.loginServices.list(),
  'verifications.payload_sealed': (storage) => storage.verifications.attempt('email', 'a@example.com', 1),
  'kept_responses.sealed': async (storage, { hash, decrypt }) => {
    const row = (await storage.keptResponses.find(hash('planted answer')))!
    return decrypt(row.sealed!, ['kept_responses.sealed', row.id_hash])
  },
  'alert_rules.webhook_secret_sealed': (storage) => storage.alerts.rules(),
  'installation.chain_keys_sealed': (_storage, own, database) => loadChainKeys(database.read, own),
  'installation.secret_check': (_storage, own, database) => checkMasterSecret(database, own),
  'installation.receipt_key_sealed': (storage) => storage.receiptKey.getOrCreate(() => 'another'),
}

let end: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of end.splice(0).reverse()) await each()
})

describe.each(listDatabaseKinds())('sealed values on %s', (kind) => {
  async function placed(): Promise<DatabaseLocation> {
    if (kind === 'postgres') return { database: await migratedDatabase(), logger: silent }
    const folder = await mkdtemp(join(tmpdir(), 'weir-places-'))
    end.push(() => rm(folder, { recursive: true, force: true }))
    return { folder, logger: silent }
  }

  /** Plants everything with these secrets, and leaves. */
  async function planted(place: DatabaseLocation, as: Secrets): Promise<void> {
    const weir = await openMemoryGateway({ isNew: true, place, secrets: as })
    await plant(weir)
    await weir.close()
  }
  /** A second way in: on sqlite past the lock of the folder. */
  const looseDatabase = ({ database, folder }: DatabaseLocation) =>
    database ? connectPostgres(database, silent) : connectSqlite(folder ?? null, silent)
  const bare = async <T>(place: DatabaseLocation, work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(place)
    return work(database).finally(() => database.close())
  }

  const heldIn = async ({ read }: Database): Promise<Held[]> => {
    const found = columns.map(async (column): Promise<Held[]> => {
      const [table = '', name = ''] = column.split('.')
      const { id } = encryptedColumns[column]
      const rows: Record<string, string>[] = await read(table).select(id, name).orderBy(id)
      return rows.flatMap((row) => {
        const stored = row[name] ?? ''
        const sealed = VALUE.exec(stored)?.[0]
        return sealed === undefined ? [] : [{ place: [column, row[id] ?? ''], stored, sealed }]
      })
    })
    return (await Promise.all(found)).flat()
  }
  const put = (database: Database, { place: [column, row], stored }: Pick<Held, 'place' | 'stored'>) => {
    const [table = '', name = ''] = column.split('.')
    return database
      .write(table)
      .where({ [encryptedColumns[column].id]: row })
      .update({ [name]: stored })
  }
  const opens = (sealed: string, place: StoredPlace) => {
    try {
      secrets.decrypt(sealed, place)
      return true
    } catch {
      return false
    }
  }

  it('each opens in its own place and in no other row, column or table', async () => {
    const place = await placed()
    await planted(place, secrets)
    const held = await bare(place, heldIn)
    expect(new Set(held.map(({ place: [column] }) => column))).toEqual(new Set(columns))
    for (const { place: own, sealed } of held) {
      const [, row] = own
      const places = columns.flatMap((column): StoredPlace[] =>
        [...new Set([row, 2, 'other'])].map((each) => [column, each]),
      )
      const opened = places.filter((each) => opens(sealed, each))
      expect(opened, own.join(' ')).toEqual([own])
    }
  })

  it('whoever reads a column refuses what was copied into it', async () => {
    const place = await placed()
    await planted(place, secrets)
    const held = await bare(place, heldIn)
    const one = columns.map((column) => held.find((each) => each.place[0] === column)!)
    const storage = await openStorage({ ...place, ...ports() })
    end.push(() => storage.close())
    const database = await looseDatabase(place)
    end.push(() => database.close())
    for (const into of one) {
      const [column] = into.place
      await expect(readers[column](storage, secrets, database), column).resolves.not.toThrow()
      for (const { sealed, place: from } of one) {
        if (from === into.place) continue
        await put(database, { ...into, stored: into.stored.replace(VALUE, sealed) })
        await expect(readers[column](storage, secrets, database), `${from} into ${column}`).rejects.toThrow()
      }
      await put(database, into)
    }
  })

  it('those of the first releases are sealed anew at the next start, and never accepted again', async () => {
    const place = await placed()
    await planted(place, unboundSecrets('a secret for tests'))
    const old = await bare(place, heldIn)
    expect(old.every(({ sealed }) => sealed.startsWith('v1.'))).toBe(true)

    const storage = await openStorage({ ...place, ...ports() })
    end.push(() => storage.close())
    const database = await looseDatabase(place)
    end.push(() => database.close())
    const fresh = await heldIn(database)
    expect(fresh.map(({ place: each }) => each)).toEqual(old.map(({ place: each }) => each))
    for (const [at, { place: own, sealed }] of fresh.entries()) {
      // The ledger's keys were none of the first releases'.
      if (own[0] === 'installation.chain_keys_sealed') continue
      expect(secrets.decrypt(sealed, own)).toBe(secrets.decryptUnbound(old[at]!.sealed))
    }

    for (const [at, before] of old.entries()) {
      const [column] = before.place
      if (column === 'installation.secret_check') continue
      await put(database, before)
      await expect(readers[column](storage, secrets, database), column).rejects.toThrow(
        /not encrypted by Weir|was changed/,
      )
      // Without these two nothing starts.
      if (column.startsWith('installation.')) await put(database, fresh[at]!)
    }
    // Nor after another start.
    await storage.close()
    end.splice(-2, 1)
    const again = await openStorage({ ...place, ...ports() })
    end.push(() => again.close())
    await expect(again.tokens.find(1)).rejects.toThrow(/not encrypted by Weir/)
  })
})
