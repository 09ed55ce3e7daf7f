// Nothing secret lies readable in the database.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { ports } from '../support/databases.ts'
import { freshDatabase, query } from '../support/postgres.ts'
import { newChannel, newToken, newUser } from './samples.ts'

const PLANTED = {
  token: 'PLANTEDTOKEN'.repeat(4),
  channel: 'sk-planted-channel-key',
  setting: 'planted-mail-password',
  code: 'PLANTEDREDEMPTIONCODE',
}

async function plant(storage: Storage): Promise<void> {
  await storage.users.insert(newUser())
  await storage.tokens.insert(newToken({ key: PLANTED.token }))
  await storage.channels.insert([newChannel({ key: PLANTED.channel })])
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
