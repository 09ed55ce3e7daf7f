// The one writing connection of sqlite: the ledger keeps it between commits, and whoever asks for it gets it.
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { inTransaction, createHeldConnection, type RunSql } from '../../core/adapters/knex/sql/statements.ts'
import { silent } from '../support/databases.ts'

let database: Database

beforeEach(async () => {
  database = await connectSqlite(null, silent)
  await database.write.raw('create table works (name text)')
})
afterEach(() => database.close())

const names = async () => (await database.write('works').orderBy('rowid')).map((row: { name: string }) => row.name)

describe('a kept connection', () => {
  it('goes to whoever asks between two works', async () => {
    const withConnection = createHeldConnection(database)
    const work = (name: string) => withConnection((run) => run('insert into works values (?)', [name]))
    await work('first')
    await database.write('works').insert({ name: 'in between' })
    await work('second')
    expect(await names()).toEqual(['first', 'in between', 'second'])
  })

  it('goes to whoever asked while a work ran, before the next work', async () => {
    const withConnection = createHeldConnection(database)
    let asked: Promise<unknown> | undefined
    await withConnection(async (run) => {
      asked = Promise.resolve(database.write('works').insert({ name: 'asked meanwhile' }))
      await run('insert into works values (?)', ['first'])
    })
    await withConnection((run) => run('insert into works values (?)', ['second']))
    await asked
    expect(await names()).toEqual(['first', 'asked meanwhile', 'second'])
  })

  it('takes no part in the transactions of others', async () => {
    const withConnection = createHeldConnection(database)
    await withConnection((run) => run('insert into works values (?)', ['first']))
    let work: Promise<unknown> | undefined
    const undone = database.write.transaction(async (transaction) => {
      await transaction('works').insert({ name: 'undone' })
      work = withConnection((run) => run('insert into works values (?)', ['second']))
      await transaction('works').insert({ name: 'undone too' })
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    await work
    expect(await names()).toEqual(['first', 'second'])
  })

  it('is of use again after somebody else had the file locked', async () => {
    await database.write.raw('pragma busy_timeout = 1')
    const other = await connectSqlite(dirname(database.file ?? ''), silent)
    await other.write.raw('begin immediate')
    const withConnection = createHeldConnection(database)
    const insert = (run: RunSql, name: string) => run('insert into works values (?)', [name])
    await expect(withConnection((run) => insert(run, 'too soon'))).rejects.toMatchObject({ code: 'storage.away' })
    await other.write.raw('rollback')
    await other.close()
    // Another statement commits, while nobody has asked the one that failed again.
    await inTransaction(database, (run) => run('insert into works (name) values (?)', ['later']))
    await withConnection((run) => insert(run, 'again'))
    expect(await names()).toEqual(['later', 'again'])
  })

  it('is given back after a work that failed, too', async () => {
    const withConnection = createHeldConnection(database)
    await expect(withConnection((run) => run('insert into nowhere values (1)'))).rejects.toMatchObject({
      detail: expect.stringContaining('nowhere'),
    })
    await database.write('works').insert({ name: 'after it' })
    await withConnection((run) => run('insert into works values (?)', ['second']))
    expect(await names()).toEqual(['after it', 'second'])
  })
})
