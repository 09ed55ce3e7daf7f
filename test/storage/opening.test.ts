// Opening a database: the permitted processes, the required secret, and the errors.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import { openStorage, type StorageOptions } from '../../core/adapters/knex/index.ts'
import { lockDataFolder } from '../../core/adapters/knex/schema/installation.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
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
    const lock = await lockDataFolder(folder, silent)
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

describe('a database of another program', () => {
  const run = async (place: Partial<StorageOptions>, statements: readonly string[]) => {
    const database = await openDatabase({ ...place, ...ports() })
    for (const sql of statements) await database.write.raw(sql)
    const tables =
      database.kind === 'sqlite'
        ? await database.read.raw(
            `select name from sqlite_master where name not like 'sqlite!_%' escape '!' order by name`,
          )
        : (
            await database.read.raw(
              `select nspname, relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
               where nspname not like 'pg!_%' escape '!' and nspname <> 'information_schema' order by 1, 2`,
            )
          ).rows
    await database.close()
    return tables as unknown[]
  }
  const TABLE = 'create table "LiteLLM_UserTable" (user_id text primary key)'

  test('is named and not written to, whatever it has, until that is confirmed', async () => {
    const cases: [string, string[], 'both' | 'postgres'][] = [
      ['LiteLLM_UserTable', [TABLE], 'both'],
      ['a_view', ['create view a_view as select 1 as one'], 'both'],
      // Other migration libraries have a table of this name, too.
      ['schema_migrations', ['create table schema_migrations (version bigint, dirty boolean)'], 'both'],
      ['billing.invoices', ['create schema billing', 'create table billing.invoices (id int)'], 'postgres'],
    ]
    for (const [name, statements, kinds] of cases)
      for (const kind of kinds === 'both' ? ['sqlite', 'postgres'] : ['postgres']) {
        const inFolder = { folder: join(folder, name) }
        const place: { folder?: string; database?: string } =
          kind === 'sqlite' ? inFolder : { database: await freshDatabase() }
        const before = await run(place, statements)
        for (const known of [false, true]) {
          const message = await saidAtStart({ ...place, known })
          expect(message, `${name} ${kind}`).toContain(name)
          expect(message).toMatch(/another program.*nothing was written.*--new-database yes \(WEIR_NEW_DATABASE=yes\)/)
          expect(message).toContain(
            kind === 'sqlite' ? join(folder, name, 'weir.db') : new URL(place.database ?? '').pathname,
          )
          expect(message).not.toContain('postgres:postgres')
        }
        expect(await run(place, []), `${name} ${kind}`).toEqual(before)
        if (name === 'schema_migrations') continue
        await (await open({ ...place, concurrently: true })).close()
        await (await open(place)).close()
      }
  })

  test('with a table of the same name stays as it is, also where that was confirmed', async () => {
    for (const statement of ['create table tokens (id int)', 'create table schema_migrations (version bigint)'])
      for (const place of [{ folder: join(folder, statement.slice(13, 20)) }, { database: await freshDatabase() }]) {
        const before = await run(place, [statement])
        expect(await saidAtStart({ ...place, concurrently: true })).toMatch(
          /a name that Weir needs \((tokens|schema_migrations)\)/,
        )
        expect(await run(place, []), statement).toEqual(before)
      }
  })

  test('is none where a first start was interrupted', async () => {
    const place = { database: await freshDatabase() }
    await run(place, [
      'create table schema_migrations (id serial primary key, name text, batch int, migration_time timestamptz)',
      'create table schema_migrations_lock (index serial primary key, is_locked int)',
    ])
    await (await open(place)).close()
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
