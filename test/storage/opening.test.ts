// Opening a database: who may, with which secret, and what is said when it is not possible.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import { openStorage, type StorageOptions } from '../../core/adapters/knex/index.ts'
import { acquireLock } from '../../core/adapters/knex/installation.ts'
import { openDatabase } from '../../core/adapters/knex/open.ts'
import { StartError } from '../../core/adapters/start-error.ts'
import { migrations } from '../../migrations/index.ts'
import { ports, silent } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { newUser } from './samples.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (options: Partial<StorageOptions>) => openStorage({ ...ports(), ...options })

/** The one sentence a failed start says. */
async function saidAtStart(options: Partial<StorageOptions>): Promise<string> {
  const error: unknown = await open(options).then(
    async (storage) => storage.close(),
    (failure: unknown) => failure,
  )
  expect(error).toBeInstanceOf(StartError)
  return (error as StartError).message
}

describe('a data folder', () => {
  test('is made when it is not there, and keeps what was written', async () => {
    const deep = join(folder, 'a', 'b')
    const storage = await open({ folder: deep })
    await storage.users.insert(newUser())
    await storage.close()
    const again = await open({ folder: deep })
    expect((await again.users.find(1))?.username).toBe('alice')
    await again.close()
  })

  test('has one owner at a time', async () => {
    const first = await open({ folder })
    expect(await saidAtStart({ folder })).toMatch(/in use by another running Weir/)
    await first.close()
    await (await open({ folder })).close()
  })

  test('is free again after a start that failed', async () => {
    await (await open({ folder })).close()
    expect(await saidAtStart({ folder, secrets: createSecrets('another') })).toMatch(/secret does not fit/)
    const lock = await acquireLock(folder, silent)
    expect(lock).not.toBeNull()
    await lock?.release()
  })

  test('that cannot be made or holds something else is explained', async () => {
    await writeFile(join(folder, 'file'), 'x')
    expect(await saidAtStart({ folder: join(folder, 'file') })).toMatch(/a file is in the way/)
    await writeFile(join(folder, 'weir.db'), 'this is not a database at all'.repeat(100))
    expect(await saidAtStart({ folder })).toMatch(/cannot be opened \(SQLITE_NOTADB\)/)
    expect(await saidAtStart({})).toMatch(/nowhere to keep data/)
  })
})

describe('a database', () => {
  test('of a newer version is gone on with, until that takes away what is needed here', async () => {
    const newer = (table: string, name: string) =>
      `insert into ${table} (name, batch, migration_time) values ('${name}', 2, current_timestamp)`
    const known = migrations.at(-1)!.name.split('-', 1)[0]
    for (const place of [{ folder }, { database: await freshDatabase() }]) {
      const written = async (sql: string) => {
        const database = await openDatabase({ ...place, ...ports() })
        await database.write.raw(sql).finally(() => database.close())
      }
      await (await open(place)).close()
      for (const table of ['schema_migrations', 'schema_steps']) {
        await written(newer(table, '9997-adds'))
        await written(newer(table, `9998-takes.needs-${known}`))
        await (await open(place)).close()
        await written(newer(table, '9999-takes.needs-9997'))
        expect(await saidAtStart(place)).toMatch(/newer version of Weir.*\(9999-takes\.needs-9997\)/)
        await written(`delete from ${table} where name like '999%'`)
      }
      await (await open(place)).close()
    }
  })

  test('E3: refuses another master secret', async () => {
    const url = await freshDatabase()
    await (await open({ database: url })).close()
    expect(await saidAtStart({ database: url, secrets: createSecrets('another') })).toMatch(/secret does not fit/)
    await (await open({ database: url })).close()
  })

  test('that cannot be reached is explained, without its password', async () => {
    const url = new URL(inject('postgresUrl'))
    const changed = (change: (url: URL) => void) => {
      const other = new URL(url)
      change(other)
      return saidAtStart({ database: other.href })
    }
    expect(await changed((other) => (other.pathname = '/nowhere'))).toMatch(/there is no database "nowhere"/)
    const wrong = await changed((other) => (other.password = 'oh-so-wrong'))
    expect(wrong).toMatch(/password for postgres is wrong/)
    expect(wrong).not.toContain('oh-so-wrong')
    expect(await changed((other) => (other.port = '1'))).toMatch(/nothing answers there/)
    expect(await saidAtStart({ database: 'postgres//oops' })).toMatch(/database URL cannot be read/)
  })
})

test('names of a version that did not keep how they look are looked at when it is opened', async () => {
  for (const place of [{ folder }, { database: await freshDatabase() }]) {
    const before = await open(place)
    const names = ['Alice', 'аlice', 'bob']
    for (const [at] of names.entries()) await before.users.insert(newUser({ username: `user ${at}` }))
    await before.close()
    const raw = await openDatabase({ ...place, ...ports() })
    for (const [at, username] of names.entries())
      await raw
        .write('users')
        .where({ username: `user ${at}` })
        .update({ username, looks: null })
    await raw.close()
    const after = await open(place)
    // Who had such a name before keeps it; nobody else gets one.
    expect((await after.users.find(2))?.username).toBe('аlice')
    for (const username of ['аliсе', 'ALIСЕ', 'bоb'])
      await expect(after.users.insert(newUser({ username }))).rejects.toMatchObject({ code: 'user.name_taken' })
    await after.users.update(3, { username: 'bоb' })
    await expect(after.users.update(1, { username: 'BOB' })).rejects.toMatchObject({ code: 'user.name_taken' })
    await after.close()
  }
})
