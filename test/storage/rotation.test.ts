// A new master secret: everything that was encrypted is read with it, nothing with the old one, and no column is forgotten.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { keyedHashColumns, encryptedColumns } from '../../core/adapters/knex/secrets/secret-rotation.ts'
import { openGateway } from '../../core/adapters/node.ts'
import { rotateMasterSecret } from '../../core/adapters/maintenance.ts'
import type { Config } from '../../core/config.ts'
import { formatPresentedKey } from '../../core/tokens/token.ts'
import { silent } from '../support/databases.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { CHANNEL_SETTING, plant, secretSettings } from './plant.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

/** Hashes that everybody can come to: no master secret takes part in them. */
const WITHOUT_SECRET = ['users.password_hash', 'accounts.entries_hash', 'ledger_entries.hash']
const SEALED = /v2\.[\w-]{38,}/g

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.each(listDatabaseKinds())('E3: a new master secret on %s', (kind) => {
  async function place(): Promise<Config> {
    folder = await mkdtemp(join(tmpdir(), 'weir-rotation-'))
    const database = kind === 'postgres' ? { database: await migratedDatabase() } : {}
    return { host: '127.0.0.1', port: 0, data: folder, log_level: 'silent', log_format: 'json', ...database }
  }
  const keyOf = async (name = 'weir.key') => (await readFile(join(folder, name), 'utf8')).trim()

  /** Every text in the database, by `table.column`. */
  async function texts(config: Config): Promise<Map<string, string[]>> {
    const where = config.database ? { database: config.database } : { folder }
    const database = await openDatabase({ ...where, logger: silent })
    const found = new Map<string, string[]>()
    const tables =
      kind === 'sqlite'
        ? await database.read('sqlite_master').where({ type: 'table' }).pluck('name')
        : await database.read('information_schema.tables').where({ table_schema: 'public' }).pluck('table_name')
    for (const table of tables as string[]) {
      const columns = Object.keys(await database.read(table).columnInfo())
      const rows: Record<string, unknown>[] = await database.read(table).select()
      for (const column of columns)
        found.set(
          `${table}.${column}`,
          rows.map((row) => String(row[column] ?? '')),
        )
    }
    await database.close()
    return found
  }

  it('opens everything that was encrypted; the old one is refused at start', async () => {
    const config = await place()
    const before = await openGateway(config)
    const { user_id, receiptKey } = await plant(before)
    await before.close()
    const old = await keyOf()
    const planted = await texts(config)

    const { rewritten, dropped, key_file } = await rotateMasterSecret(config)
    expect(key_file).toBe(join(folder, 'weir.key'))
    expect(await readdir(folder)).not.toContain('weir.key.new')
    expect(await keyOf()).not.toBe(old)
    expect(rewritten['options.value']).toBe(secretSettings.length)
    // Planted in every listed column, and taken from every one that cannot be written anew.
    expect(Object.entries(rewritten).filter(([, count]) => count === 0)).toEqual([])
    expect(dropped.map(({ column }) => column)).toEqual(keyedHashColumns.map(({ table, hash }) => `${table}.${hash}`))

    const fresh = createSecrets(await keyOf())
    const listed = Object.keys(encryptedColumns)
    const sealedIn = (all: Map<string, string[]>) =>
      [...all].flatMap(([column, values]) => (values.some((value) => value.match(SEALED)) ? [column] : []))
    expect(sealedIn(planted).sort()).toEqual([...listed].sort())
    const after = await texts(config)
    expect(sealedIn(after).sort()).toEqual(Object.keys(rewritten).sort())
    expect(fresh.decrypt(after.get('installation.secret_check')![0]!, ['installation.secret_check', 1])).toBe('weir')

    await expect(openGateway({ ...config, secret: old })).rejects.toThrow(/does not fit this database/)
    const weir = await openGateway(config)
    const { storage, secrets } = weir.ports
    try {
      expect(await storage.tokens.findByKey('planted token')).toMatchObject({ key: 'planted token' })
      // A hash that came from elsewhere is no hash of ours: with its key it opens as before.
      expect(await storage.tokens.findPresented(formatPresentedKey('planted-elsewhere'))).toMatchObject({
        key: 'planted-elsewhere',
      })
      expect((await storage.channels.find(1))?.key).toBe('planted channel')
      expect((await storage.channels.find(1))?.setting).toBe(CHANNEL_SETTING)
      const byKey = { keyword: 'planted channel', group: '', model: '' }
      expect(await storage.channels.search(byKey, { column: 'id', descending: true })).toHaveLength(1)
      expect(await storage.secondFactors.find(user_id)).toMatchObject({ secret: 'planted factor', confirmed_time: 1 })
      expect(await storage.secondFactors.countBackups(user_id)).toBe(0)
      expect(await storage.loginServices.find('acme')).toMatchObject({ client_secret: 'planted provider' })
      expect(await storage.receiptKey.getOrCreate(() => 'another')).toBe(receiptKey)
      const options = await storage.settings.all()
      for (const { key, value } of secretSettings) expect(options).toContainEqual({ key, value })
      const { setting } = (await storage.users.find(user_id))!
      expect(secrets.decrypt(JSON.parse(setting).webhook_secret, ['users.setting', user_id])).toBe('planted webhook')
      expect(JSON.parse(setting)).toMatchObject({ webhook_url: 'https://a.example' })
      expect(await weir.client.quota.verify({})).toMatchObject({ ok: true })
      await weir.client.redemptions.list({})
    } finally {
      await weir.close()
    }
  })

  it('has every column of the schema on its list', async () => {
    const config = await place()
    await (await openGateway(config)).close()
    const columns = [...(await texts(config)).keys()]
    const listed = [
      ...Object.entries(encryptedColumns).flatMap(([column, { hash }]) => [
        column,
        ...(hash ? [column.replace(/\..*/, `.${hash}`)] : []),
      ]),
      ...keyedHashColumns.map(({ table, hash }) => `${table}.${hash}`),
    ]
    const named = columns.filter((column) => /(_sealed|_hash|\.hash)$/.test(column) && !WITHOUT_SECRET.includes(column))
    expect(named.filter((column) => !listed.includes(column))).toEqual([])
    expect(listed.filter((column) => !columns.includes(column))).toEqual([])
  })

  it('is refused while somebody uses the database, and changes nothing', async () => {
    const config = await place()
    const running = await openGateway(config)
    const key = await keyOf()
    await expect(rotateMasterSecret(config)).rejects.toMatchObject({ code: 'owned' })
    await running.close()
    expect(await keyOf()).toBe(key)
    expect(await readdir(folder)).not.toContain('weir.key.new')
    await (await openGateway(config)).close()
  })

  it('changes nothing where one value cannot be read', async () => {
    const config = await place()
    const weir = await openGateway(config)
    await plant(weir)
    await weir.ports.storage.users.update(1, { setting: JSON.stringify({ webhook_secret: 'v1.nonsense' }) })
    await weir.close()
    const before = await texts(config)
    await expect(rotateMasterSecret(config)).rejects.toThrow(
      /users\.setting of 1 cannot be decrypted: nothing was changed/,
    )
    expect(await texts(config)).toEqual(before)
    await (await openGateway(config)).close()
  })

  it('comes from the environment, where the present one does', async () => {
    const config = { ...(await place()), secret: 'the first secret of all' }
    await (await openGateway(config)).close()
    await expect(
      rotateMasterSecret({ ...config, secret: 'not the right secret' }, 'the second secret'),
    ).rejects.toThrow(/fit/)
    expect(await rotateMasterSecret(config, 'the second secret')).toMatchObject({ key_file: null })
    expect((await readdir(folder)).filter((name) => name.startsWith('weir.key'))).toEqual([])
    await expect(openGateway(config)).rejects.toThrow(/does not fit/)
    await (await openGateway({ ...config, secret: 'the second secret' })).close()
  })
})
