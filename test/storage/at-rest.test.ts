// The database contains no readable secret.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { ports, silent } from '../support/databases.ts'
import { freshDatabase, query } from '../support/postgres.ts'
import { newChannel, newToken, newUser } from './samples.ts'

const PLANTED = {
  token: 'PLANTEDTOKEN'.repeat(4),
  channel: 'sk-planted-channel-key',
  header: 'planted-header-value',
  proxy: 'planted-proxy-password',
  setting: 'planted-mail-password',
  code: 'PLANTEDREDEMPTIONCODE',
}

const CHANNEL_SETTING = JSON.stringify({
  headers: { 'x-key': PLANTED.header },
  proxy: `http://ada:${PLANTED.proxy}@proxy.example`,
})

async function plant(storage: Storage): Promise<void> {
  await storage.users.insert(newUser())
  await storage.tokens.insert(newToken({ key: PLANTED.token }))
  await storage.channels.insert([newChannel({ key: PLANTED.channel, setting: CHANNEL_SETTING })])
  await storage.channels.update(1, { key: PLANTED.channel })
  const code = { user_id: 1, name: 'code', quota: 1, created_time: 1 }
  await storage.redemptions.insert([{ ...code, key: PLANTED.code }])
  await storage.settings.save([{ key: 'SMTPToken', value: PLANTED.setting, secret: true }])
}

test('no key and no secret setting is readable in the files of sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-test-'))
  const storage = await openStorage({ folder, ...ports() })
  await plant(storage)
  const files = await readdir(folder)
  expect(files).toContain('weir.db-wal')
  const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))))
  await storage.close()
  await rm(folder, { recursive: true, force: true })
  expect(bytes.includes('alice')).toBe(true)
  for (const secret of Object.values(PLANTED)) expect(bytes.includes(secret)).toBe(false)
})

test('no key and no secret setting is readable in a table of PostgreSQL', async () => {
  const url = await freshDatabase()
  const storage = await openStorage({ database: url, ...ports() })
  await plant(storage)
  await storage.close()
  const tables = await query<{ name: string }>(
    url,
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows = await Promise.all(tables.map(({ name }) => query(url, `select * from "${name}"`)))
  const text = JSON.stringify(rows)
  expect(text).toContain('alice')
  for (const secret of Object.values(PLANTED)) expect(text).not.toContain(secret)
})

test('settings of channels that an earlier version kept open are sealed at the next start, on both databases', async () => {
  for (const place of [{ folder: await mkdtemp(join(tmpdir(), 'weir-test-')) }, { database: await freshDatabase() }]) {
    const open = async () => openDatabase({ ...place, logger: silent })
    const used = ports()
    const before = await openStorage({ ...place, ...used })
    await before.channels.insert([newChannel({ setting: CHANNEL_SETTING }), newChannel({ setting: '{"a": 1}' })])
    await before.close()
    const raw = await open()
    await raw.write('channels').where({ id: 1 }).update({ setting: CHANNEL_SETTING })
    await raw.close()
    const after = await openStorage({ ...place, ...used })
    expect((await after.channels.all()).map(({ setting }) => setting)).toEqual([CHANNEL_SETTING, '{"a": 1}'])
    await after.close()
    const again = await open()
    const stored = await again.read('channels').orderBy('id').pluck('setting')
    await again.close()
    expect(stored[0]).not.toContain('planted')
    expect(stored[1]).toBe('{"a": 1}')
    if (place.folder) await rm(place.folder, { recursive: true, force: true })
  }
})
