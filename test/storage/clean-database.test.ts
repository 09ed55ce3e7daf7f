// A PostgreSQL database that another test has used before is clean for the next one.
import { expect, it } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { giveDatabaseBack, takeDatabase } from '../support/clean-database.ts'
import { ports } from '../support/databases.ts'
import { query } from '../support/postgres.ts'
import { newUser } from './samples.ts'

it('nothing of the test before it, unless the tables were changed: then it has another one', async () => {
  const url = await takeDatabase()
  const migrations = await query(url, 'select name from schema_migrations order by name')
  for (let turn = 0; turn < 2; turn += 1) {
    const storage = await openStorage({ database: url, ...ports() })
    expect(await storage.users.insert(newUser({ username: 'ada' }))).toMatchObject({ id: 1 })
    await storage.close()
    await giveDatabaseBack(url)
    expect(await takeDatabase()).toBe(url)
    expect(await query(url, 'select id from users')).toEqual([])
    expect(await query(url, 'select name from schema_migrations order by name')).toEqual(migrations)
  }
  await query(url, 'create table another (id integer)')
  await giveDatabaseBack(url)
  const other = await takeDatabase()
  expect(other).not.toBe(url)
  await giveDatabaseBack(other)
})
